"""What happens to the places of somebody who closes his account."""

import uuid

from games.models import Game, GameStatus, Seat
from games.services.lobby import cancel_game, give_up_seat
from games.services.table import resign_seat


def release_seats(*, player_id: uuid.UUID) -> None:
    """Cancel the player's own open games, give up his other open places, and leave his running seats to bots."""
    for game_id in (
        Game.objects.filter(creator_id=player_id, status=GameStatus.OPEN).order_by("id").values_list("id", flat=True)
    ):
        cancel_game(game_id=game_id.hex, player_id=player_id)
    held = Seat.objects.filter(player_id=player_id).order_by("game_id")
    for game_id in held.filter(game__status=GameStatus.OPEN).values_list("game_id", flat=True):
        give_up_seat(game_id=game_id.hex, player_id=player_id)
    for game_id in held.filter(game__status=GameStatus.ACTIVE).values_list("game_id", flat=True):
        resign_seat(game_id=game_id.hex, player_id=player_id)
