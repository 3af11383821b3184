"""What everybody may see of a player: the record, and the public games."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.pagination import after, written
from callbreak_site.web.acts import refused
from games.presenters.table import Table
from games.selectors.statistics import statistics
from games.selectors.tables import games_of_player, tables_of
from games.web.glance import glance
from games.web.words import RULESETS
from players.selectors import Person, profile

A_PAGE = 20
ORDER = ("created_at", "id")


@method_decorator(never_cache, name="dispatch")
class Profile(View):
    """One player."""

    def get(self, request: HttpRequest, username: str) -> HttpResponse:
        """Show the record and a page of games; `after` says where to go on."""
        cursor = request.GET.get("after", "")
        try:
            person = profile(username)
            games = games_of_player(person.id)
            if cursor:
                games = games.filter(after(games, ORDER, cursor[:500]))
        except ServiceError as refusal:
            return refused(request, refusal)
        except ValidationError:
            return refused(request, ServiceError(Code.INVALID))
        found = list(games.order_by("-created_at", "-id")[: A_PAGE + 1])
        onward = written([getattr(found[A_PAGE - 1], name) for name in ORDER]) if len(found) > A_PAGE else None
        shown = {
            "person": person,
            "is_me": request.user.is_authenticated and request.user.pk == person.id,
            "record": None if cursor else record(person),
            "games": [seen_from_outside(table, person) for table in tables_of(found[:A_PAGE])],
            "onward": onward,
            "is_first": not cursor,
        }
        return render(request, "games/person.html", shown)


def record(person: Person) -> dict[str, Any]:
    """Return what came of somebody's games, in all and by ruleset in words."""
    counts = statistics(person.id)
    by_ruleset = [{**row, "name": RULESETS[row["ruleset"]][0]} for row in counts["by_ruleset"]]
    return {**counts, "by_ruleset": by_ruleset}


def seen_from_outside(table: Table, person: Person) -> dict[str, Any]:
    """Return *table* at a glance: with the place of *person*, but with nobody's own turn."""
    mine = glance(table, person.id)
    return {**mine, "is_my_turn": False, "due": "" if mine["place"] else glance(table, None)["due"]}
