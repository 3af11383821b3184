"""Games of one person: those that wait, those that were played, and what came of them."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from callbreak_site.http.pagination import PageQuery, page, read, url_with, written
from callbreak_site.http.schema import operation
from games.api import record_shapes, shapes
from games.api.endpoints import GamesEndpoint
from games.api.lobby import summaries
from games.presenters.state import turn
from games.presenters.table import Table
from games.selectors.statistics import statistics
from games.selectors.tables import games_of_player, tables_of
from games.selectors.turns import Mark, turns_of
from players.selectors import profile


class MyTurns(GamesEndpoint):
    """Games that wait for the caller."""

    queries: ClassVar = {"GET": PageQuery}

    @operation("list_my_turns", answers={200: record_shapes.WaitingTurns}, tags=["Table"])
    def get(self, request: Request) -> Response:
        """Return the games in which it is the caller's turn, most urgent first, untimed last."""
        limit = self.query["limit"]
        waiting = turns_of(self.caller.player_id)
        games = list(turns_of(self.caller.player_id, after=mark_in(self.query))[: limit + 1])
        onward = url_with(request, cursor=cursor_at(games[limit - 1])) if len(games) > limit else None
        mine = [table for table in tables_of(games[:limit]) if is_turn_of(table, self.caller.player_id)]
        shown = [waiting_turn(request, table) for table in mine]
        return Response({"results": shown, "next": onward, "count": waiting.count()})


class PlayersEndpoint(GamesEndpoint):
    """An address below one player."""

    def read_query(self, request: Request) -> dict[str, Any]:
        """Return the checked query string, which is wrong only where there is such a player."""
        try:
            return super().read_query(request)
        except APIException:
            profile(self.kwargs["username"])
            raise


class GamesOfPlayer(PlayersEndpoint):
    """A player's public games."""

    queries: ClassVar = {"GET": PageQuery}

    @operation("list_games_of_player", answers={200: shapes.SummaryPage}, tags=["Record"])
    def get(self, request: Request, username: str) -> Response:
        """Return the public games in which a player holds a seat, newest first."""
        games = games_of_player(profile(username).id)
        return Response(page(request, games, self.query, order=("created_at", "id"), show=summaries))


class Stats(PlayersEndpoint):
    """What came of a player's games."""

    @operation("show_statistics", answers={200: record_shapes.Statistics}, tags=["Record"])
    def get(self, request: Request, username: str) -> Response:
        """Return what came of the public games that a player finished."""
        person = profile(username)
        return Response({"player": person.username, **statistics(person.id)})


def is_turn_of(table: Table, player_id: UUID) -> bool:
    """Tell whether the game still waits for the player: it may have gone on since it was looked for."""
    due = turn(table)
    return due is not None and due["seat"] == table.seat_of(player_id)


def waiting_turn(request: Request, table: Any) -> dict[str, Any]:
    """Return what the caller has to do in a game, and by when."""
    due = turn(table) or {}
    link = reverse("api-game", kwargs={"game_id": UUID(table.id)}, request=request)
    return {"game": table.id, "url": link, **{name: due[name] for name in ("action", "deadline", "seconds_left")}}


def mark_in(query: dict[str, Any]) -> Mark | None:
    """Return after which turn to go on; raises ValidationError for a cursor that is not one."""
    if "cursor" not in query:
        return None
    try:
        ends_at, game_id = read(query["cursor"])
        return Mark(None if ends_at == "never" else datetime.fromisoformat(ends_at), UUID(game_id))
    except ValueError:
        raise ValidationError({"cursor": ["Must come from the `next` of a page."]}) from None


def cursor_at(game: Any) -> str:
    """Return the cursor that goes on after *game*."""
    return written([game.turn_ends_at or "never", game.id])
