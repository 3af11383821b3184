"""A request that is sent twice does its work once: the answer is kept in the transaction of the work."""

import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.models import IdempotencyKey
from callbreak_site.http.rendering import as_json

KEY = re.compile(r"[!-~]{1,255}")
KEPT_FOR = timedelta(hours=24)
# Whoever comes second waits here for the first to end; an answer too old to be replayed makes room for a new one.
CLAIM = """
    INSERT INTO http_idempotencykey AS kept (player_id, path, key, fingerprint, body, created_at)
    VALUES (%s, %s, %s, %s, '', statement_timestamp())
    ON CONFLICT (player_id, path, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, created_at = excluded.created_at
        WHERE kept.created_at <= statement_timestamp() - make_interval(secs => %s)
    RETURNING id
"""


@dataclass(frozen=True)
class Attempt:
    """One request with a key: whose, where, and what it asked for."""

    player_id: UUID
    path: str
    key: str
    fingerprint: bytes


def attempt_of(request: Request, player_id: UUID, body: Any) -> Attempt | None:
    """Return the attempt that *request* is, None without a key; raises INVALID for a key that is not one."""
    key = request._request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not KEY.fullmatch(key):
        message = "Must be 1 to 255 visible ASCII characters."
        raise ServiceError(Code.INVALID, "Some fields are not right.", errors={"Idempotency-Key": [message]})
    return Attempt(player_id, request.path, key, fingerprint(body))


def fingerprint(body: Any) -> bytes:
    """Return a keyed hash of a JSON value: bodies hold passwords, which a plain hash would give away.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1, "b": "2"})
    True
    """
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return salted_hmac("callbreak.idempotency", canonical, algorithm="sha256").digest()


def once(
    attempt: Attempt, *, act: Callable[[], Response], find: Callable[[], Any], may_replay: Callable[[Any, Any], None]
) -> Response:
    """Act and keep a good answer, or give the kept one again.

    Before that, *find* must still find what the request is about, and *may_replay* must not object to the answer.
    """
    with transaction.atomic():
        row_id = claim(attempt)
        if row_id is not None:
            response = act()
            keep(row_id, response)
            return response
        found = find()
        return replay(attempt, found, may_replay)


def claim(attempt: Attempt) -> int | None:
    """Take the key for this transaction and return its row; None if it has an answer."""
    with connection.cursor() as cursor:
        cursor.execute(
            CLAIM, [attempt.player_id, attempt.path, attempt.key, attempt.fingerprint, KEPT_FOR.total_seconds()]
        )
        row = cursor.fetchone()
    return row[0] if row else None


def keep(row_id: int, response: Response) -> None:
    """Write the answer down, without the secrets that are told once."""
    body = response.data
    if body is not None:
        forget = getattr(response, "forget", ())
        body = as_json({name: value for name, value in body.items() if name not in forget})
    IdempotencyKey.objects.filter(pk=row_id).update(status=response.status_code, body=body or "")


def replay(attempt: Attempt, found: Any, may_replay: Callable[[Any, Any], None]) -> Response:
    """Return the kept answer, if it is the answer to this body."""
    kept = IdempotencyKey.objects.get(player_id=attempt.player_id, path=attempt.path, key=attempt.key)
    if not hmac.compare_digest(bytes(kept.fingerprint), attempt.fingerprint):
        raise ServiceError(Code.IDEMPOTENCY_KEY_REUSED, "This key was used here with another body.")
    body = json.loads(kept.body) if kept.body else None
    may_replay(found, body)
    return Response(body, status=kept.status, headers={"Idempotent-Replayed": "true"})


def forget_player(player_id: UUID) -> None:
    """Delete what was answered to a player who leaves."""
    IdempotencyKey.objects.filter(player_id=player_id).delete()


def purge_expired() -> None:
    """Delete the answers that are too old to be given again."""
    IdempotencyKey.objects.filter(created_at__lt=Now() - KEPT_FOR).delete()
