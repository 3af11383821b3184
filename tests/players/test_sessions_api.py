"""Signing in, and how guessing is slowed."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password

from callbreak_site.http import throttles
from players.models import Player
from players.services.accounts import sign_up_guest
from players.services.signing_in import sign_in
from tests.contract import Api
from tests.players.people import PASSWORD, asha, guest

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_spent() -> Iterator[None]:
    throttles.counters().shared.storage.reset()
    yield
    throttles.counters().shared.storage.reset()


def try_in(password: str = PASSWORD, username: str = "asha", address: str = "192.0.2.1", **more: Any) -> Any:
    return Api(REMOTE_ADDR=address).post("/sessions", {"username": username, "password": password, **more})


@pytest.mark.parametrize("name", ["asha", "Asha", "ASHA"])
def test_a_person_signs_in_under_the_name_in_any_case(name: str) -> None:
    asha("Asha")
    answer = try_in(username=name)
    assert answer.status_code == 201
    assert answer.json()["player"]["username"] == "Asha"
    assert Api(answer.json()["token"]).get("/me").status_code == 200


def test_the_new_token_has_the_name_that_was_given() -> None:
    asha()
    me = Api(try_in(name="my script").json()["token"])
    assert [token["name"] for token in me.get("/tokens").json()["results"]] == ["my script", "Sign-up"]


def test_a_wrong_name_and_a_wrong_password_are_refused_alike() -> None:
    asha()
    told = [
        try_in("a dry otter"),
        try_in(username="bela"),
        try_in(username="a b"),
        try_in(username="аsha"),
        try_in(username="x" * 200),
    ]
    assert {refusal.status_code for refusal in told} == {401}
    assert len({refusal.content for refusal in told}) == 1


@pytest.mark.parametrize(
    "body", [{}, {"username": "asha"}, {"username": "asha", "password": ""}, {"username": 1, "password": 2}]
)
def test_signing_in_takes_a_name_and_a_password(body: dict[str, Any]) -> None:
    assert Api().post("/sessions", body).status_code == 400


@pytest.mark.parametrize("name", ["", "a\nb", "\u202eabc", " x", "x" * 101, 7])
def test_a_token_has_a_name_that_can_be_read(name: Any) -> None:
    asha()
    assert try_in(name=name).status_code == 400


def test_a_guest_has_no_password_to_sign_in_with() -> None:
    name = guest().get("/me").json()["username"]
    assert try_in(username=name).status_code == 401
    assert try_in("!", username=name).status_code == 401


def test_the_suspended_learn_why_but_only_with_the_right_password() -> None:
    asha()
    Player.objects.update(suspended_at="2026-01-01T00:00:00Z", suspension_reason="You shouted.")
    assert try_in("a dry otter").json()["code"] == "not_authenticated"
    refusal = try_in()
    assert (refusal.status_code, refusal.json()["code"], refusal.json()["detail"]) == (403, "suspended", "You shouted.")


def test_guessing_one_name_from_one_place_is_slowed(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    asha()
    answers = [try_in(f"guess {number}").status_code for number in range(5)]
    assert answers == [401, 401, 401, 429, 429]
    refusal = try_in()
    assert (refusal.status_code, refusal.json()["code"]) == (429, "rate_limited")
    assert 0 < int(refusal.headers["Retry-After"]) <= 900


def test_the_case_of_a_name_and_a_neighbour_in_one_house_give_no_more_guesses(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    asha()
    names = ["asha", "Asha", "aSha", "asHa"]
    places = [f"2001:db8:0:7::{number}" for number in range(4)]
    answers = [try_in("guess", name, place).status_code for name, place in zip(names, places, strict=True)]
    assert answers == [401, 401, 401, 429]


def test_nobody_is_locked_out_by_a_stranger(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    asha()
    for number in range(6):
        try_in(f"guess {number}", address="198.51.100.66")
    assert try_in(address="192.0.2.1").status_code == 201


def test_one_password_for_many_names_is_slowed_by_place(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in_address": "5 per 15 minutes"}
    answers = [try_in(username=f"name{number}").status_code for number in range(7)]
    assert answers == [401] * 5 + [429] * 2


def test_the_right_password_clears_the_count(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    asha()
    answers = [try_in(password).status_code for password in ["wrong", "wrong", PASSWORD] * 3]
    assert answers == [401, 401, 201] * 3


def test_a_stolen_token_can_not_try_passwords_either(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    me = asha()
    guess = {"old": "a dry otter", "new": "another wet otter"}
    answers = [me.post("/me/password", guess).status_code for _ in range(2)]
    answers += [me.delete("/me", {"password": "a dry otter"}).status_code for _ in range(2)]
    assert answers == [403, 403, 403, 429]


def test_an_unknown_name_takes_as_long_as_a_known_one(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    asha()
    sign_up_guest()
    guest_name = Player.objects.get(kind="guest").username

    def seconds(name: str) -> float:
        began = time.process_time()
        for _ in range(2):
            with pytest.raises(Exception, match="wrong"):
                sign_in(username=name, password="a dry otter", token_name="x")
        return time.process_time() - began

    known = seconds("asha")
    for name in ("nobody-here", guest_name, "a b"):
        assert seconds(name) > known / 2


def test_passwords_are_kept_with_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    assert identify_hasher(make_password("x")).algorithm == "argon2"
    source = (settings.BASE_DIR / "callbreak_site" / "settings.py").read_text()
    assert '"MD5PasswordHasher" if CALLBREAK_ENV == "test" else "Argon2PasswordHasher"' in source
