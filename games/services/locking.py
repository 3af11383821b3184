"""The game row first: every change of a game starts by taking its lock."""

from callbreak_site.errors import Code, ServiceError
from games.models import Game, Visibility
from games.selectors.rows import Rows, games_now, rows_of, table_of
from games.selectors.tables import NO_SUCH_GAME, may_see
from games.services.actors import Actor, Person
from games.services.moves import version_conflict


def lock_game(game_id: str, by: Actor | None = None, invite: str | None = None) -> Rows:
    """Lock a game and read its rows; to a person who may not see it, it is NOT_FOUND.

    Foreign keys to the row may still be written meanwhile (FOR NO KEY UPDATE), so an event never waits for itself.
    """
    try:
        game = games_now().select_for_update(no_key=True).get(id=game_id)
    except Game.DoesNotExist:
        raise ServiceError(Code.NOT_FOUND, NO_SUCH_GAME) from None
    rows = rows_of(game)
    if (
        isinstance(by, Person)
        and game.visibility != Visibility.PUBLIC
        and not may_see(table_of(rows), by.player_id, invite)
    ):
        raise ServiceError(Code.NOT_FOUND, NO_SUCH_GAME)
    return rows


def check_version(rows: Rows, by: Actor, expected_version: int | None) -> None:
    """Raise VERSION_CONFLICT with the caller's own view when the game has moved on."""
    if expected_version is not None and expected_version != rows.game.version:
        raise version_conflict(table_of(rows), by, expected_version)
