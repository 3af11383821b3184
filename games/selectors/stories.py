"""What a spectator could have watched of any game, for those who have to judge it."""

import uuid

from django.conf import settings

from games.models import Tenure
from games.presenters.story import Holder
from games.presenters.table import Table
from games.selectors.snapshot import read_snapshot


def table_to_judge(game_id: uuid.UUID) -> Table:
    """Return a game, also a private one; moderators see any, but nobody's hand: show it with a spectator's eyes."""
    seen = read_snapshot(game_id)
    assert seen is not None
    return seen.table


def holders(game_id: uuid.UUID) -> list[Holder]:
    """Return who held which seat from when until when, once the game has started."""
    tenures = Tenure.objects.filter(seat__game_id=game_id).select_related("seat", "player").order_by("from_version")
    return [
        Holder(
            seat=tenure.seat.number,
            name=tenure.player.username if tenure.player else settings.BOT_LEVELS[tenure.bot_level or ""],
            is_bot=tenure.player is None,
            from_version=tenure.from_version,
            until_version=tenure.until_version,
        )
        for tenure in tenures
    ]
