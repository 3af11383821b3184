"""Every operation of the router, for everybody: who gets what is written in `permissions.toml`."""

import random
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games.selectors.tables import find_table
from games.services.lobby import Plan, create_game, give_up_seat, take_seat
from games.services.table import resign_seat
from players.models import Player, Token
from players.services.tokens import digest
from players.terms import PERSONS_SCOPES
from tests.contract import Api
from tests.games.api.tables import Someone
from tests.games.tables import four_at_a_table, people, person, play_on, ruleset

pytestmark = pytest.mark.django_db
TABLE = tomllib.loads((Path(__file__).parent / "permissions.toml").read_text())
OPERATIONS: dict[str, dict[str, Any]] = TABLE["operations"]
VISIBILITIES = ("public", "unlisted", "private")
CODES = {
    "suspended": "suspended",
    **dict.fromkeys(["without_scope", "bound", "bound_here", "bound_elsewhere"], "missing_scope"),
}
UNDESCRIBED = "/openapi.json"


def routed(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every address with its view."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routed(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            yield path, pattern.callback


def operations() -> set[str]:
    """Return every method and path below /api/v1 that has a handler."""
    found = set()
    for path, view in routed(get_resolver().url_patterns):
        if path.startswith("api/v1/"):
            address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path.removeprefix("api/v1"))
            methods = {method for method in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, method)}
            found |= {f"{method.upper()} {address}" for method in methods}
    return found


def test_every_operation_is_in_the_table_and_nothing_else() -> None:
    assert operations() == set(OPERATIONS)


class Cast:
    """Everybody who may ask for something of one game, and the game."""

    def __init__(self, visibility: str, game: str, scope: str) -> None:
        self.creator, self.seated, self.former, self.player_elsewhere = (Someone(player=player) for player in people())
        self.game_id = {"open": self.open, "active": self.active, "finished": self.finished}[game](visibility)
        four_at_a_table(players=[self.player_elsewhere.player, *people(3)])
        self.spectator, self.anonymous, self.suspended = Someone(), Api(), Someone(player=person())
        self.without_scope, self.expired = (
            self.again(scopes=sorted({*PERSONS_SCOPES} - {scope})),
            self.again(expires_at=datetime(2020, 1, 1, tzinfo=UTC)),
        )
        self.bound_here, self.bound_elsewhere = self.again(game_id=self.game_id), self.again(game_id="0" * 32)
        self.bound = self.bound_here
        self.revoked = self.again()
        Token.objects.filter(digest=digest(str(self.revoked.token))).delete()
        Player.objects.filter(id=self.suspended.player.id).update(suspended_at=datetime.now(UTC))
        self.person = self.creator

    def again(self, **changes: Any) -> Someone:
        """Return the creator with another token."""
        someone = Someone(player=self.creator.player)
        Token.objects.filter(digest=digest(str(someone.token))).update(**changes)
        return someone

    def open(self, visibility: str) -> str:
        table = create_game(player_id=self.creator.player.id, plan=Plan(ruleset=ruleset(), visibility=visibility))
        for someone in (self.seated, self.former):
            take_seat(game_id=table.id, player_id=someone.player.id, invite=table.invite)
        give_up_seat(game_id=table.id, player_id=self.former.player.id)
        return table.id

    def active(self, visibility: str, rounds: int = 5) -> str:
        sitting = [self.creator.player, self.seated.player, self.former.player, person()]
        table, _ = four_at_a_table(ruleset(rounds=rounds), sitting, visibility=visibility)
        resign_seat(game_id=table.id, player_id=self.former.player.id)
        return table.id

    def finished(self, visibility: str) -> str:
        table = find_table(self.active(visibility, rounds=1), self.creator.player.id)
        return play_on(table, random.Random(1)).id


@pytest.mark.parametrize("operation", OPERATIONS)
def test_everybody_gets_what_the_table_says(operation: str) -> None:
    row = OPERATIONS[operation]
    for visibility in VISIBILITIES if "game" in row else ("any",):
        usual = "games:read" if operation.startswith("GET") else "games:play"
        place = (visibility, row["game"]) if "game" in row else ("public", "open")
        cast = Cast(*place, row.get("scope", usual))
        names = TABLE["anybody"] if visibility == "any" else TABLE["principals"]
        for name, expected in zip(names, row[visibility], strict=True):
            answer = ask(getattr(cast, name), operation, cast, row)
            told = answer.json() if answer.status_code >= 400 else {}
            assert answer.status_code == expected, f"{operation} of a {visibility} game, by {name}: {told}"
            assert told.get("code") in codes(name, expected), f"{operation} of a {visibility} game, by {name}: {told}"


def ask(someone: Api, operation: str, cast: Cast, row: dict[str, Any]) -> Any:
    method, path = operation.split(" ")
    if path == UNDESCRIBED:
        return someone.client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {someone.token}"})
    values = {"game_id": cast.game_id, "seat": "1", "number": "1", "username": cast.seated.name, "token_id": "0" * 32}
    body = None if method == "GET" else {**row.get("body", {}), **({"expected_version": 0} if "game" in row else {})}
    return someone.send(method, path.format_map(values), body)


def codes(name: str, status: int) -> set[str | None]:
    """Return the codes that an answer of *status* may have for this principal."""
    if status == 403:
        return {CODES[name]} if name in CODES else {"not_seated", "not_creator"}
    return {
        200: {None}, 400: {"invalid"}, 401: {"not_authenticated"}, 404: {"not_found"}, 409: {"version_conflict"},
    }[status]  # fmt: skip
