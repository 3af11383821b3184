"""What a player likes: language, time zone, how the table looks, sounds and asks."""

from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django.conf import settings

from callbreak_site.errors import Code, ServiceError
from players.models import Player

PREFERENCES = frozenset(
    ["language", "time_zone", "is_four_colour", "is_silent", "confirms_plays", "quick_ruleset", "quick_level"]
)


def change_preferences(*, player_id: UUID, **wanted: Any) -> None:
    """Set some of the preferences; raises INVALID for a language or a time zone that is not known."""
    errors = {}
    if wanted.get("language") and wanted["language"] not in dict(settings.LANGUAGES):
        errors["language"] = ["This language is not one of ours."]
    if wanted.get("time_zone") and wanted["time_zone"] not in available_timezones():
        errors["time_zone"] = ["This is no time zone of the IANA's list."]
    if errors:
        raise ServiceError(Code.INVALID, "Some fields are not right.", errors=errors)
    assert wanted.keys() <= PREFERENCES
    Player.objects.filter(pk=player_id, is_active=True).update(**wanted)
