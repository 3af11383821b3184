"""A request that is sent twice does its work once, for its own sender, on its own path."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from callbreak_site.http import idempotency
from callbreak_site.http.models import IdempotencyKey
from players.models import Token
from players.services.tokens import digest
from tests.http import site
from tests.http.asking import GAME, ask, code_of, nothing_done, person  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.http.site")]
PATH = f"/games/{GAME.hex}"
BODY = {"number": 1, "expected_version": 2}
NEW_TOKEN = {"name": "script", "scopes": ["games:read"]}


def act(token: str, key: str, body: Any = None, path: str = PATH) -> Any:
    return ask("POST", path, token, BODY if body is None else body, Idempotency_Key=key)


def test_the_first_answer_comes_again_byte_by_byte() -> None:
    token = person()
    first, second = act(token, "k"), act(token, "k")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert site.acts == [1]


def test_without_a_key_everything_is_done_again() -> None:
    token = person()
    ask("POST", PATH, token, BODY)
    ask("POST", PATH, token, BODY)
    assert site.acts == [1, 1]


def test_bodies_are_compared_as_values() -> None:
    token = person()
    act(token, "k", b'{"number": 1, "expected_version": 2}')
    again = act(token, "k", b'{ "expected_version":2,\n"number":1 }')
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("other", [{"number": 2, "expected_version": 2}, {"number": 1}])
def test_another_body_is_another_request(other: Any) -> None:
    token = person()
    act(token, "k")
    assert code_of(act(token, "k", other)) == (422, "idempotency_key_reused")
    assert site.acts == [1]


def test_a_key_belongs_to_its_user_and_its_path() -> None:
    asha, bela = person(), person("bela")
    act(asha, "k")
    assert "Idempotent-Replayed" not in act(bela, "k").headers
    assert "Idempotent-Replayed" not in act(asha, "k", path=f"/games/{'0' * 31}8").headers
    assert len(site.acts) == 3


def test_a_key_belongs_to_the_person_whatever_token_is_used() -> None:
    token = person()
    other = ask("POST", "/sessions", None, {"username": "asha", "password": "a wet otter on a bus"}).told["token"]
    act(token, "k")
    assert act(other, "k").headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["k", "k" * 255, "!~\"'", "a:b/c?d"])
def test_a_key_is_1_to_255_visible_characters(key: str) -> None:
    token = person()
    act(token, key)
    assert act(token, key).headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", "k" * 256, "a b", "a\0b", "é", "\x7f", "a\tb", " "])
def test_nothing_else_is_a_key(key: str) -> None:
    refusal = act(person(), key)
    assert code_of(refusal) == (400, "invalid")
    assert list(refusal.told["errors"]) == ["Idempotency-Key"]
    assert site.acts == []


def test_a_stranger_has_no_key() -> None:
    first = ask("POST", "/players/guest", None, {}, Idempotency_Key="k")
    second = ask("POST", "/players/guest", None, {}, Idempotency_Key="k")
    assert first.told["player"]["id"] != second.told["player"]["id"]
    assert ask("POST", "/players/guest", None, {}, Idempotency_Key="a b").status_code == 201
    assert not IdempotencyKey.objects.exists()


def test_only_a_post_has_a_key() -> None:
    token = person()
    assert ask("PUT", PATH, token, BODY, Idempotency_Key="a b").status_code == 200
    assert not IdempotencyKey.objects.exists()


def test_a_refusal_is_not_kept_nor_is_anything_that_was_half_done() -> None:
    token = person()
    assert code_of(act(token, "k", {"number": 9})) == (409, "not_your_turn")
    assert not IdempotencyKey.objects.exists()
    assert act(token, "k").status_code == 201


def test_an_answer_is_not_given_again_to_whom_may_not_see_it_any_more() -> None:
    token = person()
    act(token, "k")
    site.hidden.add(GAME)
    assert code_of(act(token, "k")) == (404, "not_found")


def test_an_answer_that_shows_a_hand_is_not_given_again_to_whom_has_left() -> None:
    token = person()
    path = f"/games/{site.LEFT.hex}"
    act(token, "k", path=path)
    assert code_of(act(token, "k", path=path)) == (403, "not_seated")


def test_after_24_hours_a_key_is_new() -> None:
    token = person()
    act(token, "k")
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert act(token, "k").headers["Idempotent-Replayed"] == "true"
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=24))
    assert "Idempotent-Replayed" not in act(token, "k", {"number": 3}).headers
    assert act(token, "k", {"number": 3}).headers["Idempotent-Replayed"] == "true"
    assert site.acts == [1, 3]


def test_old_answers_are_tidied_away() -> None:
    token = person()
    act(token, "old")
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
    act(token, "new")
    idempotency.purge_expired()
    assert [kept.key for kept in IdempotencyKey.objects.all()] == ["new"]


def test_a_token_is_told_once_and_stored_nowhere() -> None:
    token = person()
    first = act(token, "k", NEW_TOKEN, "/tokens")
    assert first.told["token"] not in str(list(IdempotencyKey.objects.values()))
    second = act(token, "k", NEW_TOKEN, "/tokens")
    assert second.status_code == 201
    assert second.told == {name: value for name, value in first.told.items() if name != "token"}
    assert Token.objects.count() == 2


def test_a_changed_password_is_answered_again_and_no_guess_can_be_tried_on_what_is_kept() -> None:
    token = person()
    body = {"old": "a wet otter on a bus", "new": "another wet otter"}
    assert act(token, "k", body, "/me/password").status_code == 204
    again = act(token, "k", body, "/me/password")
    assert (again.status_code, again.content) == (204, b"")
    assert again.headers["Idempotent-Replayed"] == "true"
    kept = IdempotencyKey.objects.get()
    assert "otter" not in str(IdempotencyKey.objects.values().get())
    assert bytes(kept.fingerprint) == idempotency.fingerprint(body)


def test_what_is_kept_can_not_be_recomputed_without_the_secret(settings: Any) -> None:
    one = idempotency.fingerprint(BODY)
    settings.SECRET_KEY = "another secret"
    assert idempotency.fingerprint(BODY) != one


def test_a_leaver_takes_the_answers_along() -> None:
    token = person()
    act(token, "k")
    assert ask("DELETE", "/me", token, {"password": "a wet otter on a bus"}).status_code == 204
    assert not IdempotencyKey.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_with_one_key_do_it_once() -> None:
    token = person()
    together = threading.Barrier(10)

    def send() -> Any:
        together.wait(10)
        try:
            return act(token, "k", NEW_TOKEN, "/tokens")
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        answers = [sent.result() for sent in [pool.submit(send) for _ in range(10)]]
    assert [answer.status_code for answer in answers] == [201] * 10
    assert len({answer.told["id"] for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 9
    assert sum("token" in answer.told for answer in answers) == 1
    assert Token.objects.exclude(digest=digest(token)).count() == 1


@pytest.mark.django_db(transaction=True)
def test_after_one_in_flight_is_refused_the_next_one_acts() -> None:
    token = person()
    together = threading.Barrier(4)
    wrong_maker = {"name": "script", "scopes": ["bot:play"]}

    def send() -> Any:
        together.wait(10)
        try:
            return act(token, "k", wrong_maker, "/tokens")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = [sent.result() for sent in [pool.submit(send) for _ in range(4)]]
    assert [answer.status_code for answer in answers] == [403] * 4
    assert not IdempotencyKey.objects.exists()
