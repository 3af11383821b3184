"""A little API of its own, for what every endpoint shares; used as ROOT_URLCONF."""

from typing import Any, ClassVar
from uuid import UUID

import kombu.exceptions
import redis
from django.db import connection, transaction
from django.urls import include, path, re_path
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.forms import Integer, VersionedForm
from callbreak_site.http.models import IdempotencyKey
from callbreak_site.http.views import Endpoint, OpenEndpoint, UnknownPath

HIDDEN = UUID(int=404)
LEFT = UUID(int=403)
acts: list[int] = []


class ActForm(VersionedForm):
    number = Integer(min_value=0, max_value=9)


class Game(Endpoint):
    scopes: ClassVar = {"GET": "games:read", "POST": "games:play", "PUT": "games:play"}
    public_methods = frozenset({"GET"})
    lanes: ClassVar = {"POST": "play"}

    def get(self, request: Request, game_id: UUID) -> Response:
        return Response({"viewer": self.viewer_id, "id": self.find(game_id)})

    def post(self, request: Request, game_id: UUID) -> Response:
        def act(values: dict[str, Any]) -> Response:
            if game_id == HIDDEN:
                raise ServiceError(Code.NOT_FOUND)
            if values["number"] == 9:
                IdempotencyKey.objects.create(
                    player_id=self.caller.player_id, path="/", key="half done", fingerprint=b""
                )
                raise ServiceError(Code.NOT_YOUR_TURN, current={"version": 1})
            acts.append(values["number"])
            return Response({"acts": len(acts), "you": {"hand": ["AS"]}}, status=201)

        return self.write(request, ActForm, act, find=lambda: self.find(game_id))

    def put(self, request: Request, game_id: UUID) -> Response:
        return self.write(request, ActForm, Response, find=lambda: self.find(game_id))

    def find(self, game_id: UUID) -> UUID:
        if game_id == HIDDEN or game_id in hidden:
            raise ServiceError(Code.NOT_FOUND)
        return game_id

    def check_replay(self, found: Any, answer: Any) -> None:
        if found == LEFT and answer["you"]["hand"]:
            raise ServiceError(Code.NOT_SEATED)


class Accident(OpenEndpoint):
    def get(self, request: Request, kind: str) -> Response:
        held_cards = "AS KH"
        with transaction.atomic(), connection.cursor() as cursor:
            match kind:
                case "bug":
                    raise LookupError(held_cards)
                case "constraint":
                    cursor.execute(
                        "INSERT INTO players_player SELECT (p).* FROM (SELECT p FROM players_player p LIMIT 1) q"
                    )
                case "lock":
                    cursor.execute(
                        "SET LOCAL lock_timeout = '50ms'; LOCK TABLE players_player IN ACCESS EXCLUSIVE MODE"
                    )
                case "slow":
                    cursor.execute("SET LOCAL statement_timeout = '50ms'; SELECT pg_sleep(5)")
                case "gone":
                    cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                case "redis":
                    raise redis.ConnectionError("AS")
                case "broker":
                    raise kombu.exceptions.OperationalError("AS")
        return Response({})


hidden: set[UUID] = set()

urlpatterns = [
    path("api/v1/games/<id:game_id>", Game.as_view()),
    path("api/v1/accidents/<str:kind>", Accident.as_view()),
    path("api/v1/", include("players.api.urls")),
    re_path(r"^api(?:/|$)", UnknownPath.as_view()),
]
