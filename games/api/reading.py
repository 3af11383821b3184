"""What is there to play, and what has happened."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.http.pagination import url_with
from callbreak_site.http.schema import operation
from games.api import forms, record_shapes, shapes
from games.api.endpoints import GameEndpoint, GamesEndpoint
from games.presenters.events import event
from games.rules.ruleset import RULESETS, as_json
from games.selectors.events import events_after


class Rulesets(GamesEndpoint):
    """The published rulesets."""

    @operation("list_rulesets", answers={200: shapes.RulesetList}, tags=["Lobby"])
    def get(self, request: Request) -> Response:
        """Return the rulesets with all their switches; `custom` starts from those of `lite`."""
        return Response({"results": [as_json(ruleset) for ruleset in RULESETS.values()], "next": None})


class Events(GameEndpoint):
    """The events of a game."""

    public_methods: ClassVar = frozenset({"GET"})
    queries: ClassVar = {"GET": forms.EventsQuery}

    @operation("list_events", answers={200: record_shapes.EventList}, tags=["Record"])
    def get(self, request: Request, **_: Any) -> Response:
        """Return every event after a version, in order and without a gap; only `data` differs between viewers."""
        limit = self.query["limit"]
        records = events_after(self.kwargs["game_id"], self.query["after"], limit + 1)
        # Looked up after the events: a start that comes between the two gives the seats other numbers.
        seat = self.find(self.query.get("invite")).seat_of(self.viewer_id)
        shown = [event(record, seat) for record in records[:limit]]
        onward = url_with(request, after=shown[-1]["version"]) if len(records) > limit else None
        return Response({"results": shown, "next": onward})
