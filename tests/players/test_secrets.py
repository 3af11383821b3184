"""Passwords and tokens are in no row and no line of any log."""

import logging
from typing import Any

import pytest
from django.apps import apps

from players.models import Player
from tests.contract import Api

pytestmark = pytest.mark.django_db
FIRST, SECOND, WRONG = "first-wet-otter", "second-wet-otter", "wrong-wet-otter"


def every_row() -> str:
    """Return the whole database as text."""
    rows = [list(model._base_manager.values()) for model in apps.get_models(include_auto_created=True)]
    return repr(rows)


def test_neither_is_written_anywhere_in_clear(caplog: pytest.LogCaptureFixture, settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign_in": "100/minute"}
    with caplog.at_level(logging.DEBUG):
        anyone = Api()
        told = [anyone.post("/players", {"username": "asha", "password": FIRST}).json()["token"]]
        me = Api(told[0])
        told.append(anyone.post("/sessions", {"username": "asha", "password": FIRST}).json()["token"])
        told.append(me.post("/tokens", {"name": "x", "scopes": ["games:read"]}, Idempotency_Key="k1").json()["token"])
        anyone.post("/sessions", {"username": "asha", "password": WRONG})
        anyone.post("/sessions", {"username": WRONG, "password": WRONG})
        anyone.post("/players", {"username": "asha", "password": WRONG})
        anyone.post("/players", {"username": "bela", "password": WRONG, "colour": 1})
        anyone.post("/players", f'{{"username": "bela", "password": "{WRONG}"'.encode())
        me.post("/me/password", {"old": FIRST, "new": SECOND}, Idempotency_Key="k2")
        me.post("/me/password", {"old": WRONG, "new": SECOND})
        me.get(f"/me?token={told[0]}")
        anyone.get("/me", Authorization=f"Bearer {told[1]}")
        guest = Api(anyone.post("/players/guest").json()["token"])
        guest.patch("/me", {"username": "carl", "password": SECOND})
        guest.delete("/me", {"password": WRONG})
        Api(anyone.post("/players/guest").json()["token"]).delete("/me", {"password": WRONG})
    assert Player.objects.filter(username="carl").exists()
    seen = {"rows": every_row(), "log": caplog.text + repr([record.__dict__ for record in caplog.records])}
    for place, text in seen.items():
        for secret in (FIRST, SECOND, WRONG, *told, *(token.removeprefix("cb_") for token in told)):
            assert secret not in text, place


def test_an_accident_while_a_password_is_at_hand_writes_neither(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(password: str) -> str:
        raise LookupError(password)

    monkeypatch.setattr("players.services.accounts.make_password", break_down)
    with caplog.at_level(logging.DEBUG):
        answer = Api().post("/players", {"username": "asha", "password": FIRST})
    assert answer.status_code == 500
    assert FIRST not in caplog.text + answer.content.decode()
