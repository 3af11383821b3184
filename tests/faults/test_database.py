"""A database that goes away and comes back is a pause for everybody, and no more than that."""

import signal
import time
import urllib.request
from contextlib import ExitStack, suppress
from random import Random
from urllib.error import HTTPError

import psycopg
import pytest

from tests.faults.history import Entry, entries_by_game
from tests.faults.kills import backends_of
from tests.faults.rig import Rig
from tests.faults.tables import LITE, WITH_BOTS
from tests.faults.verdict import people_at

pytestmark = pytest.mark.slow

TABLES = [LITE, LITE, WITH_BOTS, WITH_BOTS]
END_THE_SERVICES = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'taken'
"""


def answers(rig: Rig, since: float) -> list[Entry]:
    """Return every answer to a request that was sent after *since*."""
    games = entries_by_game(rig.folder / "history.jsonl")
    return [entry for _, entries in games for entry in entries if entry.sent > since and entry.status]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["fast", "immediate"])
def test_while_the_database_restarts_people_are_told_503_and_the_first_request_afterwards_is_fine(
    rig: Rig, how: signal.Signals
) -> None:
    with people_at(rig, *TABLES) as driver:
        driver.wait_for_plays(10)
        went_at = time.monotonic()
        rig.database.send(how)
        assert rig.database.process
        rig.database.process.wait(30)
        driver.wait_for(lambda: driver.tally.errors["503 unavailable"] > 0, 20)
        rig.database.start()
        back_at = time.monotonic()
        assert driver.wait_for_plays(10) < 15
    assert {entry.status for entry in answers(rig, went_at) if entry.status >= 500} == {503}
    assert [entry for entry in answers(rig, back_at) if entry.status >= 500] == []


def test_connections_that_the_database_ends_all_the_time_lose_nothing(rig: Rig) -> None:
    rng = Random(1)
    with people_at(rig, *TABLES) as driver:
        for _ in range(20):
            time.sleep(0.25)
            rig.ask("SELECT pg_terminate_backend(%s)", rng.choice(backends_of(rig)))
        assert driver.wait_for_plays(10) < 15
    assert driver.plays > 50


def test_when_no_connection_is_left_people_are_told_503_and_play_on_as_soon_as_there_is_one(rig: Rig) -> None:
    with people_at(rig, LITE, LITE) as driver:
        driver.wait_for_plays(5)
        told = driver.tally.errors["503 unavailable"]
        with ExitStack() as taken:
            control = taken.enter_context(psycopg.connect(rig.cluster.url(), autocommit=True))

            def is_refused() -> bool:
                take_every_connection(rig, taken)
                control.execute(END_THE_SERVICES)
                take_every_connection(rig, taken)
                return driver.tally.errors["503 unavailable"] > told

            driver.wait_for(is_refused, 30)
            assert status(rig, "/healthz") == 200
            assert status(rig, "/readyz") == 503
        assert driver.wait_for_plays(10) < 10


def take_every_connection(rig: Rig, taken: ExitStack) -> None:
    """Connect until the database takes no more."""
    with suppress(psycopg.OperationalError):
        while True:
            taken.enter_context(psycopg.connect(rig.cluster.url(), autocommit=True, application_name="taken"))


def status(rig: Rig, path: str) -> int:
    """Return the status of the answer to GET *path*."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{rig.port}{path}", timeout=10) as answer:
            return int(answer.status)
    except HTTPError as refusal:
        return refusal.code
