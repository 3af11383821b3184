"""The token and the game of the path, looked up together: what a look at a table or a move would ask for next."""

from rest_framework.request import Request

from games.selectors.snapshot import Snapshot, read_snapshot_and_caller
from players.api.authentication import TokenAuthentication
from players.selectors import Bearer


class TokenAndGame(TokenAuthentication):
    """Knows a person by a token, and keeps the game that was read with it for `snapshot_of`."""

    def look_up(self, request: Request, digest: bytes) -> Bearer | None:
        """Return who holds the token with this digest, if it is a live one."""
        game_id = request.parser_context["kwargs"]["game_id"]
        if game_id is None:  # the path names no id
            return super().look_up(request, digest)
        snapshot, bearer = read_snapshot_and_caller(game_id, digest)
        request._request.snapshot = snapshot  # type: ignore[attr-defined]
        return bearer


def snapshot_of(request: Request) -> Snapshot | None:
    """Return the game that was read with the token, None if there is none, or no token."""
    return getattr(request._request, "snapshot", None)
