"""Passwords: changed, forgotten and replaced by a link in a mail."""

import logging
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.services import deliver
from players.models import ResetRequest
from players.services import accounts, resets
from players.services.tokens import issue_token
from tests.contract import Api
from tests.players.people import PASSWORD
from tests.players.web.browsers import FIREFOX, browser, guest_browser, is_signed_in, person, sign_in, words_of

pytestmark = pytest.mark.django_db
NEW = "two dry otters on a tram"


def ask(email: str = "asha@example.org", **headers: str) -> Any:
    """Ask for a link, and let the worker do what there is to do."""
    answer = browser().post("/account/forgotten", {"email": email}, headers=headers)
    for fact in Fact.objects.filter(kind=resets.ASKED, handled_at=None):
        deliver(fact.id)
    return answer


def link() -> str:
    """Return the way to where the last mail leads."""
    [found] = re.findall(r"http://testserver(/account/forgotten/\S+)", str(mail.outbox[-1].body))
    return str(found)


def choose(client: Any, path: str, password: str = NEW) -> Any:
    """Follow the link and send the form."""
    shown = client.get(path, follow=True)
    return client.post(shown.redirect_chain[-1][0], {"new": password}) if shown.redirect_chain else shown


def test_a_change_ends_every_other_session_and_all_tokens_but_not_this_session() -> None:
    asha = person()
    here, there = browser("asha"), browser("asha", agent=FIREFOX)
    token, before = issue_token(player_id=asha.pk, name="x"), here.cookies["sessionid"].value
    assert (
        words_of(here.post("/account/password", {"password": "wrong", "new": NEW})).count("The password is wrong.") == 1
    )
    assert is_signed_in(there)
    assert here.post("/account/password", {"password": PASSWORD, "new": NEW}).status_code == 302
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)
    assert Api(token).get("/me").status_code == 401
    assert here.cookies["sessionid"].value != before
    assert sign_in(browser(), "asha", NEW).status_code == 302


def test_a_change_over_the_api_ends_the_sessions_of_the_pages() -> None:
    asha, client = person(), browser("asha")
    client.get("/account/")
    accounts.change_password(player_id=asha.pk, token_id=None, old=PASSWORD, new=NEW)
    assert not Session.objects.filter(session_key=client.cookies["sessionid"].value).exists()
    assert not is_signed_in(client)


def test_a_weak_new_password_is_refused_in_words() -> None:
    person()
    answer = browser("asha").post("/account/password", {"password": PASSWORD, "new": "password"})
    assert "too common" in words_of(answer)


def test_guests_have_no_password_to_change() -> None:
    client, _ = guest_browser()
    assert client.get("/account/password").headers["Location"] == "/account/sign-up"
    assert client.get("/account/email").headers["Location"] == "/account/sign-up"


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once() -> None:
    asha = person(email="asha@example.org")
    signed_in, token = browser("asha"), issue_token(player_id=asha.pk, name="x")
    browser("asha", agent=FIREFOX)
    ask("ASHA@example.org")
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (["asha@example.org"], "Your new password for Callbreak")
    assert "asha" in letter.body
    assert link() in str(letter.alternatives[0].content)
    answer = choose(signed_in, link())
    assert "Your password is changed" in words_of(answer)
    assert not answer.context["user"].is_authenticated
    assert not asha.visits.exists()
    assert not is_signed_in(signed_in)
    assert Api(token).get("/me").status_code == 401
    assert sign_in(browser(), "asha").status_code == 200
    assert sign_in(browser(), "asha", NEW).status_code == 302
    assert "does not work any more" in words_of(choose(browser(), link(), "three otters on a train"))


def test_the_secret_of_a_link_stays_neither_in_the_address_nor_in_a_log(caplog: pytest.LogCaptureFixture) -> None:
    person(email="asha@example.org")
    ask()
    path, _, secret = link().partition("?key=")
    assert len(secret) > 30
    with caplog.at_level(logging.DEBUG):
        assert browser().get(link()).headers["Location"] == path
        browser().get(f"{path}?key=wrong")
    assert "/account/forgotten/" in caplog.text
    assert secret not in caplog.text


def test_a_link_ends_when_the_password_or_the_time_is_another(settings: Settings) -> None:
    asha = person(email="asha@example.org")
    ask()
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "does not work any more" in words_of(choose(browser(), link()))
    settings.PASSWORD_RESET_TIMEOUT = 7200
    accounts.change_password(player_id=asha.pk, token_id=None, old=PASSWORD, new=NEW)
    assert "does not work any more" in words_of(choose(browser(), link()))


def test_a_password_that_changed_while_the_form_was_open_is_not_replaced() -> None:
    asha = person(email="asha@example.org")
    seen = asha.password
    accounts.change_password(player_id=asha.pk, token_id=None, old=PASSWORD, new=NEW)
    with pytest.raises(Exception, match="just been changed"):
        resets.reset_password(player_id=asha.pk, seen=seen, new="three otters on a train")


def test_no_mail_goes_to_an_account_that_was_closed_meanwhile() -> None:
    asha = person(email="asha@example.org")
    resets.ask_for_reset(email=asha.email, language="en", root="http://testserver")
    accounts.close_account(player_id=asha.pk, password=PASSWORD)
    deliver(Fact.objects.get(kind=resets.ASKED).id)
    assert not mail.outbox
    assert Fact.objects.get(kind=resets.ASKED).handled_at is not None


def test_nobody_learns_which_addresses_have_accounts(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    person(email="asha@example.org")
    gone = person("usha", email="usha@example.org")
    accounts.close_account(player_id=gone.pk, password=PASSWORD)
    answers = []
    for email in ("asha@example.org", "nobody@example.org", "usha@example.org"):
        with django_assert_num_queries(5):
            answer = browser().post("/account/forgotten", {"email": email})
        answers.append((answer.status_code, words_of(answer).replace(email, "")))
    assert answers[0] == answers[1] == answers[2]
    for fact in Fact.objects.filter(kind=resets.ASKED):
        deliver(fact.id)
    assert [letter.to for letter in mail.outbox] == [["asha@example.org"]]


def test_the_mail_is_in_the_language_of_the_account_or_of_the_page() -> None:
    asha = person(email="asha@example.org")
    ask(**{"Accept-Language": "vi"})
    asha.language = "hi"
    asha.save()
    ask()
    assert [request.language for request in ResetRequest.objects.order_by("created_at")] == ["vi", "hi"]
    assert [
        str(letter.alternatives[0].content).count(f'lang="{language}"')
        for letter, language in zip(mail.outbox, ["vi", "hi"], strict=True)
    ] == [1, 1]


def test_neither_a_person_nor_a_place_is_sent_many_mails(settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "mail": "1/hour", "mail_address": "3/hour"}
    person(email="asha@example.org")
    addresses = ["asha@example.org", "Asha@example.org", "nobody@example.org", "else@example.org"]
    assert [ask(email).status_code for email in addresses] == [200, 429, 200, 429]
    assert len(mail.outbox) == 1


def test_a_site_without_mail_says_so(settings: Settings) -> None:
    settings.SENDS_MAIL = False
    assert "sends no mail" in words_of(browser().get("/account/forgotten"))
    ask()
    assert not ResetRequest.objects.exists()


def test_who_asked_is_forgotten_after_a_day() -> None:
    resets.ask_for_reset(email="x@example.org", language="en", root="http://testserver")
    resets.purge_requests()
    assert ResetRequest.objects.count() == 1
    ResetRequest.objects.update(created_at=timezone.now() - timedelta(hours=25))
    resets.purge_requests()
    assert not ResetRequest.objects.exists()
