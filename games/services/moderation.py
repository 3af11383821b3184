"""What a moderator may do to a game."""

import uuid

from django.db import transaction

from callbreak_site.errors import Code, ServiceError
from games.models import EventType, GameStatus, Seat
from games.presenters.table import Table
from games.selectors.rows import table_of
from games.services.archiving import unpack_game
from games.services.journal import Journal
from games.services.locking import lock_game
from games.services.position import end_running, save_position
from players.services.audit import write_audit
from players.services.moderation import check_moderator


@transaction.atomic
def void_game(*, game_id: str, moderator_id: uuid.UUID, reason: str, address: str | None = None) -> Table:
    """End a game without a result, for a *reason* that its players can read, with an audit row.

    Raises INVALID without a proper reason, MISSING_SCOPE to who may not void games, NOT_FOUND, and GAME_NOT_ACTIVE when
    there is nothing left to void.
    """
    check_moderator(moderator_id, "games.void_game", reason)
    rows = lock_game(game_id)
    if rows.game.status in (GameStatus.CANCELLED, GameStatus.VOID):
        raise ServiceError(Code.GAME_NOT_ACTIVE, f"The game is {rows.game.status} already.")
    if rows.game.is_archived:
        unpack_game(rows.game)
    journal = Journal(rows)
    before = rows.game.status
    ended_at = rows.game.ended_at
    end_running(rows, GameStatus.VOID)
    rows.game.ended_at = ended_at or rows.now
    rows.game.void_reason = reason
    for seat in rows.seats:
        seat.place = None
    Seat.objects.bulk_update(rows.seats, ["place"])
    journal.note(EventType.GAME_VOIDED, public={"reason": reason})
    rows.game.save(update_fields=["void_reason"])
    save_position(rows, journal)
    write_audit(
        actor_id=moderator_id,
        action="game.voided",
        subject_kind="game",
        subject_id=rows.game.id,
        reason=reason,
        before={"status": before},
        after={"status": GameStatus.VOID.value},
        address=address,
    )
    return table_of(rows)
