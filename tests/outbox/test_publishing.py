"""A message to the workers is never in the way: a dead or frozen broker costs next to nothing, and no error."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis as redis_client

from callbreak_site.embedded.addresses import celery_url
from callbreak_site.embedded.redis import Redis
from callbreak_site.outbox.publishing import Publisher
from tests.services import redis, temporary_folder

TASK = "callbreak_site.outbox.tasks.deliver"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture
def server(folder: Path) -> Iterator[Redis]:
    with redis(folder) as server:
        yield server


@pytest.fixture
def publisher(server: Redis) -> Publisher:
    return Publisher(celery_url(server.url()))


@contextmanager
def frozen(server: Redis) -> Iterator[None]:
    pid = int(server.pidfile.read_text())
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def seconds_to_publish(publisher: Publisher) -> tuple[bool, float]:
    began = time.perf_counter()
    is_taken = publisher.publish(TASK, 1, queue="turns")
    return is_taken, time.perf_counter() - began


def messages(server: Redis) -> int:
    with redis_client.Redis.from_url(server.url()) as client:
        return int(client.llen("turns"))  # type: ignore[arg-type]


def test_a_message_reaches_its_queue(server: Redis, publisher: Publisher) -> None:
    assert publisher.publish(TASK, 1, queue="turns")
    assert messages(server) == 1


def test_without_a_broker_nothing_is_raised_and_nothing_waited_for(folder: Path) -> None:
    publisher = Publisher(celery_url(f"unix://{folder}/nobody.sock?db=0"))
    is_taken, seconds = seconds_to_publish(publisher)
    assert not is_taken
    assert seconds < 0.5


@pytest.mark.parametrize("is_known", [True, False])
def test_a_frozen_broker_costs_half_a_second_at_most(server: Redis, publisher: Publisher, is_known: bool) -> None:
    if is_known:
        publisher.publish(TASK, 1, queue="turns")
    with frozen(server):
        is_taken, seconds = seconds_to_publish(publisher)
    assert not is_taken
    assert seconds < 0.5


def test_after_a_failure_the_broker_is_left_alone_for_a_while(server: Redis, publisher: Publisher) -> None:
    with frozen(server):
        seconds_to_publish(publisher)
        assert all(seconds_to_publish(publisher)[1] < 0.01 for _ in range(20))


def test_once_the_broker_is_back_it_is_used_again(
    server: Redis, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callbreak_site.outbox.publishing.SECONDS_OF_QUIET", 0.1)
    with frozen(server):
        assert not publisher.publish(TASK, 1, queue="turns")
    time.sleep(0.2)
    assert publisher.publish(TASK, 2, queue="turns")


def test_a_broker_that_is_full_refuses_without_a_fuss(server: Redis, publisher: Publisher) -> None:
    with redis_client.Redis.from_url(server.url()) as client:
        client.config_set("maxmemory", "1")
    assert not publisher.publish(TASK, 1, queue="turns")


def test_a_broker_that_was_killed_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callbreak_site.outbox.publishing.SECONDS_OF_QUIET", 0.0)
    with redis(folder) as server:
        publisher = Publisher(celery_url(server.url()))
        assert publisher.publish(TASK, 1, queue="turns")
    with redis(folder):
        publisher.publish(TASK, 1, queue="turns")
        assert publisher.publish(TASK, 1, queue="turns")
