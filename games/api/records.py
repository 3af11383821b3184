"""The record of a game: its rounds, their proofs, and all of it once finished."""

from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.rendering import JSONRenderer
from callbreak_site.http.schema import operation
from games.api import forms, record_shapes
from games.api.endpoints import GameEndpoint
from games.presenters.rounds import round_in_full
from games.presenters.table import Table
from games.selectors.exports import whole_record, written_record
from games.selectors.proofs import fairness_of, proof_of
from games.selectors.rounds import round_record

TAGS = ["Record"]
FOR_EVER = "public, max-age=31536000, immutable"


class RecordEndpoint(GameEndpoint):
    """Something of a game's record that anybody may read of a public one."""

    public_methods: ClassVar = frozenset({"GET"})
    queries: ClassVar = {"GET": forms.InviteQuery}

    def lasting(self, game: Table, body: dict[str, Any], *, is_final: bool) -> Response:
        """Answer with *body*, which caches may keep if it *is_final* and the same for everybody."""
        keeps = is_final and game.visibility == "public"
        return Response(body, headers={"Cache-Control": FOR_EVER} if keeps else None)


class Round(RecordEndpoint):
    """One round."""

    @operation("show_round", answers={200: record_shapes.Round}, tags=TAGS)
    def get(self, request: Request, number: int, **_: Any) -> Response:
        """Return a round in full; other people's hands are null until it is over."""
        record = round_record(self.kwargs["game_id"], number)
        # Looked up after the round: whoever leaves between the two has no hand to see any more.
        game = self.find(self.query.get("invite"))
        if record is None:
            raise NotFound
        return self.lasting(game, round_in_full(record, game.seat_of(self.viewer_id)), is_final=record.is_finished)


class Proof(RecordEndpoint):
    """The proof of one deal."""

    @operation("show_proof", answers={200: record_shapes.Proof}, tags=TAGS)
    def get(self, request: Request, number: int, **_: Any) -> Response:
        """Return what a verifier of a deal needs; 0 is the draw for seats, or for the first dealer."""
        game = self.find(self.query.get("invite"))
        proof = proof_of(self.kwargs["game_id"], number)
        if proof is None:
            raise NotFound
        return self.lasting(game, proof, is_final=proof["server_seed"] is not None)


class Fairness(RecordEndpoint):
    """What was promised before the first card."""

    @operation("show_fairness", answers={200: record_shapes.Fairness}, tags=TAGS)
    def get(self, request: Request, **_: Any) -> Response:
        """Return the commitments to every deal, and the seats' own seeds once the game has started."""
        return Response(fairness_of(self.find(self.query.get("invite"))))


class PlainText(JSONRenderer):
    """Lets a client ask for text; refusals are problems all the same."""

    media_type = "text/plain"
    format = "text"


class Export(GameEndpoint):
    """The whole record."""

    queries: ClassVar = {"GET": forms.ExportQuery}
    renderer_classes = (JSONRenderer, PlainText)  # type: ignore[assignment]

    @operation(
        "export_game",
        answers={200: record_shapes.Export, (200, "text/plain"): str},
        refuses=(Code.GAME_NOT_FINISHED,),
        tags=TAGS,
    )
    def get(self, request: Request, **_: Any) -> Response | HttpResponse:
        """Return the whole record of a finished game, as JSON or as text for people that programs can read back."""
        game = self.find()
        if game.status != "finished":
            raise ServiceError(Code.GAME_NOT_FINISHED, f"The game is {game.status}.")
        if self.query["format"] == "text":
            return HttpResponse(written_record(game), content_type="text/plain; charset=utf-8")
        return Response(whole_record(game))
