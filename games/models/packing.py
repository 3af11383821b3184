"""How the record of a game that is over is packed into bytes, and unpacked to the same values again.

Format 1 is compact JSON under zlib: the events by columns (their versions run from 1 on without a gap, times are
microseconds since the one before, public parts of the same keys stand together), and beside them, told independently,
the tricks and plays of each round.
"""

import json
import uuid
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

FORMAT = 1
LEVEL = 9
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class PackedEvent(NamedTuple):
    """An event's row; *public* and *private* as `Event` has them, and the id of the player, never a name."""

    version: int
    type: str
    seat: int | None
    player_id: uuid.UUID | None
    at: datetime
    public: dict[str, Any]
    private: dict[str, dict[str, Any]]


class PackedTrick(NamedTuple):
    """A trick's row."""

    round: int
    number: int
    leader: int
    winner: int | None


class PackedPlay(NamedTuple):
    """A play's row."""

    round: int
    trick: int
    order: int
    seat: int
    card: int


class Contents(NamedTuple):
    """All that an archive holds: events by version, tricks and plays in the order of play."""

    events: Sequence[PackedEvent]
    tricks: Sequence[PackedTrick]
    plays: Sequence[PackedPlay]


def pack(contents: Contents) -> bytes:
    """Return *contents* as bytes in the newest format.

    >>> moment = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    >>> told = [PackedEvent(1, "trick.won", 2, uuid.UUID(int=7), moment, {"round": 1}, {"0": {"hand": ["AS"]}})]
    >>> whole = Contents(told, [PackedTrick(1, 1, 0, None)], [PackedPlay(1, 1, 0, 0, 51)])
    >>> unpack(FORMAT, pack(whole)) == whole
    True
    """
    events = contents.events
    if [event.version for event in events] != list(range(1, len(events) + 1)):
        raise ValueError("the events are not numbered from 1 on")
    people = list(dict.fromkeys(event.player_id for event in events if event.player_id))
    shapes = list(dict.fromkeys(tuple(event.public) for event in events))
    columns = {
        "types": [event.type for event in events],
        "seats": [event.seat for event in events],
        "pauses": list(_pauses(events)),
        "people": [player_id.hex for player_id in people],
        "players": {event.version: people.index(event.player_id) for event in events if event.player_id},
        "shapes": shapes,
        "public": [shapes.index(tuple(event.public)) for event in events],
        "values": [
            _turned(event.public.values() for event in events if tuple(event.public) == keys) for keys in shapes
        ],
        "private": {event.version: event.private for event in events if event.private},
        "tricks": _turned(contents.tricks),
        "plays": _turned(contents.plays),
    }
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode(), LEVEL)


def unpack(written_in: int, packed: bytes) -> Contents:
    """Return what was packed into *packed*, in the format of that number.

    >>> unpack(2, b"")
    Traceback (most recent call last):
    ValueError: no archive is written in format 2
    """
    if written_in != FORMAT:
        raise ValueError(f"no archive is written in format {written_in}")
    columns = json.loads(zlib.decompress(packed))
    people = dict(enumerate(uuid.UUID(text) for text in columns["people"]))
    values = [iter(_turned(of_shape)) for of_shape in columns["values"]]
    rows = zip(columns["types"], columns["seats"], accumulate(columns["pauses"]), columns["public"], strict=True)
    return Contents(
        events=[
            PackedEvent(
                version=version,
                type=kind,
                seat=seat,
                player_id=people.get(columns["players"].get(str(version))),
                at=EPOCH + microseconds * MICROSECOND,
                public=dict(zip(columns["shapes"][shape], next(values[shape], ()), strict=True)),
                private=columns["private"].get(str(version), {}),
            )
            for version, (kind, seat, microseconds, shape) in enumerate(rows, start=1)
        ],
        tricks=[PackedTrick(*trick) for trick in _turned(columns["tricks"])],
        plays=[PackedPlay(*play) for play in _turned(columns["plays"])],
    )


def _turned(rows: Iterable[Iterable[Any]]) -> list[tuple[Any, ...]]:
    """Return columns for rows, or rows for columns: likes that stand together pack well.

    >>> _turned([(1, "a"), (2, "b")])
    [(1, 2), ('a', 'b')]
    """
    return list(zip(*rows, strict=True))


def _pauses(events: Sequence[PackedEvent]) -> Iterator[int]:
    """Yield the microseconds from 1970 to the first event, and from each event to the next."""
    for before, after in pairwise([EPOCH, *(event.at for event in events)]):
        yield (after - before) // MICROSECOND
