"""Limits hold, for each on its own, and what happens without Redis is what was decided."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import throttles
from tests.http.asking import GAME, ask, code_of, nothing_done, person, token_like  # noqa: F401

pytestmark = pytest.mark.urls("tests.http.site")
PATH = f"/games/{GAME.hex}"
FREE = dict.fromkeys(("read", "play", "write", "anonymous", "sign_up", "sign_in", "sign_in_address"), "")


@pytest.fixture(autouse=True)
def nothing_spent() -> Iterator[None]:
    """Begin with an empty count, and leave none."""
    throttles.counters.cache_clear()
    throttles.counters().shared.storage.reset()
    yield
    throttles.counters.cache_clear()


@pytest.fixture
def limits(settings: Any) -> Any:
    """Return a function that sets the limits of some lanes; the others are free."""

    def set_limits(**lanes: str) -> None:
        settings.THROTTLES = {**FREE, **lanes}

    return set_limits


@pytest.fixture
def no_redis(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    throttles.counters.cache_clear()


@pytest.fixture
def frozen_redis(settings: Any) -> Iterator[None]:
    """Stand for a Redis that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        settings.REDIS_URL = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        throttles.counters.cache_clear()
        yield


@pytest.mark.django_db
def test_too_many_reads_are_refused_and_told_when_to_come_back(limits: Any) -> None:
    limits(read="3 per 30 seconds")
    token = person()
    assert [ask("GET", "/me", token).status_code for _ in range(4)] == [200, 200, 200, 429]
    refusal = ask("GET", "/me", token)
    assert code_of(refusal) == (429, "rate_limited")
    seconds = refusal.told["retry_after"]
    assert 1 <= seconds <= 30
    assert refusal.headers["Retry-After"] == str(seconds)
    assert refusal.headers["RateLimit-Policy"] == '"read";q=3;w=30'
    assert refusal.headers["RateLimit"] == f'"read";r=0;t={seconds}'


@pytest.mark.django_db
def test_reading_too_much_does_not_starve_writing_or_playing(limits: Any) -> None:
    limits(read="1/minute", write="1/minute", play="2/minute")
    token = person()
    for _ in range(3):
        ask("GET", "/me", token)
    assert ask("GET", "/me", token).status_code == 429
    assert ask("PATCH", "/me", token, {}).status_code == 200
    assert ask("PATCH", "/me", token, {}).status_code == 429
    answers = [ask("POST", PATH, token, {"number": 1}).status_code for _ in range(3)]
    assert answers == [201, 201, 429]


@pytest.mark.django_db
def test_each_token_has_a_count_of_its_own(limits: Any) -> None:
    limits(read="1/minute")
    token = person()
    other = token_like(token)
    assert ask("GET", "/me", token).status_code == 200
    assert ask("GET", "/me", other).status_code == 200
    assert ask("GET", "/me", token).status_code == 429


@pytest.mark.django_db
def test_strangers_are_counted_by_address_whatever_headers_they_forge(limits: Any) -> None:
    limits(anonymous="2/minute")
    forged = [{"X_Forwarded_For": f"192.0.2.{number}"} for number in range(3)]
    answers = [ask("GET", PATH, None, None, **headers).status_code for headers in forged]
    assert answers == [200, 200, 429]
    for header in ("Forwarded", "X_Real_IP", "X_Client_IP", "CF_Connecting_IP"):
        assert ask("GET", PATH, None, None, **{header: "192.0.2.7"}).status_code == 429


@pytest.mark.django_db
def test_bad_tokens_are_counted_too(limits: Any) -> None:
    limits(anonymous="2/minute")
    answers = [ask("GET", "/me", f"cb_{number:043}").status_code for number in range(3)]
    assert answers == [401, 401, 429]


@pytest.mark.django_db
def test_signing_up_is_counted_by_address(limits: Any) -> None:
    limits(sign_up="2/hour")
    answers = [ask("POST", "/players/guest", None, {}).status_code for _ in range(3)]
    assert answers == [201, 201, 429]
    refusal = ask("POST", "/players", None, {"username": "asha", "password": "a wet otter on a bus"})
    assert refusal.status_code == 429


def test_fifty_at_once_get_through_exactly_as_often_as_allowed(limits: Any) -> None:
    limits(read="20/minute")
    together = threading.Barrier(50)

    def spend() -> bool:
        together.wait(10)
        try:
            throttles.spend("read", "asha")
        except ServiceError as refusal:
            assert refusal.code is Code.RATE_LIMITED
            return False
        return True

    with ThreadPoolExecutor(50) as pool:
        assert sum(sent.result() for sent in [pool.submit(spend) for _ in range(50)]) == 20


def test_a_limit_forgets(limits: Any) -> None:
    limits(read="2 per 1 second")
    throttles.spend("read", "asha")
    throttles.spend("read", "asha")
    with pytest.raises(ServiceError):
        throttles.spend("read", "asha")
    time.sleep(1.05)
    throttles.spend("read", "asha")


@pytest.mark.parametrize("outage", ["no_redis", "frozen_redis"])
def test_without_redis_playing_is_free_and_guessing_is_not(outage: str, limits: Any, request: Any) -> None:
    request.getfixturevalue(outage)
    limits(
        read="1/minute", play="1/minute", write="1/minute", anonymous="1/minute", sign_in="2/minute", sign_up="2/minute"
    )
    began = time.monotonic()
    for lane in ("play", "read", "write", "anonymous"):
        for _ in range(20):
            throttles.spend(lane, "asha")
    for lane in ("sign_in", "sign_up"):
        throttles.spend(lane, "asha")
        throttles.spend(lane, "asha")
        with pytest.raises(ServiceError):
            throttles.spend(lane, "asha")
        throttles.spend(lane, "bela")
    throttles.forgive("sign_in", "asha")
    throttles.spend("sign_in", "asha")
    assert time.monotonic() - began < 2.5


def test_when_redis_comes_back_it_counts_again(limits: Any, settings: Any, tmp_path: Path) -> None:
    limits(read="1/minute")
    here = settings.REDIS_URL
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    throttles.counters.cache_clear()
    throttles.spend("read", "asha")
    counters = throttles.counters()
    settings.REDIS_URL = here
    throttles.counters.cache_clear()
    counters.shared = throttles.counters().shared
    assert counters.pick("read") is None
    counters.is_away_until = time.monotonic()
    assert counters.pick("read") is counters.shared


def test_a_flushed_redis_only_forgets(limits: Any) -> None:
    limits(read="1/minute")
    throttles.spend("read", "asha")
    connection = throttles.counters().shared.storage.storage
    connection.script_flush()
    with pytest.raises(ServiceError):
        throttles.spend("read", "asha")
    throttles.counters().shared.storage.reset()
    throttles.spend("read", "asha")


@pytest.mark.django_db
def test_the_limits_are_listed(limits: Any) -> None:
    limits(read="50/second", sign_in="10 per 15 minutes")
    told = {limit["lane"]: limit for limit in ask("GET", "/limits", person()).told["results"]}
    assert set(told) == set(FREE)
    assert told["read"] == {"lane": "read", "requests": 50, "seconds": 1}
    assert told["sign_in"] == {"lane": "sign_in", "requests": 10, "seconds": 900}
    assert told["play"] == {"lane": "play", "requests": None, "seconds": None}


def test_unless_told_otherwise_the_limits_are_no_lower_than_promised() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("THROTTLE_")}
    program = "from callbreak_site.settings import THROTTLES; print(THROTTLES)"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    usual = {lane: throttles.parsed(text) for lane, text in eval(done.stdout).items()}

    def in_a_second(lane: str) -> float:
        return usual[lane].amount / usual[lane].get_expiry()

    assert in_a_second("read") >= 50
    assert in_a_second("play") >= 20
    assert in_a_second("sign_up") * 3600 >= 60
    assert 0 < in_a_second("sign_in") * 3600 <= 60
