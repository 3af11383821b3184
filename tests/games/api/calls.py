"""What a request costs without a clock: Python calls, and messages sent to the workers."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import redis
from django.conf import settings
from django.test import Client

QUEUES = ("turns", "maintenance")


@dataclass
class Cost:
    """How many Python functions were entered, and how many messages were sent, by one request."""

    calls: int = 0
    publishes: int = 0


def cost_of(act: Callable[[], Any]) -> Cost:
    """Return what *act* costs in this thread; it must be warm, for what is done once a process is no part of it."""
    cost = Cost()

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            cost.calls += 1

    before, waiting = sys.getprofile(), messages()
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(before)
    cost.publishes = messages() - waiting
    return cost


def messages() -> int:
    """Return how many messages wait for the workers."""
    server = redis.Redis.from_url(settings.REDIS_URL)
    try:
        return sum(int(server.llen(queue)) for queue in QUEUES)
    finally:
        server.close()


def asked(client: Client, method: str, path: str, token: str, body: bytes = b"", **headers: str) -> Callable[[], Any]:
    """Return what sends a request without looking at its answer beyond the status."""

    def ask() -> Any:
        kind = "application/json" if body else ""
        sent = {"Authorization": f"Bearer {token}", **headers}
        answer = client.generic(method, f"/api/v1{path}", body, content_type=kind, headers=sent)
        assert answer.status_code in (200, 304), answer.content
        return answer

    return ask
