"""Which table a page shows, and what it says where there is none to see."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from callbreak_site.errors import ServiceError
from callbreak_site.http.problems import status_of
from callbreak_site.web.acts import refused
from games.presenters.table import Table
from games.selectors.tables import find_invited, find_table
from players.web.visitors import viewer_id

LONGEST_INVITE = 100


def invite_of(request: HttpRequest) -> str:
    """Return the invite that the address brings, or an empty text."""
    invite = request.GET.get("invite", "")
    return invite if len(invite) <= LONGEST_INVITE else ""


def seen_table(request: HttpRequest, game_id: str) -> Table:
    """Return the game to who may see it, and an open one to who brings its invite; raises as `find_table`."""
    viewer, invite = viewer_id(request), invite_of(request)
    try:
        return find_table(game_id, viewer, invite)
    except ServiceError:
        if viewer is None and invite:
            return find_invited(game_id, invite)
        raise


def not_seen(request: HttpRequest, refusal: ServiceError) -> HttpResponse:
    """Return the page for a game that is not to be seen, which tells somebody invited what may have happened."""
    if not invite_of(request):
        return refused(request, refusal)
    words = _("This invite opens no table any more: the game has started, or the table was given up.")
    return render(request, "site/refused.html", {"words": words}, status=status_of(refusal.code))
