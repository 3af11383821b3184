"""Requests to the little API of `site.py`."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from players.models import Token
from players.services import accounts
from players.services.tokens import digest, new_text
from tests.http import site

GAME = UUID(int=7)


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    site.acts.clear()
    site.hidden.clear()
    yield


def person(name: str = "asha") -> str:
    """Sign somebody up and return the token."""
    return accounts.sign_up(username=name, password="a wet otter on a bus").token


def token_like(token: str, **changes: Any) -> str:
    """Make another token of the same person, with *changes*."""
    row = Token.objects.get(digest=digest(token))
    text = new_text()
    row.pk = None
    row._state.adding = True
    row.id, row.digest = uuid4(), digest(text)
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(force_insert=True)
    return text


def ask(method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> Any:
    """Send a request and return the response with its JSON as `told`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    kind = "application/json" if raw else ""
    response: Any = Client(raise_request_exception=True).generic(method, f"/api/v1{path}", raw, kind, headers=sent)
    response.told = json.loads(response.content) if response.content else None
    return response


def code_of(response: Any) -> tuple[int, str]:
    """Return the status and the code of a refusal, which must be a whole problem."""
    assert response.headers["Content-Type"] == "application/problem+json"
    assert set(response.told) >= {"type", "title", "status", "detail", "code"}
    assert response.told["status"] == response.status_code
    return response.status_code, response.told["code"]
