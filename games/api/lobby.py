"""Before a game starts: reserve, create, find, join, leave, fill with bots, start, cancel."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.forms import VersionedForm
from callbreak_site.http.pagination import page
from callbreak_site.http.schema import operation
from games.api import examples, forms, shapes
from games.api.endpoints import GameEndpoint, GamesEndpoint, TableEndpoint
from games.api.etags import ETAG, IF_NONE_MATCH, NOT_MODIFIED, state_or_not_modified
from games.api.record_shapes import Reserved
from games.presenters.fairness import promise
from games.presenters.state import summary
from games.presenters.table import Table
from games.selectors.tables import games_listed, tables_of, visible_table
from games.services import lobby
from games.services.reservations import reserve_game

TAGS = ["Lobby"]
NOT_OPEN = (Code.ALREADY_STARTED, Code.GAME_NOT_OPEN, Code.VERSION_CONFLICT)
NOT_ANY_MORE = (Code.NOT_SEATED,)  # an answer with a hand is not given again to who has left the seat


class Reservations(GamesEndpoint):
    """Games to come."""

    @operation("reserve_game", form=forms.RulesetForm, answers={201: Reserved}, tags=TAGS)
    def post(self, request: Request) -> Response:
        """Keep an id for an hour and show its game's commitments, before the creator's own seed is known."""
        return self.write(request, forms.RulesetForm, self.reserve)

    def reserve(self, values: dict[str, Any]) -> Response:
        """Draw the secrets."""
        made = reserve_game(player_id=self.caller.player_id, ruleset=values["ruleset"])
        return Response(
            {"reservation": made.reservation, "game_id": made.game_id, "fairness": promise(made.game_id, made.secrets)},
            201,
        )


class Games(GamesEndpoint):
    """The lobby."""

    queries: ClassVar = {"GET": forms.GamesQuery}

    @operation("list_games", answers={200: shapes.SummaryPage}, tags=TAGS)
    def get(self, request: Request) -> Response:
        """Return the public games, or one's own with `mine=true`, newest first."""
        asked = self.query
        games = games_listed(
            viewer_id=self.caller.player_id,
            status=asked.get("status"),
            is_mine=asked["mine"],
            ruleset=asked.get("ruleset"),
        )
        return Response(page(request, games, asked, order=("created_at", "id"), show=summaries))

    @operation(
        "create_game",
        form=forms.CreateForm,
        answers={201: shapes.State},
        refuses=(Code.NOT_AVAILABLE, Code.INVALID_RESERVATION, *NOT_ANY_MORE),
        tags=TAGS,
        examples=examples.CREATE,
    )
    def post(self, request: Request) -> Response:
        """Make a game and take place 0 of it; with three bots it starts at once."""
        return self.write(request, forms.CreateForm, self.create)

    def create(self, values: dict[str, Any]) -> Response:
        """Make the game."""
        if values["rated"]:
            raise ServiceError(Code.NOT_AVAILABLE, "There are no ratings yet.")
        return self.state(lobby.create_game(player_id=self.caller.player_id, plan=plan_of(values)), 201)


class Game(TableEndpoint):
    """One game."""

    public_methods: ClassVar = frozenset({"GET"})
    queries: ClassVar = {"GET": forms.InviteQuery}

    @operation(
        "show_game",
        answers={200: shapes.State, 304: NOT_MODIFIED},
        parameters=[IF_NONE_MATCH, ETAG],
        tags=["Table"],
    )
    def get(self, request: Request, **_: Any) -> Response:
        """Return the game as the caller may see it; anybody may look at a public one, without any hand."""
        return state_or_not_modified(request, self.table(self.query.get("invite")), self.viewer_id)

    def table(self, invite: str | None) -> Table:
        """Return the game, as it was read with the token if one was sent."""
        return visible_table(self.seen, self.viewer_id, invite) if self.caller_or_none else self.find(invite)

    @operation(
        "cancel_game",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(Code.NOT_CREATOR, *NOT_OPEN),
        tags=TAGS,
    )
    def delete(self, request: Request, **_: Any) -> Response:
        """Cancel an open game, as its creator."""
        return self.write(request, VersionedForm, self.cancel, self.find)

    def cancel(self, values: dict[str, Any]) -> Response:
        """Cancel it."""
        return self.state(lobby.cancel_game(game_id=self.game_id, player_id=self.caller.player_id, **values))


class Seats(GameEndpoint):
    """The four places of a game."""

    @operation(
        "take_seat",
        form=forms.SeatForm,
        answers={200: shapes.State},
        refuses=(*NOT_OPEN, Code.ALREADY_SEATED, Code.GAME_FULL, Code.SEAT_TAKEN, *NOT_ANY_MORE),
        tags=TAGS,
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Take a place; the fourth to be taken starts the game. A private game is 404 without its invite."""
        return self.write(request, forms.SeatForm, self.take, lambda: self.find(invite_in(request)))

    def take(self, values: dict[str, Any]) -> Response:
        """Take it."""
        values = {**values, "client_seed": seed_in(values)}
        return self.state(lobby.take_seat(game_id=self.game_id, player_id=self.caller.player_id, **values))


class MySeat(GameEndpoint):
    """One's own place."""

    @operation(
        "give_up_seat",
        form=VersionedForm,
        answers={200: shapes.State, 204: None},
        refuses=(Code.NOT_SEATED, *NOT_OPEN),
        tags=TAGS,
    )
    def delete(self, request: Request, **_: Any) -> Response:
        """Give up one's place before the start; 204 when the game can't be seen any more."""
        return self.write(request, VersionedForm, self.give_up, self.find)

    def give_up(self, values: dict[str, Any]) -> Response:
        """Give it up."""
        return self.state(lobby.give_up_seat(game_id=self.game_id, player_id=self.caller.player_id, **values))


class OneSeat(GameEndpoint):
    """Somebody's place."""

    @operation(
        "free_seat",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(Code.NOT_CREATOR, *NOT_OPEN),
        tags=TAGS,
    )
    def delete(self, request: Request, seat: int, **_: Any) -> Response:
        """Free a place before the start, as the creator; 404 when nobody has taken it."""
        return self.write(request, VersionedForm, self.free, self.find)

    def free(self, values: dict[str, Any]) -> Response:
        """Free it."""
        freed = lobby.free_seat(
            game_id=self.game_id, player_id=self.caller.player_id, seat=self.kwargs["seat"], **values
        )
        return self.state(freed)


class Bots(GameEndpoint):
    """Bots at a table."""

    @operation(
        "seat_bot",
        form=forms.BotForm,
        answers={200: shapes.State},
        refuses=(Code.NOT_CREATOR, *NOT_OPEN, Code.GAME_FULL, Code.SEAT_TAKEN, *NOT_ANY_MORE),
        tags=TAGS,
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Fill a place with a bot, as the creator; the fourth to be taken starts the game."""
        return self.write(request, forms.BotForm, self.seat, self.find)

    def seat(self, values: dict[str, Any]) -> Response:
        """Seat it."""
        return self.state(lobby.seat_bot(game_id=self.game_id, player_id=self.caller.player_id, **values))


class Start(GameEndpoint):
    """The start of a game."""

    @operation(
        "start_game",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(Code.NOT_CREATOR, *NOT_OPEN, *NOT_ANY_MORE),
        tags=TAGS,
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Start, as the creator; bots of level `fill_with` take the empty places."""
        return self.write(request, VersionedForm, self.start, self.find)

    def start(self, values: dict[str, Any]) -> Response:
        """Start it."""
        return self.state(lobby.start_game(game_id=self.game_id, player_id=self.caller.player_id, **values))


def summaries(games: list[Any]) -> list[dict[str, Any]]:
    """Return *games* at a glance."""
    return [summary(table) for table in tables_of(games)]


def plan_of(values: dict[str, Any]) -> lobby.Plan:
    """Return the plan that the fields of a creation are."""
    return lobby.Plan(
        ruleset=values["ruleset"],
        clock=lobby.Clock(values["time_control"]["kind"], values["time_control"]["per_turn"]),
        visibility=values["visibility"],
        bots=values["bots"],
        fill_with=values["fill_with"],
        reservation=values.get("reservation"),
        client_seed=seed_in(values),
    )


def seed_in(values: dict[str, Any]) -> bytes | None:
    """Return the 32 bytes that were sent, if any.

    >>> seed_in({"client_seed": "0a" * 32}) == bytes([10] * 32), seed_in({})
    (True, None)
    """
    return bytes.fromhex(values["client_seed"]) if "client_seed" in values else None


def invite_in(request: Request) -> Any:
    """Return the invite of a body that may be no good otherwise."""
    return request.data.get("invite") if isinstance(request.data, dict) else None
