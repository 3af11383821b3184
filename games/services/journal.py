"""The events of one change, numbered as they happen and written at its end."""

from typing import Any

from games.doorbell import ring_after_commit
from games.models import Event, EventType, Game
from games.selectors.rows import Rows
from games.services.moves import Note


class Journal:
    """Collects what happens to one locked game; each event makes its version one higher."""

    def __init__(self, rows: Rows) -> None:
        self._game: Game = rows.game
        self._at = rows.now
        self._events: list[Event] = []

    def note(
        self,
        event_type: EventType,
        *,
        seat: int | None = None,
        player_id: Any = None,
        public: dict[str, Any] | None = None,
        private: dict[str, Any] | None = None,
    ) -> None:
        """Write down that something happened; *private* maps a seat's number to what it alone may know."""
        self._game.version += 1
        self._events.append(
            Event(
                game=self._game,
                version=self._game.version,
                type=event_type,
                seat=seat,
                player_id=player_id,
                at=self._at,
                public=public or {},
                private=private or {},
            )
        )

    def add(self, *notes: Note) -> None:
        """Write down what a move comes to."""
        for note in notes:
            self.note(note.type, seat=note.seat, public=note.public, private=note.private)

    def write(self) -> None:
        """Store the events, and the time of the change on the game; the caller saves the game.

        Whoever watches the game is told once that is committed.
        """
        self._game.changed_at = self._at
        Event.objects.bulk_create(self._events)
        ring_after_commit(self._game.id.hex)
