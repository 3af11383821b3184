"""Whatever the endpoint, requests are refused in the documented order, and every refusal is a problem."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from players.models import Player, Token
from players.services.tokens import digest
from tests.http import site
from tests.http.asking import GAME, ask, code_of, nothing_done, person, token_like  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.http.site")]
PATH = f"/games/{GAME.hex}"
WRONG_FORM = {"number": "3"}


def test_nobody_may_write_whatever_else_is_wrong() -> None:
    assert code_of(ask("POST", f"/games/{site.HIDDEN.hex}", None, WRONG_FORM)) == (401, "not_authenticated")
    assert code_of(ask("POST", "/games/nonsense", None, b"{")) == (401, "not_authenticated")


def test_the_scope_comes_before_the_object() -> None:
    token = token_like(person(), scopes=["games:read"])
    for path in (PATH, f"/games/{site.HIDDEN.hex}", "/games/nonsense"):
        assert code_of(ask("POST", path, token, WRONG_FORM)) == (403, "missing_scope")


def test_the_object_comes_before_the_form() -> None:
    token = person()
    for path in (f"/games/{site.HIDDEN.hex}", "/games/nonsense", f"/games/{GAME}", "/games/%00"):
        assert code_of(ask("POST", path, token, WRONG_FORM)) == (404, "not_found")
        assert code_of(ask("POST", path, token, b"{")) == (404, "not_found")
        assert code_of(ask("POST", path, token, {"number": 1}, Idempotency_Key="a b")) == (404, "not_found")
        assert code_of(ask("POST", path, token, {"number": 1})) == (404, "not_found")


def test_the_form_comes_before_the_replay_and_the_replay_before_the_act() -> None:
    token = person()
    assert ask("POST", PATH, token, {"number": 1}, Idempotency_Key="k").status_code == 201
    assert code_of(ask("POST", PATH, token, WRONG_FORM, Idempotency_Key="k")) == (400, "invalid")
    assert code_of(ask("POST", PATH, token, {"number": 9}, Idempotency_Key="k")) == (422, "idempotency_key_reused")
    assert code_of(ask("POST", PATH, token, {"number": 9})) == (409, "not_your_turn")


def test_a_refusal_carries_what_helps() -> None:
    assert ask("POST", PATH, person(), {"number": 9}).told["current"] == {"version": 1}


@pytest.mark.parametrize(
    "path", ["/nothing", "/games", PATH + "/", "/me/", "/../admin", "/games//", "", "/", "/%00", "/\u202e"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_an_unknown_path_is_401_for_strangers_and_404_for_the_rest(path: str, method: str) -> None:
    assert code_of(ask(method, path)) == (401, "not_authenticated")
    assert code_of(ask(method, path, person())) == (404, "not_found")


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_an_unknown_method_is_401_for_strangers_and_405_for_the_rest(method: str) -> None:
    assert code_of(ask(method, PATH)) == (401, "not_authenticated")
    refusal = ask(method, PATH, person())
    assert code_of(refusal) == (405, "method_not_allowed")
    assert set(refusal.headers["Allow"].split(", ")) == {"GET", "HEAD", "POST", "PUT"}


def test_head_is_a_get_without_a_body() -> None:
    answer = ask("HEAD", PATH)
    assert (answer.status_code, answer.content) == (200, b"")
    assert ask("HEAD", "/me").status_code == 401


def test_strangers_may_read_what_is_public() -> None:
    assert ask("GET", PATH).told == {"viewer": None, "id": GAME.hex}


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer cb_short",
        "Basic YTpi",
        "Token {}",
        "Bearer {}x",
        "Bearer {} {}",
        "{}",
        "Bearer\t{}",
    ],
)
def test_a_bad_token_is_nobody_even_where_strangers_may_read(header: str) -> None:
    refusal = ask("GET", PATH, None, Authorization=header.replace("{}", person()))
    assert code_of(refusal) == (401, "not_authenticated")
    assert refusal.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_name_of_the_scheme_may_be_in_any_case() -> None:
    assert ask("GET", "/me", None, Authorization=f"bearer {person()}").status_code == 200


def test_a_token_in_the_address_is_no_token() -> None:
    assert code_of(ask("GET", f"/me?token={person()}")) == (401, "not_authenticated")


def test_an_ended_token_is_unknown_at_once() -> None:
    token = person()
    short = token_like(token, expires_at=timezone.now() - timedelta(seconds=1))
    assert code_of(ask("GET", "/me", short)) == (401, "not_authenticated")
    Token.objects.filter(digest=digest(token)).delete()
    assert code_of(ask("GET", "/me", token)) == (401, "not_authenticated")


def test_a_token_for_one_game_opens_only_that() -> None:
    token = token_like(person(), game_id=GAME)
    assert ask("GET", PATH, token).status_code == 200
    assert ask("GET", PATH.upper().replace("GAMES", "games"), token).status_code == 200
    assert ask("POST", PATH, token, {"number": 1}).status_code == 201
    assert ask("GET", "/limits", token).status_code == 200
    for path in ("/me", "/tokens", f"/games/{'0' * 31}8", "/games/nonsense"):
        assert code_of(ask("GET", path, token)) == (403, "missing_scope")


def test_the_suspended_are_told_so_and_nothing_else() -> None:
    token = person()
    Player.objects.update(suspended_at=timezone.now(), suspension_reason="You shouted.")
    refusal = ask("GET", PATH, token)
    assert code_of(refusal) == (403, "suspended")
    assert refusal.told["detail"] == "You shouted."


@pytest.mark.parametrize(
    "query", ["?colour=green", "?limit=1&limit=2", "?limit=0", "?limit=101", "?limit=x", "?limit=", "?cursor="]
)
def test_a_query_is_read_as_strictly_as_a_body(query: str) -> None:
    refusal = ask("GET", f"/tokens{query}", person())
    assert code_of(refusal) == (400, "invalid")
    assert list(refusal.told["errors"]) == [query[1:].partition("=")[0]]


def test_an_answer_that_nobody_asked_for_in_json_is_refused() -> None:
    assert code_of(ask("GET", "/me", person(), Accept="text/html")) == (406, "not_acceptable")
    assert code_of(ask("GET", "/me", None, Accept="text/html")) == (401, "not_authenticated")
    assert ask("GET", "/me", person("bela"), Accept="application/json, */*;q=0.1").status_code == 200


def test_no_cache_keeps_an_answer() -> None:
    token = person()
    for answer in (ask("GET", "/me", token), ask("GET", "/me"), ask("GET", "/nothing", token), ask("GET", PATH)):
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "Authorization" in answer.headers["Vary"]


def test_ids_and_versions_are_read_in_either_case_and_kept_strict() -> None:
    token = person()
    assert ask("PUT", PATH, token, {"number": 1, "expected_version": 3}).told == {"number": 1, "expected_version": 3}
    for wrong in ("3", 3.0, True, None):
        assert code_of(ask("PUT", PATH, token, {"number": 1, "expected_version": wrong})) == (400, "invalid")


def test_one_statement_knows_the_caller(django_assert_num_queries: Any) -> None:
    token = person()
    ask("GET", PATH, token)
    with django_assert_num_queries(1):
        ask("GET", PATH, token)


def test_the_use_of_a_token_is_noted_once_a_minute() -> None:
    token = person()
    assert Token.objects.get().last_used_at is None
    ask("GET", PATH, token)
    noted = Token.objects.get().last_used_at
    assert noted is not None
    ask("GET", PATH, token)
    assert Token.objects.get().last_used_at == noted
    Token.objects.update(last_used_at=noted - timedelta(seconds=61))
    ask("GET", PATH, token)
    assert Token.objects.get().last_used_at > noted
