"""The door of the admin: guarded against guessing, and the only one that is guarded so."""

import pytest
from django.conf import settings
from django.test import Client, override_settings

from players.models import Player, Token
from players.services import accounts
from tests.admin.desks import PASSWORD, browser
from tests.contract import Api

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"


@pytest.fixture
def mo() -> Player:
    """Somebody with a password who may enter."""
    player = Player.objects.get(pk=accounts.sign_up(username="mona", password=PASSWORD).person.id)
    Player.objects.filter(pk=player.pk).update(is_staff=True)
    return player


def try_to_enter(client: Client, password: str = PASSWORD, url: str = LOGIN, **headers: str) -> int:
    """Send the form of the door; return the status."""
    return client.post(url, {"username": "mona", "password": password}, **headers).status_code


def test_staff_land_on_the_desk(mo: Player) -> None:
    response = browser().post(LOGIN, {"username": "mona", "password": PASSWORD}, follow=True)
    assert response.redirect_chain == [("/admin/", 302)] and response.status_code == 200


def test_nobody_else_gets_in(mo: Player) -> None:
    accounts.sign_up(username="asha", password=PASSWORD)
    client = browser()
    assert client.post(LOGIN, {"username": "asha", "password": PASSWORD}).status_code == 200
    assert client.get("/admin/").status_code == 302
    accounts_closed = Player.objects.filter(pk=mo.pk).update(is_active=False)
    assert accounts_closed and try_to_enter(client) == 200


def test_guessing_is_slowed_for_this_name_from_this_place_only(mo: Player) -> None:
    client = browser()
    guesses = [try_to_enter(client, "guess") for _ in range(settings.AXES_FAILURE_LIMIT + 1)]
    assert guesses[:-2] == [200] * (settings.AXES_FAILURE_LIMIT - 1) and guesses[-1] == 429
    assert try_to_enter(client) == 429
    assert try_to_enter(browser(), REMOTE_ADDR="198.51.100.9") == 302


def test_a_header_that_anybody_can_write_opens_no_second_chance(mo: Player) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        try_to_enter(browser(), "guess", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}")
    assert try_to_enter(browser(), HTTP_X_FORWARDED_FOR="203.0.113.99") == 429
    with override_settings(TRUSTED_PROXIES=["192.0.2.0/24"]):
        assert try_to_enter(browser(), HTTP_X_FORWARDED_FOR="203.0.113.99") == 302


def test_the_guard_stands_at_this_door_only(mo: Player) -> None:
    client = browser()
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        try_to_enter(client, "guess")
    told = Api(REMOTE_ADDR="192.0.2.7").post("/sessions", {"username": "mona", "password": PASSWORD})
    assert told.status_code == 201


def test_guessing_at_the_api_does_not_close_this_door(mo: Player) -> None:
    api = Api(REMOTE_ADDR="192.0.2.99")
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        assert api.post("/sessions", {"username": "mona", "password": "guess guess"}).status_code in (401, 429)
    assert try_to_enter(browser(), REMOTE_ADDR="192.0.2.99") == 302


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)", "/\\example.org"]
)
def test_nobody_is_sent_elsewhere(mo: Player, elsewhere: str) -> None:
    answers = {"username": "mona", "password": PASSWORD, "next": elsewhere}
    response = browser().post(f"{LOGIN}?next={elsewhere}", answers)
    assert response.headers["Location"] == "/admin/"


def test_the_session_is_another_one_after_signing_in(mo: Player) -> None:
    client = browser()
    client.get(LOGIN)
    client.session["before"] = True
    key = client.session.session_key
    try_to_enter(client)
    assert client.session.session_key != key
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


def test_rights_that_are_taken_end_at_the_next_page(mo: Player) -> None:
    client = browser(mo)
    assert client.get("/admin/").status_code == 200
    Player.objects.filter(pk=mo.pk).update(is_staff=False)
    assert client.get("/admin/").status_code == 302


def test_ones_own_password_is_changed_as_everybodys_is(mo: Player) -> None:
    client, other = browser(mo), browser(mo)
    answers = {
        "old_password": PASSWORD,
        "new_password1": "a dry otter on a tram",
        "new_password2": "a dry otter on a tram",
    }
    assert client.get("/admin/password_change/").status_code == 200
    response = client.post("/admin/password_change/", answers, follow=True)
    assert response.status_code == 200 and response.redirect_chain == [("/admin/password_change/done/", 302)]
    mo.refresh_from_db()
    assert mo.check_password("a dry otter on a tram") and not Token.objects.filter(player=mo).exists()
    assert client.get("/admin/").status_code == 200 and other.get("/admin/").status_code == 302


def test_a_password_that_is_wrong_or_weak_is_not_changed(mo: Player) -> None:
    client = browser(mo)
    for old, new in [("guess", "a dry otter on a tram"), (PASSWORD, "12345678"), (PASSWORD, "mona")]:
        response = client.post(
            "/admin/password_change/", {"old_password": old, "new_password1": new, "new_password2": new}
        )
        assert response.status_code == 200 and response.context["form"].errors
    mo.refresh_from_db()
    assert mo.check_password(PASSWORD)


def test_the_page_of_the_password_is_for_staff() -> None:
    asha = Player.objects.get(pk=accounts.sign_up(username="asha", password=PASSWORD).person.id)
    for client in (browser(), browser(asha)):
        assert client.get("/admin/password_change/").status_code == 302
