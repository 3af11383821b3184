"""What the addresses of games have in common."""

from typing import Any, ClassVar

from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.views import Endpoint
from games.presenters.state import game_state
from games.presenters.table import Table
from games.selectors.snapshot import Snapshot, read_snapshot_and_caller
from games.selectors.tables import find_table, may_see
from games.services.actors import Person
from players import selectors


class GamesEndpoint(Endpoint):
    """An address that answers about games."""

    scopes: ClassVar = {"GET": "games:read", **dict.fromkeys(["POST", "PUT", "DELETE"], "games:play")}

    @property
    def by(self) -> Person:
        """Return who acts."""
        return Person(self.caller.player_id)

    def state(self, table: Table, status: int = 200) -> Response:
        """Answer with the state for the caller, or with nothing if the act took the right to see it away."""
        if not may_see(table, self.caller.player_id):
            return Response(status=204)
        return Response(game_state(table, self.caller.player_id), status=status)

    def check_replay(self, found: Any, answer: Any) -> None:
        """Object to telling of a game to who may not see it any more, or a hand to who has left its seat."""
        if not answer or "you" not in answer:
            return
        seat = find_table(answer["id"], self.viewer_id).seat_of(self.viewer_id)
        if seat is None and (answer["you"] or {}).get("hand"):
            raise ServiceError(Code.NOT_SEATED, "You hold no seat in this game any more.")


class GameEndpoint(GamesEndpoint):
    """An address below one game: 404 to who may not see it, before anything is said of the request."""

    @property
    def game_id(self) -> str:
        """Return the id that the path names."""
        return str(self.kwargs["game_id"].hex)

    def find(self, invite: Any = None) -> Table:
        """Return the game of the path; raises NOT_FOUND, or NOT_AUTHENTICATED to a stranger."""
        return find_table(self.game_id, self.viewer_id, invite if isinstance(invite, str) else None)

    def read_query(self, request: Request) -> dict[str, Any]:
        """Return the checked query string, which is wrong only in a game that the caller may see."""
        try:
            return super().read_query(request)
        except APIException:
            self.find(request.query_params.get("invite"))
            raise


class TableEndpoint(GameEndpoint):
    """An address that shows or changes a table: the game is read in the statement that looks the token up."""

    seen: Snapshot | None = None
    """The game, if there is one and a token was sent."""

    def look_up_bearer(self, digest: bytes) -> selectors.Bearer | None:
        """Return who holds the token with this digest, if it is a live one."""
        game_id = self.kwargs["game_id"]
        if game_id is None:  # the path names no id
            return selectors.bearer(digest)
        self.seen, bearer = read_snapshot_and_caller(game_id, digest)
        return bearer
