"""The events of a game, after a version, in order and without a gap."""

import uuid

from django.conf import settings
from django.db.models import QuerySet

from games.models import Event
from games.presenters.events import EventRecord


def events_after(game_id: uuid.UUID, version: int, limit: int) -> list[EventRecord]:
    """Return at most *limit* events of a game after *version*, oldest first."""
    return [_record(event) for event in _events(game_id).filter(version__gt=version)[:limit]]


def events_between(game_id: uuid.UUID, first: int, before: int | None, limit: int) -> list[EventRecord]:
    """Return at most *limit* events of a game from version *first* on, oldest first, up to *before* if given."""
    events = _events(game_id).filter(version__gte=first)
    return [_record(event) for event in (events.filter(version__lt=before) if before else events)[:limit]]


def all_events(game_id: uuid.UUID) -> list[EventRecord]:
    """Return every event of a game, oldest first."""
    return [_record(event) for event in _events(game_id)]


def _events(game_id: uuid.UUID) -> QuerySet[Event]:
    return Event.objects.filter(game_id=game_id).select_related("player").order_by("version")


def _record(event: Event) -> EventRecord:
    username, public = None, event.public
    if event.player:
        username = event.player.username
        public = {"kind": event.player.kind, "bot_level": None, **public}
    elif level := public.get("bot_level"):
        username = settings.BOT_LEVELS[level]
    return EventRecord(event.version, event.type, event.at, event.seat, username, public, event.private)
