"""Signing up, signing in and signing out on pages."""

import pytest
from django.test import Client
from pytest_django import Settings

from players.services.accounts import close_account
from players.services.moderation import suspend_player
from players.services.tokens import issue_token
from tests.admin.desks import administrator
from tests.contract import Api
from tests.players.people import PASSWORD
from tests.players.web.browsers import browser, guest_browser, is_signed_in, person, sign_in, words_of

pytestmark = pytest.mark.django_db
PAGES = ("", "email", "password", "sessions", "tokens", "close")
FORM = {"username": "asha", "password": PASSWORD}


def test_who_signs_up_is_signed_in_and_gets_where_he_wanted_to_go() -> None:
    client = browser()
    answer = client.post("/account/sign-up", {**FORM, "email": "asha@example.org", "next": "/rules/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    assert is_signed_in(client)
    client.post("/account/sign-out")
    assert not is_signed_in(client)
    assert sign_in(client, "ASHA").status_code == 302
    assert is_signed_in(client)


def test_the_form_says_beside_each_field_what_is_wrong() -> None:
    person("asha", email="asha@example.org")
    client = browser()
    answer = client.post("/account/sign-up", {"username": "a b", "password": "12345678", "email": "x"})
    assert set(answer.context["form"].errors) == {"email"}
    answer = client.post("/account/sign-up", {"username": "a b", "password": "12345678"})
    assert set(answer.context["form"].errors) == {"username", "password"}
    answer = client.post("/account/sign-up", FORM)
    assert answer.context["form"].errors["username"] == ["Somebody has this name, or one that looks like it."]
    assert 'aria-invalid="true"' in answer.content.decode()
    assert PASSWORD not in answer.content.decode()
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "http:///evil.example"],
)
def test_nobody_is_sent_to_another_site(target: str) -> None:
    person()
    client = browser()
    assert target not in client.get("/account/sign-in", {"next": target}).context["next"]
    assert sign_in(client, "asha", next=target).headers["Location"] == "/"
    assert client.get("/account/sign-in", {"next": target}).headers["Location"] == "/"


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer() -> None:
    person()
    for name, password in (
        ("asha", "wrong"),
        ("nobody-here", PASSWORD),
        ("guest-abc", ""),
        ("", PASSWORD),
        ("a\x00b", "x"),
    ):
        client = browser()
        assert sign_in(client, name, password).status_code == 200
        assert not is_signed_in(client)
    known, unknown = (words_of(sign_in(browser(), name, "wrong")) for name in ("asha", "usha"))
    assert "The name or the password is wrong." in known
    assert known == unknown


def test_an_unknown_name_takes_as_long_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[str] = []
    monkeypatch.setattr("players.services.signing_in.spend_time_on", spent.append)
    sign_in(browser(), "nobody-here", "wrong")
    assert spent == ["wrong"]


def test_guessing_is_slowed_on_pages_and_in_the_api_together(settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "3 per 15 minutes"}
    person()
    client = browser()
    assert [sign_in(client, "asha", "wrong").status_code for _ in range(2)] == [200, 200]
    wrong = {"username": "Asha", "password": "wrong"}
    assert client.post("/api/v1/sessions", wrong, content_type="application/json").status_code == 401
    answer = sign_in(client, "asha")
    assert (answer.status_code, is_signed_in(client)) == (429, False)
    assert "too often" in words_of(answer)


def test_one_place_can_neither_try_many_names_nor_open_many_accounts(settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in_address": "2 per 15 minutes", "sign_up": "1/hour"}
    assert [sign_in(browser(), f"name{n}", "x").status_code for n in range(3)] == [200, 200, 429]
    assert browser().post("/account/sign-up", FORM).status_code == 302
    assert browser().post("/account/sign-up", {**FORM, "username": "usha"}).status_code == 429


def test_nothing_is_done_for_a_form_of_another_site() -> None:
    person()
    client = browser(enforce_csrf_checks=True)
    for path in ("sign-in", "sign-up", "sign-out", "forgotten", "", "sound", "close", "tokens", "sessions/end"):
        assert client.post(f"/account/{path}", FORM).status_code == 403, path
    assert client.post("/language", {"language": "hi"}).status_code == 403
    page = client.get("/account/sign-in")
    token = page.content.decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert sign_in(client, "asha", csrfmiddlewaretoken=token).status_code == 302


def test_a_session_that_somebody_planted_is_not_the_one_that_is_signed_in() -> None:
    client, _ = guest_browser()
    planted = client.cookies["sessionid"].value
    person()
    sign_in(client, "asha")
    assert client.cookies["sessionid"].value != planted
    thief = browser()
    thief.cookies["sessionid"] = planted
    assert not is_signed_in(thief)


def test_a_guest_who_signs_up_keeps_the_account_with_all_that_it_has() -> None:
    client, guest = guest_browser()
    token = issue_token(player_id=guest.pk, name="x")
    before = client.cookies["sessionid"].value
    assert "your games, your seats and your settings stay yours" in words_of(client.get("/account/sign-up"))
    client.post("/account/sign-up", FORM)
    guest.refresh_from_db()
    assert (guest.username, guest.kind) == ("asha", "human")
    assert client.get("/account/").context["user"] == guest
    assert client.cookies["sessionid"].value != before
    assert Api(token).get("/me").json()["username"] == "asha"
    assert sign_in(browser(), "asha").status_code == 302


def test_a_guest_who_signs_in_is_told_what_stays_behind_first() -> None:
    person()
    client, guest = guest_browser()
    assert "games stay with the guest" in words_of(client.get("/account/sign-in"))
    sign_in(client, "asha")
    assert client.get("/account/").context["user"].username == "asha"
    guest.refresh_from_db()
    assert guest.is_active


def test_a_suspended_player_is_out_at_once_and_reads_why_at_the_door() -> None:
    asha, client = person(), browser("asha")
    suspend_player(player_id=asha.pk, moderator_id=administrator().pk, reason="Rude at the table.")
    assert not is_signed_in(client)
    assert "Rude at the table." in words_of(sign_in(client, "asha"))
    assert "Rude at the table." not in words_of(sign_in(browser(), "asha", "wrong"))
    assert not is_signed_in(client)


def test_a_closed_account_is_signed_in_nowhere() -> None:
    asha, client = person(), browser("asha")
    close_account(player_id=asha.pk, password=PASSWORD)
    assert not is_signed_in(client)
    assert sign_in(client, "asha").status_code == 200


def test_strangers_are_sent_to_the_door_and_back(client: Client) -> None:
    person()
    for path in PAGES:
        door = client.get(f"/account/{path}").headers["Location"]
        assert client.get(door).context["next"] == f"/account/{path}"
    assert sign_in(client, "asha", next="/account/close").headers["Location"] == "/account/close"


def test_no_page_about_an_account_is_kept_by_a_cache() -> None:
    person()
    client = browser("asha")
    for path in PAGES:
        assert "no-store" in client.get(f"/account/{path}").headers["Cache-Control"], path
