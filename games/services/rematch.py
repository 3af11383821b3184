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
from players.services.accounts import hold_open


@transaction.atomic
def rematch_game(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Return the game that follows one that is over, with *player_id* on a place of it while one is free.

    The first to ask makes it: the same rules, time and visibility, with a bot for each bot.
    Raises NOT_FOUND, NOT_SEATED, GAME_NOT_FINISHED, VERSION_CONFLICT, and GAME_NOT_OPEN when a private one has started
    without him.
    """
    by = Person(player_id)
    hold_open(player_id)
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
    invite = Game.objects.values_list("invite", flat=True).get(id=rematch_id)
    try:
        return take_seat(game_id=rematch_id.hex, player_id=player_id, invite=invite)
    except ServiceError as refusal:
        if refusal.code == Code.NOT_FOUND:
            raise ServiceError(Code.GAME_NOT_OPEN, "The next game has started without you, or was cancelled.") from None
        if refusal.code not in (Code.ALREADY_SEATED, Code.ALREADY_STARTED, Code.GAME_NOT_OPEN):
            raise
    return find_table(rematch_id.hex, player_id)
