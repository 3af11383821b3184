"""One viewer's eyes on one game: what is new, as long as he may see it."""

import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from callbreak_site.errors import Code, ServiceError
from games.presenters.events import EventRecord, event
from games.selectors.events import events_after
from games.selectors.tables import find_table
from players.web.sessions import holder

AT_ONCE = 100
SECONDS_BETWEEN_CHECKS = 30.0
RUNNING = ("open", "active")


@dataclass
class Watch:
    """Reads on from *version*, for who holds the session with this key; the version is that of the last event told."""

    game_id: str
    session_key: str | None
    version: int
    invite: str = ""
    player_id: uuid.UUID | None = None
    seat: int | None = None
    _latest: int = field(default=0, repr=False)
    _has_ended: bool = field(default=False, repr=False)
    _checked_at: float = field(default=0.0, repr=False)

    def begin(self) -> None:
        """Find out who watches, and the seat that he holds; raises as `find_table`.

        A version that the game has not come to yet is taken for its latest: who says so has been told of a game that
        was since brought back from a backup.
        """
        self.player_id = holder(self.session_key)
        self._check()
        self.version = min(self.version, self._latest)

    def news(self) -> list[dict[str, Any]]:
        """Return what happened since, at most so much at once; raises when the viewer may see no more.

        Who he is and where he sits is asked again every half a minute, and before anything is told that is for one seat
        alone or may have changed seats.
        """
        records = events_after(uuid.UUID(self.game_id), self.version, AT_ONCE)
        is_due = time.monotonic() > self._checked_at + SECONDS_BETWEEN_CHECKS
        if is_due or any(map(needs_check, records)):
            self._check()
        if records:
            self.version = records[-1].version
        return [event(record, self.seat) for record in records]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and all of it is told."""
        return self._has_ended and self.version >= self._latest

    def _check(self) -> None:
        """Look at the session and the table anew."""
        if holder(self.session_key) != self.player_id:
            raise ServiceError(Code.NOT_AUTHENTICATED)
        table = find_table(self.game_id, self.player_id, self.invite)
        self.seat = table.seat_of(self.player_id)
        self._latest, self._has_ended = table.version, table.status not in RUNNING
        self._checked_at = time.monotonic()


def needs_check(record: EventRecord) -> bool:
    """Tell whether an event is for one seat alone, or may have changed who sits where.

    >>> from datetime import UTC, datetime
    >>> new_year = datetime(2026, 1, 1, tzinfo=UTC)
    >>> def of(kind, **private): return needs_check(EventRecord(7, kind, new_year, None, None, {}, private))
    >>> of("round.dealt", seat={"hand": ["AS"]}), of("seat.resigned"), of("bid.made")
    (True, True, False)
    """
    return bool(record.private) or record.type.startswith(("game.", "player.", "seat.", "seats."))
