"""The events of a game, after a version, in order and without a gap."""

import uuid

from django.conf import settings

from games.models import Event
from games.presenters.events import EventRecord


def events_after(game_id: uuid.UUID, version: int, limit: int) -> list[EventRecord]:
    """Return at most *limit* events of a game after *version*, oldest first."""
    events = (
        Event.objects.filter(game_id=game_id, version__gt=version).select_related("player").order_by("version")[:limit]
    )
    return [_record(event) for event in events]


def _record(event: Event) -> EventRecord:
    username, public = None, event.public
    if event.player:
        username = event.player.username
        public = {"kind": event.player.kind, "bot_level": None, **public}
    elif level := public.get("bot_level"):
        username = settings.BOT_LEVELS[level]
    return EventRecord(event.version, event.type, event.at, event.seat, username, public, event.private)
