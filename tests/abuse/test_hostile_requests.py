"""No text anywhere in any request makes an accident: it is refused by name, or taken as it is."""

import doctest
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

import pytest

from tests.abuse.hostile import TEXTS, VALUES, WHOLE_BODIES
from tests.abuse.operations import Operation, escaped, in_a_header, operations, places, with_at
from tests.contract import PREFIX, Api
from tests.games.api.tables import Someone, alone, good

pytestmark = pytest.mark.django_db
OPERATIONS = operations()
HEADERS = """
    Authorization Accept Accept-Encoding Accept-Language Content-Type Content-Encoding Cookie Forwarded
    Idempotency-Key If-Match If-Modified-Since If-None-Match Last-Event-ID Origin Range Referer User-Agent
    X-CSRFToken X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override X-Real-IP X-Request-ID
""".split()
METHODS = ["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "POST\t", "X" * 5_000, "ＧＥＴ", "<b>", "*"]


@dataclass(frozen=True)
class Case:
    """One strange request: what is strange about it, and how it is sent where not as usual."""

    what: str
    body: Any
    path: str = ""
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    is_refused: bool = False


class World:
    """Somebody with an open game and one that is being played."""

    def __init__(self) -> None:
        self.open_id, self.someone = "", Someone()
        self.active_id, self.player = alone()
        self.open_id = self.someone.create()["id"]

    def values(self, game_id: str) -> dict[str, str]:
        """Return what stands in a path."""
        return {"game_id": game_id, "username": self.someone.name, "seat": "1", "number": "1", "token_id": "0" * 32}

    def places(self, asked: Operation) -> Iterator[tuple[Api, str]]:
        """Yield for ever who asks, with an address that is right; of the two games each in its turn."""
        games = [(self.player, self.active_id), (self.someone, self.open_id)]
        rest = dict.fromkeys(asked.parts, "x")
        return cycle([(who, asked.at(**{**rest, **self.values(game_id)})) for who, game_id in games])


def some(of: dict[str, Any], share: int, asked: Operation, more: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield one in *share* of the texts: others for each operation, so that all come up."""
    return islice(of.items(), (OPERATIONS.index(asked) + more) % share, None, share)


def check(asked: Operation, answer: Any, what: str) -> None:
    """Fail unless the answer is one that the operation foresees (the client has looked), and no accident."""
    assert answer.status_code < 500, f"{asked} with {what}: {answer.status_code} {answer.content[:300]!r}"
    for name, value in answer.headers.items():
        assert not set("\r\n\0") & set(name + value), f"{asked} with {what}: header {name}"
    assert "forged" not in str(answer.cookies)


def test_the_examples_of_what_finds_the_operations_are_right() -> None:
    assert doctest.testmod(sys.modules[operations.__module__]).failed == 0


def test_there_is_something_to_ask() -> None:
    assert len(OPERATIONS) > 30
    assert sum(1 for asked in OPERATIONS if asked.form) > 15
    assert {str(asked) for asked in OPERATIONS} >= {"POST /games/{game_id}/plays", "POST /sessions", "DELETE /me"}


def strange_parts(asked: Operation, world: World) -> Iterator[Case]:
    """Put something else for each part of the path."""
    for number, name in enumerate(asked.parts):
        for what, hostile in some(TEXTS, 2, asked, number):
            if hostile:
                path = asked.at(**{**world.values(world.open_id), name: hostile})
                yield Case(f"{what} as {name}", asked.body, path=path, is_refused=True)


def strange_queries(asked: Operation, world: World) -> Iterator[Case]:
    """Ask for something with each parameter, with one that is none, and with what is no query."""
    for number, name in enumerate(asked.names_in("query")):
        for what, hostile in some(TEXTS, 2, asked, number):
            yield Case(f"{what} as {name}", asked.body, query=f"{name}={escaped(hostile)}")
    for what, hostile in some(TEXTS, 8, asked):
        yield Case(f"{what} as unknown", asked.body, query=f"unknown={escaped(hostile)}", is_refused=True)
    for what, hostile in some(TEXTS, 8, asked, 3):
        yield Case(f"{what} as a name", asked.body, query=f"{escaped(hostile)}=1")
    for what, hostile in some(TEXTS, 8, asked, 5):
        # As it is, without the escapes that a library would write.
        yield Case(f"{what} as the query", asked.body, query=in_a_header(hostile).replace("#", ""))


def strange_headers(asked: Operation, world: World) -> Iterator[Case]:
    """Send each header with something else."""
    for number, name in enumerate(HEADERS):
        for what, hostile in some(TEXTS, 20, asked, number):
            value = in_a_header(hostile)
            value = f"sessionid={value}; csrftoken={value}; messages={value}" if name == "Cookie" else value
            yield Case(f"{what} as {name}", asked.body, headers={name: value})


def strange_values(asked: Operation, world: World) -> Iterator[Case]:
    """Put something else in each place of the body."""
    written = {what: json.dumps(hostile) for what, hostile in TEXTS.items()} | VALUES
    for number, place in enumerate(places(asked.body)):
        for what, raw in some(written, 2 if len(place) == 1 else 8, asked, number):
            yield Case(f"{what} as {place}", with_at(asked.body, place, raw))


def strange_bodies(asked: Operation, world: World) -> Iterator[Case]:
    """Send what is no form at all."""
    for what, body in some(WHOLE_BODIES, 2 if asked.form else 6, asked):
        yield Case(what, body, is_refused=asked.method != "GET" and bool(body) and asked.form is not None)


@pytest.mark.parametrize("asked", OPERATIONS, ids=str)
def test_whatever_is_sent_is_refused_by_name_or_taken_as_it_is(asked: Operation) -> None:
    world = World()
    addresses = world.places(asked)
    for strange in (strange_parts, strange_queries, strange_headers, strange_values, strange_bodies):
        for case in strange(asked, world):
            someone, path = next(addresses)
            path = (case.path or path) + (f"?{case.query}" if case.query else "")
            answer = someone.send(asked.method, path, case.body, **case.headers)
            check(asked, answer, case.what)
            assert answer.status_code >= 400 or not case.is_refused, f"{asked} takes {case.what}"


def test_any_method_is_refused_by_name() -> None:
    world = World()
    for asked in {asked.path: asked for asked in OPERATIONS}.values():
        someone, path = next(world.places(asked))
        for method in METHODS:
            answer = someone.client.generic(method, PREFIX + path, headers={"Authorization": f"Bearer {someone.token}"})
            assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed"), f"{method} {asked.path}"


def test_no_name_of_a_token_is_more_than_text() -> None:
    someone = Someone()
    for what, hostile in TEXTS.items():
        made = someone.post("/tokens", {"name": hostile, "scopes": ["games:read"]})
        check(OPERATIONS[0], made, what)
        if made.status_code == 201:
            assert good(made, 201)["name"] == hostile
            assert made.headers["Content-Type"] == "application/json"
            assert made.headers["X-Content-Type-Options"] == "nosniff"
