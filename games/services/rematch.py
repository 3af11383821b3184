"""The same table again: everyone who asks gets the same new game."""

import uuid

from django.db import transaction

from callbreak_site.errors import Code, ServiceError
from games.models import Game, GameStatus
from games.presenters.table import Table
from games.rules.ruleset import from_json
from games.selectors.rows import Rows
from games.selectors.tables import find_table
from games.services.actors import Person
from games.services.lobby import Clock, Plan, create_game, take_seat
from games.services.locking import check_version, lock_game


@transaction.atomic
def rematch_game(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Return the game that follows a finished one, with *player_id* on a place of it while one is free.

    The first to ask makes it: the same rules, time and visibility, with a bot for each bot.
    Raises NOT_FOUND, NOT_SEATED, GAME_NOT_FINISHED, VERSION_CONFLICT.
    """
    by = Person(player_id)
    rows = lock_game(game_id, by)
    if rows.seat_of(player_id) is None:
        raise ServiceError(Code.NOT_SEATED, "Only who sat at this table can play it again.")
    if rows.game.status in (GameStatus.OPEN, GameStatus.ACTIVE):
        raise ServiceError(Code.GAME_NOT_FINISHED, f"The game is {rows.game.status}.")
    check_version(rows, by, expected_version)
    if rows.game.rematch_id is None:
        table = create_game(player_id=player_id, plan=_same_again(rows))
        rows.game.rematch_id = uuid.UUID(table.id)
        rows.game.save(update_fields=["rematch"])
        return table
    return _join_rematch(rows.game.rematch_id, player_id)


def _same_again(rows: Rows) -> Plan:
    game = rows.game
    return Plan(
        ruleset=from_json(game.ruleset),
        clock=Clock(game.clock_kind, game.per_turn_s),
        visibility=game.visibility,
        bots=[seat.bot_level for seat in rows.seats if seat.bot_level],
        fill_with=game.fill_with,
    )


def _join_rematch(rematch_id: uuid.UUID, player_id: uuid.UUID) -> Table:
    game = Game.objects.select_for_update(no_key=True).get(id=rematch_id)
    is_seated = game.seats.filter(player_id=player_id).exists()
    if is_seated or game.status != GameStatus.OPEN:
        return find_table(rematch_id.hex, player_id)
    return take_seat(game_id=rematch_id.hex, player_id=player_id, invite=game.invite)
