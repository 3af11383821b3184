"""Personal access tokens: told once, never more than their maker, gone at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from players.models import Token
from players.services import accounts, tokens
from tests.contract import Api
from tests.players.people import PASSWORD, asha, guest

pytestmark = pytest.mark.django_db
GAME = "0123456789abcdef0123456789abcdef"


def make(me: Api, **changes: Any) -> Any:
    return me.post("/tokens", {"name": "script", "scopes": ["games:read"], **changes})


def test_a_token_is_told_once_and_listed_without_its_text() -> None:
    me = asha()
    made = make(me, scopes=["games:read", "account:read"], game=GAME.upper(), expires_in=60)
    assert made.status_code == 201
    told = made.json()
    assert (told["name"], told["scopes"], told["game"]) == ("script", ["account:read", "games:read"], GAME)
    text = told.pop("token")
    listed = me.get("/tokens")
    assert text not in listed.content.decode()
    assert listed.json()["results"][0] == told


def test_a_token_ends_when_it_was_told_to() -> None:
    me = asha()
    told = make(me, expires_in=60, scopes=["account:read"]).json()
    left = datetime.fromisoformat(told["expires_at"]) - timezone.now()
    assert timedelta(seconds=50) < left <= timedelta(seconds=60)
    assert Api(told["token"]).get("/me").status_code == 200
    Token.objects.filter(pk=told["id"]).update(expires_at=timezone.now())
    assert Api(told["token"]).get("/me").status_code == 401


@pytest.mark.parametrize("expires_in", [None, 1, 315_360_000])
def test_a_token_lives_a_second_to_ten_years_or_for_ever(expires_in: int | None) -> None:
    assert make(asha(), expires_in=expires_in).status_code == 201


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"expires_in": 0}, "expires_in"),
        ({"expires_in": -1}, "expires_in"),
        ({"expires_in": 315_360_001}, "expires_in"),
        ({"expires_in": 10**30}, "expires_in"),
        ({"expires_in": "60"}, "expires_in"),
        ({"expires_in": 60.0}, "expires_in"),
        ({"scopes": []}, "scopes"),
        ({"scopes": "games:read"}, "scopes"),
        ({"scopes": {"games:read": True}}, "scopes"),
        ({"scopes": ["admin"]}, "scopes.0"),
        ({"scopes": ["games:read", 1]}, "scopes.1"),
        ({"scopes": ["games:read"] * 1000}, "scopes"),
        ({"game": "nonsense"}, "game"),
        ({"game": 7}, "game"),
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "\u202ecod.exe"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": None}, "name"),
        ({"player": "bela"}, "player"),
        ({"token": "cb_" + "a" * 43}, "token"),
        ({"digest": "aa"}, "digest"),
        ({"last_used_at": None}, "last_used_at"),
    ],
)
def test_what_is_wrong_with_a_token_is_told_by_field(changes: dict[str, Any], field: str) -> None:
    refusal = make(asha(), **changes)
    assert refusal.status_code == 400
    assert list(refusal.json()["errors"]) == [field]
    assert Token.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "=1+1", "'; DROP TABLE players_token; --", "आशा का फ़ोन 📱", "{{7*7}}"]
)
def test_a_name_is_kept_as_it_is(name: str) -> None:
    me = asha()
    assert make(me, name=name).json()["name"] == name
    assert me.get("/tokens").json()["results"][0]["name"] == name


def test_a_token_passes_on_only_the_scopes_that_it_has() -> None:
    maker = Api(make(asha(), scopes=["account:write", "games:read"]).json()["token"])
    assert make(maker, scopes=["games:read", "account:write"]).status_code == 201
    refusal = make(maker, scopes=["games:read", "games:play"])
    assert (refusal.status_code, refusal.json()["code"]) == (403, "missing_scope")
    assert make(asha("bela"), scopes=["bot:play"]).status_code == 403


@pytest.mark.parametrize("expires_in", [None, 10_000])
def test_a_token_does_not_outlive_its_maker(expires_in: int | None) -> None:
    maker = make(asha(), scopes=["account:write", "games:read"], expires_in=600).json()
    child = make(Api(maker["token"]), expires_in=expires_in).json()
    assert child["expires_at"] == maker["expires_at"]
    assert make(Api(maker["token"]), expires_in=60).json()["expires_at"] < maker["expires_at"]


def test_a_token_of_ones_own_is_ended_at_once() -> None:
    me = asha()
    told = make(me, scopes=["account:read"]).json()
    other = Api(told["token"])
    assert other.get("/me").status_code == 200
    assert me.delete(f"/tokens/{told['id']}").status_code == 204
    assert other.get("/me").status_code == 401
    assert me.delete(f"/tokens/{told['id']}").status_code == 404


def test_a_token_can_end_itself() -> None:
    me = asha()
    [mine] = me.get("/tokens").json()["results"]
    assert me.delete(f"/tokens/{mine['id']}").status_code == 204
    assert me.get("/tokens").status_code == 401


def test_somebody_elses_token_is_not_there() -> None:
    me, other = asha(), asha("bela")
    [theirs] = other.get("/tokens").json()["results"]
    [mine] = me.get("/tokens").json()["results"]
    assert theirs["id"] != mine["id"]
    for path in (f"/tokens/{theirs['id']}", "/tokens/nonsense", f"/tokens/{'0' * 32}", "/tokens/me", "/tokens/%00"):
        refusal = me.delete(path)
        assert (refusal.status_code, refusal.json()["code"]) == (404, "not_found")
    assert other.get("/me").status_code == 200


def test_an_account_has_a_hundred_tokens_at_most() -> None:
    me = asha()
    row = Token.objects.get()
    Token.objects.bulk_create(
        Token(player_id=row.player_id, digest=tokens.digest(f"{n}"), name="t", scopes=[])
        for n in range(tokens.MOST_TOKENS - 1)
    )
    refusal = make(me)
    assert (refusal.status_code, refusal.json()["code"]) == (422, "not_available")


def test_tokens_that_have_ended_are_tidied_away() -> None:
    me = asha()
    make(me, expires_in=60)
    make(me, expires_in=120, name="later")
    Token.objects.filter(name="script").update(expires_at=timezone.now() - timedelta(seconds=1))
    tokens.purge_expired()
    assert set(Token.objects.values_list("name", flat=True)) == {"Sign-up", "later"}


def test_a_guest_has_tokens_too() -> None:
    assert make(guest()).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_no_token_slips_through_while_the_password_is_changed() -> None:
    for number in range(10):
        me = asha(f"asha-{number}")
        row = Token.objects.get(digest=tokens.digest(str(me.token)))
        spare = Api(accounts.sign_up(username=f"spare-{number}", password=PASSWORD).token)
        text = str(spare.token)
        Token.objects.filter(digest=tokens.digest(text)).update(player_id=row.player_id)
        together = threading.Barrier(2)

        def make_one(spare: Api = spare, together: threading.Barrier = together) -> Any:
            together.wait(10)
            try:
                return make(spare)
            finally:
                connection.close()

        def change(me: Api = me, together: threading.Barrier = together) -> Any:
            together.wait(10)
            try:
                return me.post("/me/password", {"old": PASSWORD, "new": "another wet otter"})
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            made, changed = pool.submit(make_one), pool.submit(change)
        assert changed.result().status_code == 204
        assert made.result().status_code in (201, 401)
        assert list(Token.objects.filter(player_id=row.player_id)) == [row]
