"""Where one is signed in, and the keys of one's programs."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from players import selectors
from players.services import tokens, visits
from players.terms import Scope
from players.web.devices import device_in_words
from players.web.forms import SCOPES, TokenForm
from players.web.pages import OwnAct, OwnPage, own
from players.web.visitors import player


@method_decorator([own, never_cache], name="dispatch")
class Visits(View):
    """Where one is signed in."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """List it."""
        seen = selectors.visits(player(request).pk, request.session.session_key)
        rows = [{"visit": visit, "device": device_in_words(visit.user_agent)} for visit in seen]
        return render(request, "players/visits.html", {"rows": rows, "has_others": any(not v.is_here for v in seen)})


class VisitsAct(OwnAct):
    """A button of that page."""

    def back(self) -> str:
        """Return that page."""
        return reverse("account-visits")


class EndVisit(VisitsAct):
    """One of them ends."""

    def act(self, request: HttpRequest) -> str:
        """End it."""
        visits.end_visit(player_id=player(request).pk, visit_id=self.kwargs["visit_id"])
        return self.back()


class EndVisits(VisitsAct):
    """All end but this one."""

    def act(self, request: HttpRequest) -> str:
        """End them."""
        visits.end_visits(player_id=player(request).pk, but=request.session.session_key)
        return self.back()


class Tokens(OwnPage):
    """The keys of one's programs, and a new one."""

    form = TokenForm
    template = "players/tokens.html"

    def told(self) -> dict[str, Any]:
        """Return the keys that there are."""
        kept = selectors.tokens(self.me.pk).order_by("-created_at", "-id")
        issued = [selectors.as_issued(token) for token in kept]
        return {"rows": [{"token": token, "may": scopes_in_words(token.scopes)} for token in issued]}

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Make one, and show its text this once."""
        made = tokens.create_own_token(
            player_id=self.me.pk,
            seen=self.me.password,
            name=values["name"],
            scopes=values["scopes"],
            expires_in_seconds=int(values["days"]) * 86_400 if values["days"] else None,
        )
        return render(self.request, self.template, {"form": TokenForm(), "made": made, **self.told()})


class RevokeToken(OwnAct):
    """A key opens nothing any more."""

    def back(self) -> str:
        """Return the page of the keys."""
        return reverse("account-tokens")

    def act(self, request: HttpRequest) -> str:
        """Revoke it."""
        tokens.revoke_token(player_id=player(request).pk, token_id=self.kwargs["token_id"])
        return self.back()


def scopes_in_words(scopes: list[str]) -> str:
    """Return what a key may do.

    >>> scopes_in_words(["games:read", "bot:play"])
    'see my games, bot:play'
    """
    return ", ".join(str(SCOPES.get(Scope(scope), scope)) for scope in scopes)
