"""The commands of compose.yaml, as they stand, behind the proxy that it ships."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import psycopg
import pytest

from tests.site.playing import Person
from tests.site.running import CHECKOUT
from tests.site.serving import HOST, ONE, OTHER, House, ask, house, wait_until
from tests.site.tools import tool

pytestmark = pytest.mark.slow
TOKEN = "a-token-of-the-operators"
QUICK = 5.0
"""Seconds in which everybody is answered, however busy this machine is."""


@pytest.fixture(scope="module")
def place() -> Iterator[House]:
    tool("nginx")
    with house(METRICS_TOKEN=TOKEN, THROTTLE_ANONYMOUS="40/minute") as made, made.proxy():
        made.start_web(*made.web, made.streams)
        for service in (*made.workers, made.beat):
            service.start()
        wait_until(lambda: ask(made.proxy_port, "GET", "/readyz")[0] == 200, 90, made.workers[0].log)
        yield made


@pytest.fixture
def people(place: House) -> Iterator[list[Person]]:
    """Four people who play through the proxy until the test ends."""
    made = [Person(place.proxy_port, HOST) for _ in range(4)]
    for person in made:
        person.sign_up()
        person.start()
    yield made
    for person in made:
        person.stop()


def verified(place: House) -> str:
    """Play every stored game again, and return what is said of that."""
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_games"],
        cwd=CHECKOUT,
        env=dict(os.environ) | {"DATABASE_URL": place.database_url},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_every_service_runs_with_the_command_of_compose(place: House) -> None:
    assert json.loads(ask(place.proxy_port, "GET", "/readyz")[2])["status"] == "ready"
    for service in (*place.web, place.streams, *place.workers, place.beat):
        assert service.is_running()
    with psycopg.connect(place.database_url, autocommit=True) as connection:
        wait_until(
            lambda: connection.execute("SELECT FROM outbox_heartbeat WHERE name = 'beat'").rowcount, 30, place.beat.log
        )


def test_the_second_web_server_migrates_nothing_anew(place: House) -> None:
    told = [service.log.read_text() for service in place.web]
    assert sum("Applying games.0001_initial... OK" in text for text in told) == 1
    assert sum("No migrations to apply." in text for text in told) == 1


def test_each_web_server_tells_its_metrics_and_the_proxy_none(place: House) -> None:
    for address in (ONE, OTHER):
        status, _, body = ask(place.port, "GET", "/metrics", address=address, Authorization=f"Bearer {TOKEN}")
        assert (status, b"callbreak_database_up 1.0" in body) == (200, True)
    assert ask(place.proxy_port, "GET", "/metrics", Authorization=f"Bearer {TOKEN}")[0] == 404


def test_limits_count_the_client_and_not_what_he_says_he_is(place: House) -> None:
    def asked(client: str, times: int) -> set[int]:
        """Return how *client* is answered who forges a header that the server in front adds his address to."""
        told = [f"192.0.2.{number}, {client}" for number in range(times)]
        return {ask(place.proxy_port, "GET", "/api/v1/games", X_Forwarded_For=text)[0] for text in told}

    assert 429 in asked("198.51.100.7", 60)
    assert 429 not in asked("198.51.100.8", 2)


def test_a_rolling_restart_costs_no_request_and_doubles_no_turn(place: House, people: list[Person]) -> None:
    time.sleep(1)
    for service in place.web:
        service.stop(15)
        time.sleep(0.5)
        place.start_web(service)
    for service in place.workers:
        service.stop(60)
        time.sleep(0.5)
        service.start()
    acts = sum(len(person.statuses) for person in people)
    time.sleep(2)
    for person in people:
        person.stop()
    failures = [failure for person in people for failure in person.failures]
    assert failures == []
    assert sum(len(person.statuses) for person in people) > acts > 100
    with psycopg.connect(place.database_url) as connection:
        games = {person.game: person.versions[person.game] for person in people if person.game in person.versions}
        for game, told in games.items():
            (kept,) = connection.execute("SELECT version FROM games_game WHERE id = %s", [game]).fetchone() or (0,)
            assert kept >= told
    assert " 0 with differences" in verified(place)


def test_pages_are_told_what_is_played_through_the_proxy_and_go_on_after_a_restart(
    place: House, people: list[Person]
) -> None:
    """A spectator follows a game that somebody plays meanwhile."""
    game = people[0].game or people[1].game
    told: list[int] = []
    for goal in (12, 24):
        connection = HTTPConnection(ONE, place.proxy_port, timeout=20)
        headers = {"Host": HOST, "Last-Event-ID": str(told[-1] if told else 0)}
        connection.request("GET", f"/games/{game}/stream", headers=headers)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
        while len(told) < goal and (line := answer.readline()):
            told += [int(line.removeprefix(b"id: "))] if line.startswith(b"id: ") else []
        if goal == 12:
            place.streams.stop(10)
            place.start_web(place.streams)
        connection.close()
    assert told == list(range(1, len(told) + 1))
    assert len(told) >= 24


def test_slow_clients_keep_nobody_waiting(place: House) -> None:
    """A few hundred connections that send or read as slowly as they can; the others are answered."""
    sources = [f"127.0.1.{number}" for number in range(1, 5)]
    slow = {
        b"GET /api/v1/rulesets HTTP/1.1\r\nHost: callbreak.example\r\n": b"X-A: b\r\n",
        b"POST /api/v1/players HTTP/1.1\r\nHost: callbreak.example\r\nContent-Length: 60000\r\n\r\n{": b" ",
        b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: callbreak.example\r\n\r\n" * 20: b"",
    }
    person = Person(place.proxy_port, HOST)
    person.sign_up()
    person.new_game()
    person.close()
    state, token = (place.proxy_port, "GET", f"/api/v1/games/{person.game}"), f"Bearer {person.token}"
    opened: list[tuple[socket.socket, bytes]] = []
    try:
        for head, drip in slow.items():
            for number in range(100):
                connection = socket.create_connection((ONE, place.proxy_port), 5, (sources[number % 4], 0))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                connection.sendall(head)
                opened.append((connection, drip))
        ends_at, longest, answers = time.monotonic() + 10, 0.0, 0
        with ThreadPoolExecutor(4) as normal:
            while time.monotonic() < ends_at:
                for connection, drip in opened:
                    try:
                        connection.send(drip)
                    except OSError:
                        continue
                began = time.monotonic()
                told = list(normal.map(lambda _: ask(*state, Authorization=token)[0], range(8)))
                longest, answers = max(longest, time.monotonic() - began), answers + len(told)
                assert set(told) == {200}
    finally:
        for connection, _ in opened:
            connection.close()
    assert answers >= 16
    assert longest < QUICK
