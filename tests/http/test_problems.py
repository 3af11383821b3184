"""Every accident is a problem that tells nothing; what is out of reach says when to come back."""

import logging
import threading
import time
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test import Client

from callbreak_site.errors import Code
from callbreak_site.http.problems import STATUS_AND_TITLE
from players.models import Player, Token
from tests.http.asking import GAME, ask, code_of, nothing_done, person  # noqa: F401

pytestmark = pytest.mark.urls("tests.http.site")


def test_every_code_has_a_status() -> None:
    assert set(STATUS_AND_TITLE) == set(Code)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["slow", "gone", "redis", "broker"])
def test_what_is_out_of_reach_is_503_and_says_when_to_come_back(kind: str) -> None:
    person()
    refusal = ask("GET", f"/accidents/{kind}")
    assert code_of(refusal) == (503, "unavailable")
    assert int(refusal.headers["Retry-After"]) == refusal.told["retry_after"] > 0
    connection.close()
    assert ask("GET", "/accidents/none").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_row_that_somebody_holds_is_503_in_time_and_nothing_is_half_done() -> None:
    token = person()
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Player.objects.select_for_update().get()
            held.set()
            release.wait(20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(10)
    began = time.monotonic()
    try:
        refusal = ask("POST", "/tokens", token, {"name": "x", "scopes": ["games:read"]}, Idempotency_Key="k")
    finally:
        took = time.monotonic() - began
        release.set()
        holder.join()
    assert code_of(refusal) == (503, "unavailable")
    assert took < 3.5
    assert Token.objects.count() == 1
    assert (
        ask("POST", "/tokens", token, {"name": "x", "scopes": ["games:read"]}, Idempotency_Key="k").status_code == 201
    )
    assert Token.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_database_that_refuses_connections_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    token = person()
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nonexistent")
    refusal = ask("GET", "/me", token)
    connection.close()
    assert code_of(refusal) == (503, "unavailable")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["bug", "constraint"])
def test_an_accident_is_logged_under_its_id_without_what_it_held(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    person("asha-of-the-hills")
    with caplog.at_level(logging.DEBUG):
        refusal = ask("GET", f"/accidents/{kind}")
    assert code_of(refusal) == (500, "internal")
    assert UUID(refusal.told["instance"].removeprefix("urn:uuid:")).hex in caplog.text
    assert {"bug": "LookupError", "constraint": "23505"}[kind] in caplog.text
    assert "site.py" in caplog.text
    for told in (caplog.text, refusal.content.decode()):
        for secret in ("AS KH", "asha-of-the-hills"):
            assert secret not in told
    assert "site.py" not in refusal.content.decode()


@pytest.mark.django_db
def test_a_problem_says_nothing_of_an_accident_even_to_the_eye(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DEBUG = True
    assert "AS" not in ask("GET", "/accidents/bug").content.decode()
    assert "LookupError" in capsys.readouterr().err


@pytest.mark.django_db
def test_a_stranger_learns_nothing_from_where_an_accident_would_be() -> None:
    assert code_of(ask("POST", "/accidents/bug", person())) == (405, "method_not_allowed")
    assert code_of(ask("GET", f"/games/{GAME.hex}/accidents")) == (401, "not_authenticated")


def test_more_parameters_than_a_client_would_send_are_a_bad_request(db: None) -> None:
    many = "&".join(f"a{number}=1" for number in range(1100))
    answer = Client().get(f"/api/v1/games?{many}", headers={"Authorization": "Bearer cb_x"})
    assert answer.status_code == 401
    answer = Client().post(f"/api/v1/players/guest?{many}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
