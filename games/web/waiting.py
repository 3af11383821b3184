"""The waiting room: who sits where, how others get in, and what the creator may do."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from games.presenters.table import Table
from games.web.glance import pace_in_words
from games.web.visiting import invite_of
from games.web.words import level_in_words, seat_in_words
from players.web.visitors import viewer_id


def waiting_room(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Return what the page of an open *table* shows to who may see it."""
    viewer = viewer_id(request)
    me, is_creator = table.seat_of(viewer), viewer is not None and viewer == table.creator_id
    invite = table.invite if table.is_member(viewer) else invite_of(request)
    is_public = table.visibility == "public"
    page = reverse("game", args=[table.id], query={"invite": invite} if invite and not is_public else None)
    return {
        "invite": invite,
        "link": request.build_absolute_uri(page),
        "pace": pace_in_words(table.clock_kind, table.per_turn_s),
        "is_creator": is_creator,
        "chooses_place": me is None and table.ruleset.seating == "random",
        # The feed knows people by what they may see without an invite.
        "has_feed": table.is_member(viewer) or is_public,
        "spots": [
            {
                "number": number,
                "name": seat_in_words(table, number) if seat else None,
                "is_me": number == me,
                "may_free": is_creator and seat is not None and number != me,
            }
            for number, seat in enumerate(table.seats)
        ],
        "levels": [(level, level_in_words(level)) for level in settings.BOT_LEVELS],
    }
