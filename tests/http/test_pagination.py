"""Walking a list shows every row that was there throughout, once."""

import base64
import json
from typing import Any

import pytest

from players.models import Token
from players.services.tokens import digest
from tests.contract import Api
from tests.players.people import asha

pytestmark = pytest.mark.django_db


def walk(me: Api, limit: int, between: Any = lambda: None) -> list[str]:
    """Return the names of all tokens, page by page; *between* happens after each page."""
    path: str | None = f"/tokens?limit={limit}"
    names: list[str] = []
    while path:
        page = me.get(path).json()
        assert len(page["results"]) <= limit
        names += [token["name"] for token in page["results"]]
        path = page["next"] and page["next"].partition("/api/v1")[2]
        between()
    return names


def make_tokens(me: Api, count: int) -> None:
    """Make tokens, all at the same moment."""
    player_id = Token.objects.get(digest=digest(str(me.token))).player_id
    at = Token.objects.get().created_at
    Token.objects.bulk_create(
        Token(player_id=player_id, digest=digest(f"{n}"), name=f"t{n}", scopes=[], created_at=at) for n in range(count)
    )


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 100])
def test_each_row_is_shown_once_even_at_equal_times(limit: int) -> None:
    me = asha()
    make_tokens(me, 7)
    names = walk(me, limit)
    assert len(names) == 8
    assert set(names) == {"Sign-up", *(f"t{n}" for n in range(7))}


def test_rows_that_come_and_go_meanwhile_move_no_other() -> None:
    me = asha()
    make_tokens(me, 9)
    going = iter(["t1", "t4", "t7"])

    def change() -> None:
        Token.objects.filter(name=next(going, "")).delete()
        me.post("/tokens", {"name": "late", "scopes": ["games:read"]})

    names = [name for name in walk(me, 2, change) if name not in ("t1", "t4", "t7", "late")]
    assert sorted(names) == ["Sign-up", "t0", "t2", "t3", "t5", "t6", "t8"]


def test_the_usual_page_is_short_and_the_last_one_has_no_next() -> None:
    me = asha()
    make_tokens(me, 24)
    first = me.get("/tokens").json()
    assert len(first["results"]) == 20
    assert first["next"].startswith("http://testserver/api/v1/tokens?")
    assert me.get("/tokens?limit=100").json()["next"] is None


def forged(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "x", "%00", "é", "a" * 600, "=" * 8, forged([]), forged({}), forged(7), forged(["2026-01-01T00:00:00Z"]),
        forged(["2026-01-01T00:00:00Z", "x"]), forged(["yesterday", "0" * 32]),
        forged(["2026-13-01T00:00:00Z", "0" * 32]),
        forged([1, "0" * 32]), forged(["2026-01-01T00:00:00Z", "0" * 32, "x"]), forged(["2026-01-01\0", "0" * 32]),
        forged(["", ""]), forged(["2026-01-01T00:00:00", "0" * 32]), forged(["[" * 300, "x"]),
        forged(["0001-01-01T00:00:00+14:00", "0" * 32]), forged(["9999-12-31T23:59:59-14:00", "0" * 32]),
    ],
)  # fmt: skip
def test_a_cursor_of_ones_own_making_is_refused(cursor: str) -> None:
    refusal = asha().get(f"/tokens?cursor={cursor}")
    assert refusal.status_code == 400
    assert list(refusal.json()["errors"]) == ["cursor"]


def test_a_cursor_shows_nobody_elses_rows() -> None:
    me, _ = asha(), asha("bela")
    before_time = forged(["2100-01-01T00:00:00+00:00", "f" * 32])
    [only] = me.get(f"/tokens?cursor={before_time}").json()["results"]
    assert only["current"] is True
