"""The events of a game, after a version, in order and without a gap, from its rows or from its archive."""

import uuid
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection

from games.models import EventType
from games.models.packing import PackedEvent, unpack
from games.presenters.events import EventRecord

# One statement for both: a game that is being packed is seen before or after that, never in between.
ROWS_OR_ARCHIVE = """
    (SELECT event.version, event.type, event.seat, event.player_id, event.at, event.public::text, event.private::text,
            player.username, player.kind, NULL, NULL
     FROM games_event event LEFT JOIN players_player player ON player.id = event.player_id
     WHERE event.game_id = %s AND {} ORDER BY event.version LIMIT %s)
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, format, record FROM games_archive WHERE game_id = %s
"""
BETWEEN = ROWS_OR_ARCHIVE.format("event.version >= %s AND event.version < %s")
BEGINNINGS = ROWS_OR_ARCHIVE.format("event.type = 'round.dealt' AND event.public->'redeals' = '0'")
NO_VERSION = 2**31 - 1
read_json = msgspec.json.decode


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


def events_between(game_id: uuid.UUID, first: int, before: int | None, limit: int | None) -> list[EventRecord]:
    """Return at most *limit* events of a game from version *first* on, oldest first, up to *before* if given."""
    span = min(first, NO_VERSION), min(before or NO_VERSION, NO_VERSION)
    return [
        _record(*told) for told in _told(BETWEEN, game_id, span, lambda event: event.version in range(*span), limit)
    ]


def all_events(game_id: uuid.UUID) -> list[EventRecord]:
    """Return every event of a game, oldest first."""
    return events_between(game_id, 1, None, None)


def chapters(game_id: uuid.UUID) -> list[int]:
    """Return the versions at which the chapters of a game begin: what came before round 1, then round by round."""
    return [1, *(told.version for told in _told(BEGINNINGS, game_id, (), _is_beginning))]


def _is_beginning(event: PackedEvent) -> bool:
    return event.type == EventType.ROUND_DEALT and event.public["redeals"] == 0


def _told(
    statement: str,
    game_id: uuid.UUID,
    params: Iterable[int],
    is_wanted: Callable[[PackedEvent], bool],
    limit: int | None = None,
) -> list[Told]:
    """Return at most *limit* events of a game, oldest first: *statement* narrows its rows, *is_wanted* its archive."""
    with connection.cursor() as cursor:
        cursor.execute(statement, [game_id, *params, limit, game_id])
        found: list[Any] = cursor.fetchall()
    if found and found[-1][-1] is not None:
        *_, packed_in, packed = found[-1]
        contents = unpack(packed_in, bytes(packed))
        return _named([event for event in contents.events if is_wanted(event)][:limit])
    events = (
        Told(PackedEvent._make([*row[:5], read_json(row[5]), read_json(row[6])]), username, kind)
        for *row, username, kind, _, _ in found
    )
    return sorted(events, key=attrgetter("version"))


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


def _record(event: PackedEvent, username: str | None, kind: str | None) -> EventRecord:
    public = event.public
    if username:
        public = {"kind": kind, "bot_level": None, **public}
    elif level := public.get("bot_level"):
        username = settings.BOT_LEVELS[level]
    return EventRecord(event.version, event.type, event.at, event.seat, username, public, event.private)
