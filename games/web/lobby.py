"""Before a game starts: play now, make a table, find one, take a place, fill, start or cancel."""

import uuid
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import throttles
from callbreak_site.http.problems import status_of
from callbreak_site.web.acts import Act
from callbreak_site.web.refusals import in_words
from games.presenters.fairness import promise
from games.presenters.table import Table
from games.selectors.proofs import fairness_of
from games.selectors.reserved import game_reserved
from games.services import lobby
from games.services.reservations import Reserved, reserve_game
from games.web.forms import BotForm, NewTableForm, PlaceForm, QuickForm
from games.web.table import TableAct
from games.web.visiting import seen_table
from players.services.preferences import change_preferences
from players.web.visitors import done_by, player, viewer_id


def created(request: HttpRequest, plan: lobby.Plan) -> str:
    """Make the game of *plan* and return its page; the second sending of a form leads to the game of the first.

    A reservation that is no good any more is done without, and so is the creator's own seed then.
    """

    def make(player_id: uuid.UUID) -> Table:
        throttles.spend("write", player_id.hex)
        return lobby.create_game(player_id=player_id, plan=plan)

    viewer = viewer_id(request)
    if plan.reservation and viewer and (made := game_reserved(reservation=plan.reservation, player_id=viewer)):
        return reverse("game", args=[made])
    try:
        return reverse("game", args=[done_by(request, make).id])
    except ServiceError as refusal:
        if refusal.code != Code.INVALID_RESERVATION:
            raise
    return created(request, replace(plan, reservation=None, client_seed=None))


class PlayNow(Act):
    """A game with three bots, for anybody, at once."""

    def act(self, request: HttpRequest) -> str:
        """Make it and remember what was chosen."""
        asked = QuickForm(request.POST)
        if not asked.is_valid():
            raise ServiceError(Code.INVALID)
        page = created(request, asked.plan)
        chosen = {"quick_ruleset": asked.cleaned_data["ruleset"], "quick_level": asked.cleaned_data["level"]}
        person: Any = request.user
        if any(getattr(person, name) != value for name, value in chosen.items()):
            change_preferences(player_id=person.pk, **chosen)
        return page


@method_decorator(never_cache, name="dispatch")
class NewTable(View):
    """The form for a table of one's own."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show it."""
        return self.show(request, NewTableForm(initial={"ruleset": getattr(request.user, "quick_ruleset", "lite")}))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make the table, or show what is wrong beside each field."""
        asked = NewTableForm(request.POST)
        if not asked.is_valid():
            return self.show(request, asked, status_of(Code.INVALID))
        try:
            return redirect(created(request, asked.plan))
        except ServiceError as refusal:
            asked.add_error(None, in_words(refusal))
            return self.show(request, asked, status_of(refusal.code))

    def show(self, request: HttpRequest, form: NewTableForm, status: int = 200) -> HttpResponse:
        """Return the page with *form*."""
        is_open = any(field.errors or field.value() for field in form.switches if field.name != "forced_cards")
        return render(request, "games/new_table.html", {"form": form, "is_open": is_open}, status=status)


class Reserve(View):
    """For a script: what a game will be dealt from, in hashes, before the player's own randomness is made."""

    http_method_names = ("post", "options")
    form: type[forms.Form] = NewTableForm

    def post(self, request: HttpRequest) -> HttpResponse:
        """Reserve a game by the rules of the form; answers a new token for it, which signing in may have made void."""
        asked: Any = self.form(request.POST)
        if not asked.is_valid():
            return JsonResponse({"code": Code.INVALID}, status=status_of(Code.INVALID))

        def reserve(player_id: uuid.UUID) -> Reserved:
            throttles.spend("write", player_id.hex)
            return reserve_game(player_id=player_id, ruleset=asked.rules)

        try:
            made = done_by(request, reserve)
        except ServiceError as refusal:
            return JsonResponse({"code": refusal.code}, status=status_of(refusal.code))
        told = {"reservation": made.reservation, "token": get_token(request)}
        return JsonResponse(told | commitments(promise(made.game_id, made.secrets)))


@method_decorator(never_cache, name="dispatch")
class Commitments(View):
    """For a script: what a game is dealt from, in hashes, before one brings one's own randomness."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Return them to who may see the game."""
        try:
            table = seen_table(request, game_id)
        except ServiceError as refusal:
            return JsonResponse({"code": refusal.code}, status=status_of(refusal.code))
        return JsonResponse(commitments(fairness_of(table)))


def commitments(told: dict[str, Any]) -> dict[str, Any]:
    """Return the id of a game and the hashes of its secrets, the draw's first.

    >>> commitments({"game_id": "00", "commitments": [{"round": 0, "hash": "ab"}], "scheme": "callbreak-deal/1"})
    {'game_id': '00', 'commitments': ['ab']}
    """
    return {"game_id": told["game_id"], "commitments": [each["hash"] for each in told["commitments"]]}


class Join(TableAct):
    """Taking a place."""

    def act(self, request: HttpRequest) -> str:
        """Sit down, as a guest if nobody is signed in; who sits there already has what he wants."""
        asked = PlaceForm(request.POST)
        if not asked.is_valid():
            raise ServiceError(Code.INVALID)
        place = {"seat": asked.cleaned_data["seat"], "invite": asked.cleaned_data["invite"], "client_seed": asked.seed}

        def sit_down(player_id: uuid.UUID) -> Table:
            throttles.spend("write", player_id.hex)
            return lobby.take_seat(game_id=self.game_id, player_id=player_id, **place)

        try:
            done_by(request, sit_down)
        except ServiceError as refusal:
            if refusal.code != Code.ALREADY_SEATED:
                raise
        return reverse("game", args=[self.game_id])

    def back(self) -> str:
        """Return the page of the table, with the invite that opens it."""
        invite = PlaceForm(self.request.POST)["invite"].value()
        return reverse("game", args=[self.game_id], query={"invite": invite} if invite else None)


class Leave(TableAct):
    """Giving up one's place before the start."""

    def act(self, request: HttpRequest) -> str:
        """Leave, and go to where the other tables are: this one may not be seen any more."""
        lobby.give_up_seat(game_id=self.game_id, player_id=player(request).pk)
        messages.info(request, _("You have left the table."))
        return reverse("home")


class Start(TableAct):
    """The start, with bots on the empty places."""

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Start, as the creator."""
        return lobby.start_game(game_id=self.game_id, player_id=player_id)


class Fill(TableAct):
    """A bot on an empty place."""

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Seat it, as the creator."""
        asked = BotForm(request.POST)
        if not asked.is_valid():
            raise ServiceError(Code.INVALID)
        return lobby.seat_bot(game_id=self.game_id, player_id=player_id, **asked.cleaned_data)


class Free(TableAct):
    """Taking somebody's place away."""

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Free it, as the creator."""
        asked = PlaceForm(request.POST)
        if not asked.is_valid() or asked.cleaned_data["seat"] is None:
            raise ServiceError(Code.INVALID)
        return lobby.free_seat(game_id=self.game_id, player_id=player_id, seat=asked.cleaned_data["seat"])


class Cancel(TableAct):
    """Giving up the whole table."""

    def act(self, request: HttpRequest) -> str:
        """Cancel it, as the creator."""
        lobby.cancel_game(game_id=self.game_id, player_id=player(request).pk)
        messages.info(request, _("The table is cancelled."))
        return reverse("home")
