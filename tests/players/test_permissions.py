"""Who may do what with accounts: every operation for every kind of caller, none left out."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import URLPattern
from django.utils import timezone

from players.api.urls import urlpatterns
from players.models import Player, Token
from players.services.tokens import digest, new_text
from players.terms import Scope
from tests.contract import Api
from tests.players.people import PASSWORD, asha, guest

pytestmark = pytest.mark.django_db

GOOD: dict[str, Any] = {
    "POST players": {"username": "newcomer", "password": PASSWORD},
    "POST players/guest": {},
    "POST sessions": {"username": "asha", "password": PASSWORD},
    "GET me": None,
    "PATCH me": {},
    "DELETE me": {"password": PASSWORD},
    "POST me/password": {"old": PASSWORD, "new": "another wet otter"},
    "GET tokens": None,
    "POST tokens": {"name": "script", "scopes": []},
    "DELETE tokens/<id:token_id>": None,
    "GET players/<str:username>": None,
    "GET limits": None,
}
OPEN = {"POST players", "POST players/guest", "POST sessions"}
ANY_TOKEN = {"GET limits"}
SCOPE_OF = {
    "GET me": "account:read",
    "PATCH me": "account:write",
    "DELETE me": "account:write",
    "POST me/password": "account:write",
    "GET tokens": "account:read",
    "POST tokens": "account:write",
    "DELETE tokens/<id:token_id>": "account:write",
    "GET players/<str:username>": "games:read",
}


def with_token(**changes: Any) -> Api:
    """Return asha with a token that differs from the first one by *changes*."""
    asha()
    text = new_text()
    row = Token.objects.get()
    wanted = {"scopes": row.scopes, "name": "other", **changes}
    Token.objects.create(id=uuid4(), player_id=row.player_id, digest=digest(text), **wanted)
    return Api(text)


def suspended() -> Api:
    me = asha()
    Player.objects.update(suspended_at=timezone.now())
    return me


def closed() -> Api:
    me = asha()
    Player.objects.update(is_active=False)
    return me


def ended() -> Api:
    return with_token(expires_at=timezone.now() - timedelta(seconds=1))


def revoked() -> Api:
    me = with_token()
    Token.objects.all().delete()
    return me


def nobody() -> Api:
    asha()
    return Api()


def with_scope(scope: str) -> Callable[[], Api]:
    return lambda: with_token(scopes=[scope])


CALLERS: dict[str, Callable[[], Api]] = {
    "nobody": nobody,
    "a person": asha,
    "somebody suspended": suspended,
    "a closed account": closed,
    "an ended token": ended,
    "a revoked token": revoked,
    "a token for one game": lambda: with_token(game_id=uuid4()),
    "a token without scopes": lambda: with_token(scopes=[]),
    **{f"only {scope}": with_scope(scope) for scope in Scope.values},
}


def expected(operation: str, caller: str) -> tuple[int, ...]:
    """Return the statuses that are right."""
    if operation in OPEN:
        closed_out = operation == "POST sessions" and caller in ("somebody suspended", "a closed account")
        return (401, 403) if closed_out else (201,)
    if caller in ("nobody", "a closed account", "an ended token", "a revoked token"):
        return (401,)
    if caller == "somebody suspended":
        return (403,)
    fine = (200, 201, 204)
    if operation in ANY_TOKEN or caller == "a person":
        return fine
    return fine if caller == f"only {SCOPE_OF[operation]}" else (403,)


def operations() -> list[str]:
    """Return what the router knows, as "METHOD path"."""
    found = []
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        view: Any = pattern.callback.view_class  # type: ignore[attr-defined]
        found += [
            f"{method.upper()} {pattern.pattern}"
            for method in view.http_method_names
            if method != "head" and hasattr(view, method)
        ]
    return found


def test_no_operation_is_left_out() -> None:
    assert sorted(operations()) == sorted(GOOD)
    assert set(GOOD) == OPEN | ANY_TOKEN | set(SCOPE_OF)


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("operation", GOOD)
def test_who_may(operation: str, caller: str) -> None:
    me = CALLERS[caller]()
    method, _, path = operation.partition(" ")
    first = Token.objects.first()
    path = path.replace("<str:username>", "asha").replace("<id:token_id>", first.pk.hex if first else "0" * 32)
    body = GOOD[operation]
    if operation == "POST tokens":
        scope = caller.removeprefix("only ") if caller.startswith("only ") else "account:write"
        body = {**body, "scopes": [scope]}
    assert me.send(method, f"/{path}", body).status_code in expected(operation, caller)


def test_a_guest_may_what_a_person_may() -> None:
    me = guest()
    name = me.get("/me").json()["username"]
    for path in ("/tokens", "/limits", f"/players/{name}"):
        assert me.get(path).status_code == 200
