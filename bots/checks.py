"""Whether the bots that settings offer are the ones that can play."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

from bots.engine import LEVELS


@register()
def levels_on_offer_can_play(**_: Any) -> list[Error]:
    """Report when BOT_LEVELS and the engine's levels, or their names, differ."""
    playing = {level: playing.name for level, playing in LEVELS.items()}
    if playing == settings.BOT_LEVELS:
        return []
    return [Error(f"BOT_LEVELS must be {playing}.", id="bots.E001")]
