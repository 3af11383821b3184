"""What happened, as one viewer may know it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from callbreak_site.times import timestamp


@dataclass(frozen=True)
class EventRecord:
    """One event: *public* is for everybody, *private* maps a seat's number, as text, to what it alone may know."""

    version: int
    type: str
    at: datetime
    seat: int | None
    username: str | None
    public: dict[str, Any]
    private: dict[str, dict[str, Any]]


def event(record: EventRecord, seat: int | None) -> dict[str, Any]:
    """Return *record* as the holder of *seat* may see it; None is a spectator.

    >>> from datetime import UTC, datetime
    >>> new_year = datetime(2026, 1, 1, tzinfo=UTC)
    >>> dealt = EventRecord(7, "round.dealt", new_year, None, None, {"round": 1}, {"2": {"hand": ["AS"]}})
    >>> event(dealt, 2)["data"], event(dealt, 1)["data"]
    ({'round': 1, 'hand': ['AS']}, {'round': 1})
    """
    shown: dict[str, Any] = {"version": record.version, "type": record.type, "at": timestamp(record.at)}
    if record.seat is not None:
        shown["seat"] = record.seat
    player = {} if record.username is None else {"player": record.username}
    own = {} if seat is None else record.private.get(str(seat), {})
    shown["data"] = {**record.public, **player, **own}
    return shown
