"""Every refusal as `application/problem+json` (RFC 9457), whatever raised it."""

import logging
import traceback
import uuid
from typing import Any

import kombu.exceptions
import redis
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.metrics.counters import count_refusal

log = logging.getLogger("callbreak.problems")

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="callbreak"'
SECONDS_TO_RETRY_AFTER = 2

STATUS_AND_TITLE: dict[Code, tuple[int, str]] = {
    Code.INVALID: (400, "The request is malformed"),
    Code.NOT_AUTHENTICATED: (401, "Sign in first"),
    Code.MISSING_SCOPE: (403, "The token does not allow this"),
    Code.SUSPENDED: (403, "The account is suspended"),
    Code.WRONG_PASSWORD: (403, "Wrong password"),
    Code.NOT_SEATED: (403, "You hold no seat in this game"),
    Code.NOT_CREATOR: (403, "Only the creator of the game may do this"),
    Code.NOT_FOUND: (404, "Not found"),
    Code.METHOD_NOT_ALLOWED: (405, "Method not allowed"),
    Code.NOT_ACCEPTABLE: (406, "Not acceptable"),
    Code.USERNAME_TAKEN: (409, "The name is taken"),
    Code.EMAIL_TAKEN: (409, "The e-mail address is taken"),
    Code.ALREADY_SEATED: (409, "You hold a seat already"),
    Code.GAME_FULL: (409, "The game is full"),
    Code.SEAT_TAKEN: (409, "The seat is taken"),
    Code.ALREADY_STARTED: (409, "The game has started"),
    Code.GAME_NOT_OPEN: (409, "The game is not open"),
    Code.GAME_NOT_ACTIVE: (409, "The game is not active"),
    Code.GAME_NOT_FINISHED: (409, "The game is not finished"),
    Code.VERSION_CONFLICT: (409, "The game has moved on"),
    Code.WRONG_PHASE: (409, "Not the time for this act"),
    Code.NOT_YOUR_TURN: (409, "Not your turn"),
    Code.FINISH_AGREED: (409, "All have agreed to finish"),
    Code.UNSUPPORTED_MEDIA_TYPE: (415, "Unsupported media type"),
    Code.IDEMPOTENCY_KEY_REUSED: (422, "The idempotency key belongs to another request"),
    Code.CARD_NOT_HELD: (422, "The card is not in the hand"),
    Code.ILLEGAL_PLAY: (422, "The rules forbid this card"),
    Code.ILLEGAL_BID: (422, "The rules forbid this bid"),
    Code.INVALID_RESERVATION: (422, "The reservation can't be used"),
    Code.NOT_AVAILABLE: (422, "Not available here"),
    Code.RATE_LIMITED: (429, "Too many requests"),
    Code.INTERNAL: (500, "Something went wrong"),
    Code.UNAVAILABLE: (503, "Not available at the moment"),
}
OUT_OF_REACH = (OperationalError, InterfaceError, redis.RedisError, kombu.exceptions.OperationalError)


def status_of(code: Code) -> int:
    """Return the one status that goes with *code*."""
    return STATUS_AND_TITLE[code][0]


def problem(code: Code, detail: str = "", **extra: Any) -> dict[str, Any]:
    """Return the body of a problem.

    >>> problem(Code.NOT_FOUND) == {
    ...     "type": "urn:callbreak:problem:not_found", "title": "Not found", "status": 404, "detail": "Not found.",
    ...     "code": "not_found"}
    True
    """
    status, title = STATUS_AND_TITLE[code]
    kind = f"urn:callbreak:problem:{code.value}"
    return {
        "type": kind,
        "title": title,
        "status": status,
        "detail": detail or f"{title}.",
        "code": code.value,
        **extra,
    }


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Turn *exc* into a problem; what nobody foresaw is logged and told without a word of what it held."""
    refusal = as_refusal(exc)
    count_refusal(refusal.code)
    headers = dict(getattr(exc, "headers", {}))
    if refusal.code is Code.NOT_AUTHENTICATED:
        headers["WWW-Authenticate"] = CHALLENGE
    if "retry_after" in refusal.extra:
        headers["Retry-After"] = str(refusal.extra["retry_after"])
    body = problem(refusal.code, refusal.detail, **refusal.extra)
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def as_refusal(exc: Exception) -> ServiceError:
    """Return the refusal that *exc* amounts to."""
    match exc:
        case ServiceError():
            return exc
        case exceptions.ValidationError():
            return ServiceError(Code.INVALID, "Some fields are not right.", errors=by_field(exc.detail))
        case exceptions.ParseError():
            return ServiceError(Code.INVALID, str(exc.detail), errors={"body": [str(exc.detail)]})
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return ServiceError(Code.NOT_AUTHENTICATED, str(exc.detail))
        case exceptions.PermissionDenied() | PermissionDenied():
            return ServiceError(Code.MISSING_SCOPE)
        case exceptions.NotFound() | Http404():
            return ServiceError(Code.NOT_FOUND)
        case exceptions.MethodNotAllowed():
            return ServiceError(Code.METHOD_NOT_ALLOWED)
        case exceptions.NotAcceptable():
            return ServiceError(Code.NOT_ACCEPTABLE, "The answer is application/json.")
        case SuspiciousOperation():
            return ServiceError(Code.INVALID, "The request is not one that a client would send.")
        case exceptions.UnsupportedMediaType():
            return ServiceError(Code.UNSUPPORTED_MEDIA_TYPE, "Send application/json.")
        case _ if isinstance(exc, OUT_OF_REACH):
            log.warning("out of reach: %s", kind_of(exc))
            return ServiceError(Code.UNAVAILABLE, "Try again in a moment.", retry_after=SECONDS_TO_RETRY_AFTER)
    return unforeseen(exc)


def unforeseen(exc: Exception) -> ServiceError:
    """Log *exc* under an id that the answer names.

    Neither its message nor any local is written: either may hold cards, a seed or a token.
    """
    mark = uuid.uuid4().hex
    frames = "".join(traceback.format_tb(exc.__traceback__))
    log.error("internal error %s: %s\n%s", mark, kind_of(exc), frames)
    if settings.DEBUG:
        traceback.print_exception(exc)
    return ServiceError(Code.INTERNAL, "The error has been logged.", instance=f"urn:uuid:{uuid.UUID(mark)}")


def kind_of(exc: BaseException) -> str:
    """Return the name of an exception's class, and the SQLSTATE and constraint where the database gave them.

    >>> kind_of(ValueError("secret"))
    'ValueError'
    """
    cause = exc.__cause__
    parts = [type(exc).__qualname__, getattr(cause, "sqlstate", None)]
    parts.append(getattr(getattr(cause, "diag", None), "constraint_name", None))
    return " ".join(part for part in parts if part)


def by_field(detail: Any) -> dict[str, list[str]]:
    """Flatten DRF's nested messages; what is wrong with the whole is under "body".

    >>> by_field({"options": {"rounds": ["Too many."]}, "bots": {1: ["Unknown."]}, "non_field_errors": ["No."]})
    {'options.rounds': ['Too many.'], 'bots.1': ['Unknown.'], 'body': ['No.']}
    """
    found: dict[str, list[str]] = {}

    def walk(node: Any, path: tuple[str, ...]) -> None:
        if isinstance(node, dict):
            for name, inner in node.items():
                walk(inner, path if name == "non_field_errors" else (*path, str(name)[:100]))
        elif isinstance(node, list) and any(isinstance(inner, dict | list) for inner in node):
            for number, inner in enumerate(node):
                walk(inner, (*path, str(number)))
        else:
            messages = node if isinstance(node, list) else [node]
            found.setdefault(".".join(path) or "body", []).extend(map(str, messages))

    walk(detail, ())
    return found
