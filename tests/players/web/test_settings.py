"""One's own account on pages: preferences, e-mail address, language and the end."""

import pytest
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from players.services.preferences import change_preferences
from tests.players.people import PASSWORD
from tests.players.web.browsers import FIREFOX, browser, guest_browser, is_signed_in, person, words_of

pytestmark = pytest.mark.django_db
COOKIE = site.LANGUAGE_COOKIE_NAME


def test_what_one_likes_is_kept_and_shown_again() -> None:
    asha, client = person(), browser("asha")
    liked = {"language": "hi", "time_zone": "Asia/Kathmandu", "is_four_colour": "on", "confirms_plays": "on"}
    assert client.post("/account/", liked).headers["Location"] == "/account/"
    asha.refresh_from_db()
    assert (asha.language, asha.time_zone, asha.is_four_colour) == ("hi", "Asia/Kathmandu", True)
    assert (asha.confirms_plays, asha.is_silent) == (True, True)
    assert client.cookies[COOKIE].value == "hi"
    page = client.get("/account/").content.decode()
    assert '<html lang="hi" data-deck="four" data-zone="Asia/Kathmandu">' in page
    assert '<option value="Asia/Kathmandu" selected>' in page
    client.post("/account/", {"language": "", "time_zone": "", "has_sound": "on"})
    asha.refresh_from_db()
    assert (asha.language, asha.is_silent, client.cookies[COOKIE].value) == ("", False, "")


@pytest.mark.parametrize(
    "wrong", [{"language": "tlh"}, {"time_zone": "Mars/Olympus"}, {"time_zone": "../../etc/passwd"}]
)
def test_a_language_or_zone_that_is_none_is_refused(wrong: dict[str, str]) -> None:
    person()
    answer = browser("asha").post("/account/", wrong)
    assert (answer.status_code, set(answer.context["form"].errors)) == (200, set(wrong))


def test_signing_in_brings_the_language_along_and_the_footer_changes_it_for_good() -> None:
    asha = person()
    change_preferences(player_id=asha.pk, language="ne")
    client = browser("asha")
    assert client.cookies[COOKIE].value == "ne"
    client.post("/language", {"language": "bn", "next": "/account/"})
    asha.refresh_from_db()
    assert (asha.language, client.cookies[COOKIE].value) == ("bn", "bn")
    client.post("/language", {"language": "tlh"})
    client.get("/language?language=hi")
    asha.refresh_from_db()
    assert asha.language == "bn"


def test_the_language_that_a_stranger_chose_is_that_of_the_account_opened_then(client: Client) -> None:
    client.post("/language", {"language": "id"})
    client.post("/account/sign-up", {"username": "asha", "password": PASSWORD})
    assert get_user_model().objects.get(username="asha").language == "id"


def test_a_page_leaves_no_language_behind_for_the_next_answer_of_the_api(client: Client) -> None:
    assert 'lang="hi"' in client.get("/account/sign-in", headers={"Accept-Language": "hi"}).content.decode()
    body = {"username": "a b", "password": PASSWORD, "email": "x"}
    errors = client.post("/api/v1/players", body, content_type="application/json").json()["errors"]
    assert errors["email"] == ["Enter a valid email address."]


def test_the_sound_switch_is_remembered() -> None:
    asha, client = person(), browser("asha")
    for is_on in ("no", "yes"):
        answer = client.post("/account/sound", {"is_on": is_on}, headers={"X-Requested-With": "fetch"})
        asha.refresh_from_db()
        assert (answer.status_code, asha.is_silent) == (200, is_on == "no")
    assert browser().post("/account/sound", {}, headers={"X-Requested-With": "fetch"}).status_code == 401


def test_the_mail_address_is_set_and_removed_by_who_knows_the_password() -> None:
    person("usha", email="usha@example.org")
    asha, client = person(), browser("asha")

    def change(email: str, password: str = PASSWORD) -> str:
        client.post("/account/email", {"email": email, "password": password})
        asha.refresh_from_db()
        return str(asha.email)

    assert change("asha@example.org", "wrong") == ""
    assert change("usha@example.org") == ""
    assert change("nonsense") == ""
    assert change("asha@example.org") == "asha@example.org"
    assert change("") == ""


def test_a_person_closes_the_account_with_the_password_and_is_out_everywhere() -> None:
    asha = person()
    here, there = browser("asha"), browser("asha", agent=FIREFOX)
    assert "The password is wrong." in words_of(here.post("/account/close", {"password": "wrong"}))
    assert is_signed_in(there)
    assert here.post("/account/close", {"password": PASSWORD}).headers["Location"] == "/"
    asha.refresh_from_db()
    assert not asha.is_active
    assert not is_signed_in(here)
    assert not is_signed_in(there)
    assert not asha.visits.exists()


def test_a_guest_closes_the_account_by_saying_so_twice() -> None:
    client, guest = guest_browser()
    assert client.post("/account/close", {}).status_code == 200
    guest.refresh_from_db()
    assert guest.is_active
    client.post("/account/close", {"is_sure": "on"})
    guest.refresh_from_db()
    assert not guest.is_active
    assert not is_signed_in(client)


def test_guessing_the_password_of_somebody_who_left_the_browser_open_is_slowed(settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "2 per 15 minutes"}
    person()
    client = browser("asha")
    tries = [client.post("/account/close", {"password": "wrong"}).status_code for _ in range(3)]
    assert tries == [200, 200, 429]
    assert client.post("/account/email", {"email": "", "password": "wrong"}).status_code == 429
    assert client.post("/account/password", {"password": "wrong", "new": "x"}).status_code == 429
