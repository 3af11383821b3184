"""The whole service counts as one, and goes on as was decided while its Redis answers nobody."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.site.running import Running, data_folder, free_port

pytestmark = pytest.mark.slow
LIMIT = 20
WORKERS = 2  # each counts for itself while Redis is away
LONGEST = 3.0
PASSWORD = "a wet otter on a bus"
NO_LIMITS = {f"THROTTLE_{lane}": "" for lane in ("WRITE", "SIGN_IN_ADDRESS")}


class Service:
    """A running service, its Redis, and how long each answer took."""

    def __init__(self, running: Running) -> None:
        self.client = httpx.Client(base_url=running.url("/api/v1"), timeout=20, limits=httpx.Limits(max_connections=60))
        self.redis = int((running.data / "redis-run" / "redis.pid").read_text())
        self.slowest = 0.0

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> httpx.Response:
        began = time.monotonic()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.request(method, path, json=body, headers=headers)
        self.slowest = max(self.slowest, time.monotonic() - began)
        assert answer.status_code < 500, answer.text
        return answer

    def at_once(self, times: int, ask: Callable[[int], httpx.Response]) -> list[int]:
        """Return the statuses of so many requests, fifty at a time."""
        with ThreadPoolExecutor(50) as pool:
            return sorted(answer.status_code for answer in pool.map(ask, range(times)))


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    usual = {f"THROTTLE_{lane}": f"{LIMIT}/hour" for lane in ("READ", "PLAY", "ANONYMOUS", "SIGN_IN", "SIGN_UP")}
    # The test settings hash passwords in no time: what takes long here is Redis alone.
    more = {"LOG_LEVEL": "WARNING", "CALLBREAK_ENV": "test", **NO_LIMITS}
    with data_folder() as data, Running(data, free_port(), **usual, **more) as running:
        running.wait_until_ready()
        made = Service(running)
        yield made
        made.client.close()


def test_fifty_at_once_of_one_address_get_through_as_often_as_allowed(service: Service) -> None:
    statuses = service.at_once(50, lambda _: service.ask("GET", "/games/" + "0" * 32))
    assert statuses.count(429) == 50 - LIMIT


def test_fifty_guesses_at_once_are_no_more_than_one_after_the_other(service: Service) -> None:
    statuses = service.at_once(
        50, lambda n: service.ask("POST", "/sessions", {"username": "ada", "password": f"no-{n}"})
    )
    assert (statuses.count(401), statuses.count(429)) == (LIMIT, 50 - LIMIT)


def test_while_redis_is_frozen_one_plays_and_nobody_guesses(service: Service) -> None:
    token = service.ask("POST", "/players", {"username": "asha", "password": PASSWORD}).json()["token"]
    game = service.ask("POST", "/games", {"ruleset": "lite", "bots": ["easy"] * 3}, token).json()["id"]
    state = wait_for_turn(service, game, token)
    os.kill(service.redis, signal.SIGSTOP)
    try:
        service.slowest = 0.0
        bid = service.ask("POST", f"/games/{game}/bids", {"bid": state["you"]["legal_bids"][0]}, token)
        assert bid.status_code == 200
        assert (
            service.at_once(3 * LIMIT, lambda _: service.ask("GET", f"/games/{game}", token=token)) == [200] * 3 * LIMIT
        )
        times = LIMIT * WORKERS + 30
        guesses = service.at_once(
            times, lambda n: service.ask("POST", "/sessions", {"username": "bo", "password": f"no-{n}"})
        )
        assert guesses.count(401) <= LIMIT * WORKERS
        assert guesses.count(429) == times - guesses.count(401) >= 30
        guests = service.at_once(times, lambda _: service.ask("POST", "/players/guest", {}))
        assert guests.count(201) <= LIMIT * WORKERS
        assert guests.count(429) >= 30
    finally:
        os.kill(service.redis, signal.SIGCONT)
    assert service.slowest < LONGEST


def test_when_redis_answers_again_all_count_together(service: Service) -> None:
    deadline = time.monotonic() + 10
    while service.ask("GET", "/games/" + "0" * 32).status_code != 429:  # spent before it was frozen
        assert time.monotonic() < deadline
        time.sleep(0.2)


def wait_for_turn(service: Service, game: str, token: str) -> dict[str, Any]:
    """Return the state once the bots before us have bid, without spending what is read."""
    for _ in range(10):
        state: dict[str, Any] = service.ask("GET", f"/games/{game}", token=token).json()
        if state["you"]["legal_bids"]:
            return state
        time.sleep(0.5)
    raise AssertionError(state)
