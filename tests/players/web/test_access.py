"""Where one is signed in, and the keys of one's programs."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from callbreak_site.errors import ServiceError
from players.models import Visit
from players.services.tokens import create_own_token, issue_token
from players.services.visits import note_visit, purge_ended
from tests.admin.desks import administrator
from tests.contract import Api
from tests.players.people import PASSWORD
from tests.players.web.browsers import FIREFOX, browser, guest_browser, is_signed_in, person, words_of

pytestmark = pytest.mark.django_db


def test_one_sees_where_one_is_signed_in_this_browser_first() -> None:
    person()
    phone, desk = browser("asha"), browser("asha", agent=FIREFOX)
    browser("asha", agent="x" * 2000)
    told = words_of(phone.get("/account/sessions"))
    assert told.count("Last seen on") == 3
    assert "Chrome on Android here" in told
    assert told.index("Chrome on Android") < told.index("Firefox on Linux")
    assert "Firefox on Linux here" in words_of(desk.get("/account/sessions"))


def test_one_of_them_is_ended_and_then_all_others() -> None:
    asha = person()
    here, there, elsewhere = browser("asha"), browser("asha", agent=FIREFOX), browser("asha", agent="curl/8")
    visit = Visit.objects.get(user_agent=FIREFOX)
    here.post(f"/account/sessions/{visit.pk}/end")
    assert [is_signed_in(client) for client in (here, there, elsewhere)] == [True, False, True]
    here.post("/account/sessions/end")
    assert [is_signed_in(client) for client in (here, elsewhere)] == [True, False]
    assert "signed in nowhere else" in words_of(here.get("/account/sessions"))
    assert asha.visits.count() == 1


def test_nobody_ends_the_session_or_the_key_of_somebody_else() -> None:
    asha, client = person(), browser("asha")
    person("usha")
    other = browser("usha")
    token = issue_token(player_id=asha.pk, name="x")
    other.post(f"/account/sessions/{Visit.objects.get(player=asha).pk}/end")
    other.post("/account/sessions/end")
    answer = other.post(f"/account/tokens/{asha.tokens.get().pk}/revoke", follow=True)
    assert "does not exist, or you may not see it" in words_of(answer)
    assert is_signed_in(client)
    assert Api(token).get("/me").status_code == 200


def test_a_session_is_written_down_once_a_day_and_lives_on_from_there(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    person()
    client = browser("asha")
    key = client.cookies["sessionid"].value
    with django_assert_num_queries(2):  # the session, and the player
        assert "sessionid" not in client.get("/account/email").cookies
    yesterday = client.session
    yesterday["seen"] = f"2020-01-01 {key}"
    yesterday.save()
    Visit.objects.update(last_seen_at=timezone.now() - timedelta(days=1))
    Session.objects.update(expire_date=timezone.now() + timedelta(hours=1))
    assert client.get("/account/email").cookies["sessionid"]["max-age"] == 90 * 86_400
    assert Visit.objects.get().last_seen_at > timezone.now() - timedelta(minutes=1)
    assert Session.objects.get(session_key=key).expire_date > timezone.now() + timedelta(days=89)


def test_the_sessions_of_administrators_are_listed_too() -> None:
    desk, admin = browser(), administrator()
    admin.set_password(PASSWORD)
    admin.save()
    desk.post("/admin/login/", {"username": admin.username, "password": PASSWORD})
    assert admin.visits.count() == 1


def test_a_session_that_has_ended_by_itself_is_not_listed_and_then_deleted() -> None:
    asha, client = person(), browser("asha")
    browser("asha", agent=FIREFOX)
    Session.objects.filter(visit__user_agent=FIREFOX).update(expire_date=timezone.now() - timedelta(seconds=1))
    assert "Firefox" not in words_of(client.get("/account/sessions"))
    purge_ended()
    assert asha.visits.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_session_that_was_ended_at_this_moment_is_not_written_down() -> None:
    asha = person()
    note_visit(session_key="ended", player_id=asha.pk, user_agent="x")
    assert not Visit.objects.exists()


def test_a_key_is_shown_once_works_and_is_ended() -> None:
    asha, client = person(), browser("asha")
    form = {"name": "my bot", "scopes": ["games:read", "account:read"], "days": "30"}
    answer = client.post("/account/tokens", form)
    text = answer.context["made"].text
    assert text in answer.content.decode()
    assert text not in client.get("/account/tokens").content.decode()
    assert Api(text).get("/me").json()["username"] == "asha"
    token = asha.tokens.get()
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    assert Api(text).patch("/me", {"email": ""}).status_code == 403
    client.post(f"/account/tokens/{token.pk}/revoke")
    assert Api(text).get("/me").status_code == 401


@pytest.mark.parametrize("wrong", [{"scopes": ["bot:play"]}, {"scopes": []}, {"name": ""}, {"days": "9999999"}])
def test_a_key_that_cannot_be_is_not_made(wrong: dict[str, object]) -> None:
    asha, client = person(), browser("asha")
    answer = client.post("/account/tokens", {"name": "x", "scopes": ["games:read"], "days": "", **wrong})
    assert (set(answer.context["form"].errors), asha.tokens.count()) == (set(wrong), 0)


def test_no_key_is_made_by_a_session_of_an_older_password_or_for_what_no_person_may() -> None:
    asha = person()
    with pytest.raises(ServiceError, match="session has ended"):
        create_own_token(player_id=asha.pk, seen="another hash", name="x", scopes=["games:read"])
    with pytest.raises(ServiceError, match="bot:play"):
        create_own_token(player_id=asha.pk, seen=asha.password, name="x", scopes=["bot:play"])
    assert not asha.tokens.exists()


def test_guests_make_keys_too() -> None:
    client, guest = guest_browser()
    client.post("/account/tokens", {"name": "x", "scopes": ["games:read"], "days": ""})
    assert guest.tokens.get().expires_at is None
