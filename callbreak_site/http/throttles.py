"""How many requests are too many, counted in lanes that can't starve each other.

Redis counts, so that all processes share one count. While it is away, reading, writing and playing are free, and each
process counts signing in, signing up and asking for mail for itself.
"""

import hashlib
import logging
import math
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import redis
from django.conf import settings
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis.backoff import NoBackoff
from redis.retry import Retry

from callbreak_site.errors import Code, ServiceError

log = logging.getLogger("callbreak.throttles")

GUARDED = frozenset({"sign_in", "sign_in_address", "sign_up", "mail", "mail_address"})
SECONDS_TO_WAIT = 0.5
SECONDS_TO_LEAVE_REDIS_ALONE = 2.0


class TooManyError(ServiceError):
    """A refusal that says when to come back."""

    def __init__(self, lane: str, item: RateLimitItem, seconds: int) -> None:
        super().__init__(Code.RATE_LIMITED, f"Try again in {seconds} s.", retry_after=seconds)
        self.headers = {
            "RateLimit-Policy": f'"{lane}";q={item.amount};w={item.get_expiry()}',
            "RateLimit": f'"{lane}";r=0;t={seconds}',
        }


@dataclass
class Counters:
    """The shared count in Redis, and this process's own for when that is away."""

    shared: MovingWindowRateLimiter
    own: MovingWindowRateLimiter = field(default_factory=lambda: MovingWindowRateLimiter(MemoryStorage()))
    is_away_until: float = 0.0

    def pick(self, lane: str) -> MovingWindowRateLimiter | None:
        """Return who counts this lane now; None if nobody does."""
        if time.monotonic() >= self.is_away_until:
            return self.shared
        return self.own if lane in GUARDED else None

    def leave_redis_alone(self, error: Exception) -> None:
        """Ask Redis nothing for a moment, so that no request but one waits for it."""
        log.warning("limits are not shared: %s", type(error).__name__)
        self.is_away_until = time.monotonic() + SECONDS_TO_LEAVE_REDIS_ALONE


@cache
def counters() -> Counters:
    """Return this process's counters; they connect when first used."""
    pool = redis.ConnectionPool.from_url(
        settings.REDIS_URL,
        socket_timeout=SECONDS_TO_WAIT,
        socket_connect_timeout=SECONDS_TO_WAIT,
        retry=Retry(NoBackoff(), 0),
    )
    return Counters(
        MovingWindowRateLimiter(RedisStorage("redis://", connection_pool=pool, key_prefix="callbreak:limit"))
    )


def spend(lane: str, *who: str) -> None:
    """Count one request of *who* in *lane*; raises TooManyError when there were too many."""
    item = limit_of(lane)
    if item is None:
        return None
    keys = (lane, imprint(*who))
    try:
        limiter = counters().pick(lane)
        if limiter is None or limiter.hit(item, *keys):
            return None
        seconds = limiter.get_window_stats(item, *keys).reset_time - time.time()
    except redis.RedisError as error:
        counters().leave_redis_alone(error)
        return spend(lane, *who)
    log.info("slowed: %s", lane)
    raise TooManyError(lane, item, max(1, math.ceil(seconds)))


def forgive(lane: str, *who: str) -> None:
    """Forget what *who* has spent in *lane*."""
    item = limit_of(lane)
    limiter = counters().pick(lane)
    if item is None or limiter is None:
        return
    try:
        limiter.clear(item, lane, imprint(*who))
    except redis.RedisError as error:
        counters().leave_redis_alone(error)


def limit_of(lane: str) -> RateLimitItem | None:
    """Return the limit of *lane*; None where the operator has switched it off."""
    text = settings.THROTTLES[lane]
    return parsed(text) if text else None


@cache
def parsed(text: str) -> RateLimitItem:
    """Return the limit that *text* says.

    >>> parsed("10 per 15 minutes").amount, parsed("50/second").get_expiry()
    (10, 1)
    """
    return parse(text)


def imprint(*who: str) -> str:
    """Return a short name for *who*, which may hold anything a stranger typed.

    >>> imprint("a", "b") == imprint("a", "b") != imprint("ab")
    True
    """
    return hashlib.sha256("\0".join(who).encode(errors="surrogatepass")).hexdigest()[:32]


def listing() -> list[dict[str, Any]]:
    """Return every lane with the requests it allows in so many seconds; null where it is free."""
    items = [(lane, limit_of(lane)) for lane in settings.THROTTLES]
    return [
        {"lane": lane, "requests": item.amount if item else None, "seconds": item.get_expiry() if item else None}
        for lane, item in items
    ]
