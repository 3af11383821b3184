"""The events of a game, after a version, in order and without a gap, from its rows or from its archive."""

import uuid
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import BinaryField, PositiveSmallIntegerField, Value

from games.models import Archive, Event, EventType
from games.models.packing import PackedEvent, unpack
from games.presenters.events import EventRecord

COLUMNS = (*PackedEvent._fields, "player__username", "player__kind")


class Told(NamedTuple):
    """An event with the name and the kind that its player has now."""

    event: PackedEvent
    username: str | None
    kind: str | None

    @property
    def version(self) -> int:
        """The number of the event."""
        return self.event.version


def events_after(game_id: uuid.UUID, version: int, limit: int) -> list[EventRecord]:
    """Return at most *limit* events of a game after *version*, oldest first."""
    return events_between(game_id, version + 1, None, limit)


def events_between(game_id: uuid.UUID, first: int, before: int | None, limit: int) -> list[EventRecord]:
    """Return at most *limit* events of a game from version *first* on, oldest first, up to *before* if given."""
    rows = {"version__gte": first} | ({"version__lt": before} if before else {})
    return _records(
        told(game_id, lambda event: first <= event.version and (not before or event.version < before), limit, **rows)
    )


def all_events(game_id: uuid.UUID) -> list[EventRecord]:
    """Return every event of a game, oldest first."""
    return _records(told(game_id, lambda event: True))


def chapters(game_id: uuid.UUID) -> list[int]:
    """Return the versions at which the chapters of a game begin: what came before round 1, then round by round."""
    dealt = told(
        game_id,
        lambda event: event.type == EventType.ROUND_DEALT and event.public["redeals"] == 0,
        type=EventType.ROUND_DEALT,
        public__redeals=0,
    )
    return [1, *(event.version for event in dealt)]


def told(
    game_id: uuid.UUID, is_wanted: Callable[[PackedEvent], bool], limit: int | None = None, **rows: Any
) -> list[Told]:
    """Return at most *limit* events of a game, oldest first: *rows* narrows its rows, *is_wanted* its archive.

    One statement reads both: a game that is being packed is seen before or after that, never in between.
    """
    no_archive = {"packed_in": Value(None, PositiveSmallIntegerField()), "packed": Value(None, BinaryField())}
    no_event = {f"no_{number}": Value(None, BinaryField()) for number, _ in enumerate(COLUMNS)}
    events = Event.objects.filter(game_id=game_id, **rows).order_by("version")[:limit]
    archive = Archive.objects.filter(game_id=game_id).annotate(**no_event).values_list(*no_event, "format", "record")
    found = list(events.annotate(**no_archive).values_list(*COLUMNS, *no_archive).union(archive, all=True))
    if found and found[-1][-1] is not None:
        *_, packed_in, packed = found[-1]
        contents = unpack(packed_in, bytes(packed))
        return _named([event for event in contents.events if is_wanted(event)][:limit])
    return sorted((Told(PackedEvent(*row[:7]), *row[7:9]) for row in found), key=attrgetter("version"))


def _named(events: list[PackedEvent]) -> list[Told]:
    """Look the names up, in one statement if there are any."""
    ids = {event.player_id for event in events if event.player_id}
    players = get_user_model().objects.in_bulk(ids) if ids else {}
    return [
        Told(event, players[event.player_id].username, players[event.player_id].kind)
        if event.player_id
        else Told(event, None, None)
        for event in events
    ]


def _records(events: Iterable[Told]) -> list[EventRecord]:
    return [_record(*told) for told in events]


def _record(event: PackedEvent, username: str | None, kind: str | None) -> EventRecord:
    public = event.public
    if username:
        public = {"kind": kind, "bot_level": None, **public}
    elif level := public.get("bot_level"):
        username = settings.BOT_LEVELS[level]
    return EventRecord(event.version, event.type, event.at, event.seat, username, public, event.private)
