"""The first page, and the list of open tables."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.pagination import after, written
from callbreak_site.web.acts import refused
from games.selectors.first_page import first_page, open_tables
from games.selectors.tables import tables_of
from games.web.forms import QuickForm
from games.web.glance import glances
from players.web.visitors import viewer_id

A_PAGE = 20
ORDER = ("created_at", "id")


@method_decorator(never_cache, name="dispatch")
class Home(View):
    """Play now, go on where it is one's turn, or sit down with others."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show it."""
        viewer = viewer_id(request)
        found = first_page(viewer)
        quick = {
            "ruleset": getattr(request.user, "quick_ruleset", "call-break-2"),
            "level": getattr(request.user, "quick_level", "medium"),
        }
        shown = {
            "quick": QuickForm(initial=quick),
            "running": glances(found.running, viewer),
            "waiting": glances(found.waiting, viewer),
            "finished": glances(found.finished, viewer),
            "open_to_all": glances(found.open_to_all, viewer),
        }
        return render(request, "games/home.html", shown)


@method_decorator(never_cache, name="dispatch")
class Tables(View):
    """Every public table with a free place, the newest first."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show a page of them; `after` says where to go on."""
        games, cursor = open_tables(), request.GET.get("after", "")
        if cursor:
            try:
                games = games.filter(after(games, ORDER, cursor[:500]))
            except ValidationError:
                return refused(request, ServiceError(Code.INVALID))
        found = list(games.order_by("-created_at", "-id")[: A_PAGE + 1])
        onward = written([getattr(found[A_PAGE - 1], name) for name in ORDER]) if len(found) > A_PAGE else None
        viewer = viewer_id(request)
        shown = {"tables": glances(tables_of(found[:A_PAGE]), viewer), "onward": onward, "is_first": not cursor}
        return render(request, "games/tables.html", shown)
