"""What happens to the places of somebody who closes his account."""

import uuid
from contextlib import suppress

from django.db.models import Q

from callbreak_site.errors import ServiceError
from games.models import Game, GameStatus
from games.services.actors import Person
from games.services.lobby import cancel_game, give_up_seat
from games.services.locking import lock_game
from games.services.table import resign_seat


def release_seats(*, player_id: uuid.UUID) -> None:
    """Cancel the player's own open games, give up his other open places, and leave his running seats to bots.

    All of them in one transaction, as an exception: they are locked in the order of their ids, so that two who leave
    each other's games wait for one another. What ends meanwhile needs no leaving.
    """
    created = Q(creator_id=player_id, status=GameStatus.OPEN)
    seated = Q(seats__player_id=player_id, status__in=[GameStatus.OPEN, GameStatus.ACTIVE])
    for game_id in Game.objects.filter(created | seated).order_by("id").values_list("id", flat=True).distinct():
        with suppress(ServiceError):
            _leave(game_id.hex, player_id)


def _leave(game_id: str, player_id: uuid.UUID) -> None:
    game = lock_game(game_id, Person(player_id)).game
    if game.status == GameStatus.ACTIVE:
        resign_seat(game_id=game_id, player_id=player_id)
    elif game.creator_id == player_id:
        cancel_game(game_id=game_id, player_id=player_id)
    else:
        give_up_seat(game_id=game_id, player_id=player_id)
