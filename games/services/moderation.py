"""What a moderator may do to a game."""

import uuid

from django.db import transaction
from players.services.audit import record_audit

from callbreak_site.errors import Code, ServiceError
from games.models import EventType, GameStatus
from games.presenters.table import Table
from games.selectors.rows import table_of
from games.services.journal import Journal
from games.services.locking import lock_game
from games.services.position import end_running, save_position


@transaction.atomic
def void_game(*, game_id: str, moderator_id: uuid.UUID, reason: str) -> Table:
    """End a game without a result, for a *reason* that all its players can read; the audit row is of the same transaction.

    Raises NOT_FOUND, and GAME_NOT_ACTIVE when there is nothing left to void.
    """
    rows = lock_game(game_id)
    if rows.game.status in (GameStatus.CANCELLED, GameStatus.VOID):
        raise ServiceError(Code.GAME_NOT_ACTIVE, f"The game is {rows.game.status} already.")
    journal = Journal(rows)
    before = rows.game.status
    end_running(rows, GameStatus.VOID)
    rows.game.void_reason = reason
    journal.note(EventType.GAME_VOIDED, public={"reason": reason})
    rows.game.save(update_fields=["void_reason"])
    save_position(rows, journal)
    record_audit(
        actor_id=moderator_id,
        action="game.void",
        target=rows.game.id.hex,
        before={"status": before},
        after={"status": GameStatus.VOID.value},
        reason=reason,
    )
    return table_of(rows)
