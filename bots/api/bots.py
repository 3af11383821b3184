"""Which house bots there are."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.engine import LEVELS
from callbreak_site.http.schema import operation
from callbreak_site.http.views import Endpoint
from players.terms import Scope


class Bot(serializers.Serializer[Any]):
    """A level of play."""

    level = serializers.ChoiceField(choices=list(LEVELS), help_text="What `bots` and `level` take.")
    name = serializers.CharField(help_text="What its seats show as `player`.")
    description = serializers.CharField()


class BotList(serializers.Serializer[Any]):
    """The house bots, the weakest first."""

    results = Bot(many=True)
    next = serializers.URLField(allow_null=True)


class Bots(Endpoint):
    """The house bots."""

    scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @operation("list_bots", answers={200: BotList}, tags=["Lobby"])
    def get(self, request: Request) -> Response:
        """List the levels that may be seated."""
        offered = [
            {"level": level, "name": playing.name, "description": playing.description}
            for level, playing in LEVELS.items()
        ]
        return Response({"results": offered, "next": None})
