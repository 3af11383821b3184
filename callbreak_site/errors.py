"""Every refusal has a code; services raise these and HTTP maps them to statuses in one table."""

from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """The stable, machine-readable name of a refusal."""

    INVALID = "invalid"
    NOT_AUTHENTICATED = "not_authenticated"
    MISSING_SCOPE = "missing_scope"
    SUSPENDED = "suspended"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_ACCEPTABLE = "not_acceptable"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"

    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"

    USERNAME_TAKEN = "username_taken"
    EMAIL_TAKEN = "email_taken"
    WRONG_PASSWORD = "wrong_password"

    NOT_SEATED = "not_seated"
    NOT_CREATOR = "not_creator"
    ALREADY_SEATED = "already_seated"
    GAME_FULL = "game_full"
    SEAT_TAKEN = "seat_taken"
    ALREADY_STARTED = "already_started"
    GAME_NOT_OPEN = "game_not_open"
    GAME_NOT_ACTIVE = "game_not_active"
    GAME_NOT_FINISHED = "game_not_finished"
    VERSION_CONFLICT = "version_conflict"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    FINISH_AGREED = "finish_agreed"
    CARD_NOT_HELD = "card_not_held"
    ILLEGAL_PLAY = "illegal_play"
    ILLEGAL_BID = "illegal_bid"
    INVALID_RESERVATION = "invalid_reservation"
    NOT_AVAILABLE = "not_available"


class ServiceError(Exception):
    """A refusal: *code* for programs, *detail* for people, *extra* for what helps (`legal_plays`, `current` …)."""

    def __init__(self, code: Code, detail: str = "", **extra: Any) -> None:
        super().__init__(detail or code.value)
        self.code = code
        self.detail = detail
        self.extra = extra
