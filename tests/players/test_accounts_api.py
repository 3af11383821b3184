"""Accounts over REST, each answer held to the OpenAPI text."""

from typing import Any

import pytest

from players.models import Player, RetiredName, Token
from players.services import accounts
from tests.contract import Api
from tests.players.people import PASSWORD, asha, guest

pytestmark = pytest.mark.django_db
EVERY_SCOPE_OF_A_PERSON = {
    "games:read", "games:play", "account:read", "account:write", "chat:write", "webhooks:write",
}  # fmt: skip


def test_a_person_signs_up_and_the_token_opens_the_account() -> None:
    answer = Api().post("/players", {"username": "Asha", "password": PASSWORD, "email": "asha@example.org"})
    assert answer.status_code == 201
    told = answer.json()
    assert told["player"]["username"] == "Asha"
    assert told["player"]["kind"] == "human"
    assert Api(told["token"]).get("/me").json() == told["player"]
    assert told["player"]["email"] == "asha@example.org"


def test_the_first_token_has_every_scope_of_a_person_and_no_end() -> None:
    [token] = asha().get("/tokens").json()["results"]
    assert set(token["scopes"]) == EVERY_SCOPE_OF_A_PERSON
    assert token["expires_at"] is None
    assert token["current"] is True


@pytest.mark.parametrize("taken", ["asha1", "ASHA1", "ashaI"])
def test_a_name_that_somebody_has_is_taken(taken: str) -> None:
    asha("Asha1")
    refusal = Api().post("/players", {"username": taken, "password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "username_taken")


def test_an_email_address_that_somebody_has_is_taken() -> None:
    body = {"username": "asha", "password": PASSWORD, "email": "a@example.org"}
    assert Api().post("/players", body).status_code == 201
    refusal = Api().post("/players", {**body, "username": "bela", "email": "A@example.org"})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "email_taken")
    assert not Player.objects.filter(username="bela").exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": None}, "username"),
        ({"username": 7}, "username"),
        ({"username": "ab"}, "username"),
        ({"username": "admin"}, "username"),
        ({"username": "guest-asha"}, "username"),
        ({"username": "otter-bot"}, "username"),
        ({"username": "asha\n"}, "username"),
        ({"username": "аsha"}, "username"),
        ({"username": "a" * 1000}, "username"),
        ({"password": "short"}, "password"),
        ({"password": "password1"}, "password"),
        ({"password": "Asha-of-the-hills", "username": "asha-of-the-hills"}, "password"),
        ({"password": "x" * 201}, "password"),
        ({"password": ["a wet otter on a bus"]}, "password"),
        ({"email": "nonsense"}, "email"),
        ({"email": "a@exämple.org"}, "email"),
        ({"email": "a@example.org\r\nBcc: b@example.org"}, "email"),
        ({"email": 1}, "email"),
        ({"colour": "green"}, "colour"),
    ],
)
def test_what_is_wrong_with_a_sign_up_is_told_by_field(changes: dict[str, Any], field: str) -> None:
    refusal = Api().post("/players", {"username": "asha", "password": PASSWORD, **changes})
    assert (refusal.status_code, refusal.json()["code"]) == (400, "invalid")
    assert list(refusal.json()["errors"]) == [field]
    assert not Player.objects.exists()


def test_everything_that_is_wrong_is_told_at_once() -> None:
    refusal = Api().post("/players", {"username": "a b", "password": "short"})
    assert set(refusal.json()["errors"]) == {"username", "password"}


@pytest.mark.parametrize(
    "field",
    ["is_staff", "is_superuser", "is_active", "kind", "id", "created_at", "suspended_at", "groups", "last_login"],
)
@pytest.mark.parametrize("use", ["sign up", "claim", "change"])
def test_no_column_can_be_written_that_nobody_asked_for(field: str, use: str) -> None:
    body = {"username": "bela", "password": PASSWORD, field: True}
    if use == "sign up":
        refusal = Api().post("/players", body)
    elif use == "claim":
        refusal = guest().patch("/me", body)
    else:
        refusal = asha().patch("/me", {"email": "b@example.org", field: True})
    assert refusal.status_code == 400
    assert list(refusal.json()["errors"]) == [field]
    assert not Player.objects.filter(username="bela").exists()
    assert not Player.objects.exclude(email="").exists()


def test_a_guest_plays_at_once_and_claims_the_account_with_everything_in_it() -> None:
    told = Api().post("/players/guest", {}).json()
    assert told["player"]["kind"] == "guest"
    assert told["player"]["username"].startswith("guest-")
    me = Api(told["token"])
    claimed = me.patch("/me", {"username": "asha", "password": PASSWORD, "email": "asha@example.org"}).json()
    assert claimed["id"] == told["player"]["id"]
    assert (claimed["username"], claimed["kind"]) == ("asha", "human")
    assert me.get("/me").json() == claimed
    assert Api().get("/me").status_code == 401
    assert Api().post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 201
    assert me.get(f"/players/{told['player']['username']}").status_code == 404


def test_a_guest_needs_no_body_to_begin() -> None:
    assert Api().post("/players/guest").status_code == 201


@pytest.mark.parametrize("body", [{}, {"email": "a@example.org"}, {"username": "asha"}, {"password": PASSWORD}])
def test_a_guest_claims_with_both_a_name_and_a_password(body: dict[str, str]) -> None:
    refusal = guest().patch("/me", body)
    assert refusal.status_code == 400
    assert set(refusal.json()["errors"]) == {"username", "password"} - set(body)


def test_a_guest_can_not_claim_a_name_that_somebody_has() -> None:
    asha()
    me = guest()
    refusal = me.patch("/me", {"username": "Asha", "password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "username_taken")
    assert me.get("/me").json()["kind"] == "guest"


def test_a_person_changes_and_removes_the_email_address() -> None:
    me = asha()
    assert me.patch("/me", {"email": "asha@example.org"}).json()["email"] == "asha@example.org"
    assert me.patch("/me", {}).json()["email"] == "asha@example.org"
    assert me.patch("/me", {"email": None}).json()["email"] is None


def test_an_email_address_must_be_one_and_free() -> None:
    accounts.sign_up(username="bela", password=PASSWORD, email="bela@example.org")
    me = asha()
    assert me.patch("/me", {"email": "Bela@example.org"}).json()["code"] == "email_taken"
    assert me.patch("/me", {"email": "bélà@example.org"}).json()["code"] == "invalid"
    assert me.patch("/me", {"email": "a@exämple.org"}).json()["code"] == "invalid"


@pytest.mark.parametrize("body", [{"username": "bela"}, {"password": "another wet otter"}])
def test_a_person_keeps_the_name_and_changes_the_password_elsewhere(body: dict[str, str]) -> None:
    refusal = asha().patch("/me", body)
    assert (refusal.status_code, refusal.json()["code"]) == (422, "not_available")


def test_a_new_password_ends_all_other_tokens() -> None:
    me = asha()
    other = Api(Api().post("/sessions", {"username": "asha", "password": PASSWORD}).json()["token"])
    assert other.get("/me").status_code == 200
    assert me.post("/me/password", {"old": PASSWORD, "new": "another wet otter"}).status_code == 204
    assert me.get("/me").status_code == 200
    assert other.get("/me").status_code == 401
    assert Api().post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 401
    assert Api().post("/sessions", {"username": "asha", "password": "another wet otter"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"old": "a dry otter", "new": "another wet otter"}, 403, "wrong_password"),
        ({"old": PASSWORD, "new": "short"}, 400, "invalid"),
        ({"old": PASSWORD}, 400, "invalid"),
        ({"old": PASSWORD, "new": "another wet otter", "username": "bela"}, 400, "invalid"),
    ],
)
def test_a_password_is_changed_only_with_the_old_one_for_a_good_one(body: Any, status: int, code: str) -> None:
    me = asha()
    refusal = me.post("/me/password", body)
    assert (refusal.status_code, refusal.json()["code"]) == (status, code)
    assert Api().post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 201


def test_a_guest_has_no_password_to_change() -> None:
    refusal = guest().post("/me/password", {"old": PASSWORD, "new": "another wet otter"})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "not_available")


def test_closing_takes_the_password_and_leaves_nothing_of_the_person() -> None:
    me = Api(accounts.sign_up(username="Asha", password=PASSWORD, email="asha@example.org").token)
    refusal = me.delete("/me", {"password": "a dry otter"})
    assert (refusal.status_code, refusal.json()["code"]) == (403, "wrong_password")
    assert me.delete("/me", {}).status_code == 400
    assert me.delete("/me", {"password": PASSWORD}).status_code == 204
    assert me.get("/me").status_code == 401
    assert Api().post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 401
    [row] = Player.objects.all()
    assert (row.email, row.is_active, row.has_usable_password()) == ("", False, False)
    assert row.username.startswith("closed-")
    assert not Token.objects.exists()


@pytest.mark.parametrize("name", ["asha1", "ASHA1", "ashal"])
def test_the_name_of_a_closed_account_is_nobody_elses(name: str) -> None:
    asha("Asha1").delete("/me", {"password": PASSWORD})
    refusal = Api().post("/players", {"username": name, "password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "username_taken")
    refusal = guest().patch("/me", {"username": name, "password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "username_taken")
    assert "asha" not in str(RetiredName.objects.values()).lower()


def test_a_guest_closes_the_account_without_a_password() -> None:
    for body in (None, {}, {"password": None}, {"password": ""}, {"password": PASSWORD}):
        me = guest()
        assert me.delete("/me", body).status_code == 204
        assert me.get("/me").status_code == 401


def test_the_apps_above_are_told_of_a_closing_in_its_transaction(settings: Any) -> None:
    settings.ACCOUNT_CLOSING = [
        "tests.players.test_accounts_api.leave_the_seats",
        "tests.players.test_accounts_api.fail",
    ]
    me = asha()
    with pytest.raises(LookupError):
        accounts.close_account(player_id=Player.objects.get().pk, password=PASSWORD)
    assert Player.objects.get().email == ""
    assert me.get("/me").json()["username"] == "asha"


def leave_the_seats(*, player_id: object) -> None:
    """Stand for what games do: write something."""
    Player.objects.filter(pk=player_id).update(email="left@example.org")


def fail(*, player_id: object) -> None:
    """Stand for a bug in what games do."""
    raise LookupError(player_id)


def test_everybody_signed_in_sees_a_profile_in_any_case_but_not_the_address() -> None:
    accounts.sign_up(username="Asha", password=PASSWORD, email="asha@example.org")
    seen = asha("bela").get("/players/aSHA")
    assert seen.status_code == 200
    assert seen.json()["username"] == "Asha"
    assert "email" not in seen.json()


@pytest.mark.parametrize(
    "name", ["nobody-here", "%00", "%ED%A0%80", "a" * 3000, "%F0%9F%82%A1", "..%2f..", "asha%0a", "ashal"]
)
def test_nobody_has_a_name_that_is_not_there(name: str) -> None:
    assert asha("asha1").get(f"/players/{name}").status_code == 404


def test_the_profile_of_a_closed_account_is_gone() -> None:
    asha().delete("/me", {"password": PASSWORD})
    row = Player.objects.get()
    other = asha("bela")
    assert other.get("/players/asha").status_code == 404
    assert other.get(f"/players/{row.username}").status_code == 404
