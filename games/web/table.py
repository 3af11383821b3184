"""The page of one game, and everything that is done at the table."""

import uuid
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.problems import status_of
from callbreak_site.web.acts import Act, is_script
from games.presenters.events import event
from games.presenters.table import Table
from games.rules.cards import NAMES, card
from games.rules.trick import Rule
from games.selectors.events import events_after
from games.selectors.tables import find_table
from games.services import table as services
from games.services.actors import Person
from games.services.rematch import rematch_game
from games.web.scene import scene
from games.web.telling import missed_in_words, words
from games.web.visiting import invite_of, not_seen, seen_table
from games.web.waiting import waiting_room
from games.web.words import card_in_words, rule_in_words
from players.web.visitors import player, viewer_id

NEWS = 200


@method_decorator(never_cache, name="dispatch")
class GamePage(View):
    """The whole page: the waiting room while the game is open, the table afterwards."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show the game to who may see it."""
        try:
            table = seen_table(request, game_id)
        except ServiceError as refusal:
            return not_seen(request, refusal)
        shown = scene(table, viewer_id(request)) | {"invite": invite_of(request), "words": words()}
        if table.status == "open":
            return render(request, "games/waiting.html", shown | waiting_room(request, table))
        return render(request, "games/table.html", shown)


@method_decorator(never_cache, name="dispatch")
class Fragment(View):
    """The table alone, to put in the place of an older one."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show it; 304 if the game is still at the version that the page has."""
        try:
            table = find_table(game_id, viewer_id(request))
        except ServiceError as refusal:
            return HttpResponse(status=status_of(refusal.code))
        if request.GET.get("version") == str(table.version):
            return HttpResponseNotModified()
        return render(request, "games/_table.html", scene(table, viewer_id(request)))


@method_decorator(never_cache, name="dispatch")
class News(View):
    """What happened after a version, for pages that no stream reaches, and to play back what one missed."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Return the events as the viewer may know them."""
        after = request.GET.get("after", "0")
        try:
            table = find_table(game_id, viewer_id(request))
        except ServiceError as refusal:
            return JsonResponse({"code": refusal.code}, status=status_of(refusal.code))
        version = int(after) if after.isdecimal() and len(after) < 10 else 0
        seat = table.seat_of(viewer_id(request))
        told = [event(record, seat) for record in events_after(uuid.UUID(table.id), version, NEWS)]
        tricks = sum(each["type"] == "trick.won" for each in told)
        return JsonResponse({"version": table.version, "events": told, "missed": missed_in_words(tricks)})


class TableAct(Act):
    """Something that is done at one table."""

    @cached_property
    def game_id(self) -> str:
        """Return the id that the path names."""
        return str(self.kwargs["game_id"])

    def back(self) -> str:
        """Return the page of the table."""
        return reverse("game", args=[self.game_id])

    def act(self, request: HttpRequest) -> str:
        """Do it, for who is signed in."""
        self.do(request, player(request).pk)
        return self.back()

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table | None:
        """Do it."""
        raise NotImplementedError


class Bid(TableAct):
    """A call."""

    lane = "play"

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Place it."""
        text = request.POST.get("bid", "")
        if not text.isdecimal() or len(text) > 2:
            raise ServiceError(Code.ILLEGAL_BID)
        return services.place_bid(game_id=self.game_id, by=Person(player_id), bid=int(text))


class Play(TableAct):
    """A card; who wants to confirm each is asked by a script, or by a page of its own."""

    lane = "play"

    def post(self, request: HttpRequest, **_: Any) -> HttpResponse:
        """Ask first, if there is no script that has."""
        is_asked = is_script(request) or request.POST.get("confirmed") == "yes"
        text = request.POST.get("card", "")
        if is_asked or text not in NAMES or not getattr(request.user, "confirms_plays", False):
            return super().post(request)
        shown = {"game_id": self.game_id, "card": text, "label": card_in_words(card(text))}
        return render(request, "games/confirm.html", shown)

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Put it down."""
        text = request.POST.get("card", "")
        if text not in NAMES:
            raise ServiceError(Code.CARD_NOT_HELD)
        return services.play_card(game_id=self.game_id, by=Person(player_id), card=card(text))

    def words_for(self, refusal: ServiceError) -> str:
        """Name the card that has to be beaten, if that is the rule."""
        if refusal.code == Code.ILLEGAL_PLAY:
            state = find_table(self.game_id, viewer_id(self.request)).state
            if state and state.trick.cards:
                return rule_in_words(Rule(refusal.extra["rule"]), state.trick)
        return super().words_for(refusal)


class Resign(TableAct):
    """Leaving a running game for good."""

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Leave; a bot takes the seat."""
        return services.resign_seat(game_id=self.game_id, player_id=player_id)


class Vote(TableAct):
    """Agreeing to finish an open-ended game, or no longer."""

    def do(self, request: HttpRequest, player_id: uuid.UUID) -> Table:
        """Vote."""
        wants = request.POST.get("wants_to_finish") == "yes"
        return services.vote_to_finish(game_id=self.game_id, player_id=player_id, wants_to_finish=wants)


class Rematch(TableAct):
    """The same table again."""

    def act(self, request: HttpRequest) -> str:
        """Make it, or sit down at it, and go there."""
        table = rematch_game(game_id=self.game_id, player_id=player(request).pk)
        return reverse("game", args=[table.id])
