"""Only the clock of the database decides, and a second beat doubles nothing."""

import os
import subprocess
import sys
import time

import pytest

from callbreak_site.embedded.stack import CLOCK, WEB, WORKER
from tests.faults.parts import Part
from tests.faults.rig import Rig
from tests.faults.tables import LITE, SLEEPY, WITH_BOTS
from tests.faults.verdict import people_at
from tests.site.tools import library

pytestmark = pytest.mark.slow

TABLES = [LITE, SLEEPY, SLEEPY, WITH_BOTS]
SECONDS_OF_THREE_SWEEPS = 11
MISSED = "SELECT count(*) FROM games_event WHERE type = 'turn.missed'"


@pytest.mark.parametrize(("web", "worker", "clock"), [("+1d", "+0", "-1h"), ("-1d", "+1h", "+0"), ("+0", "-1d", "+1d")])
def test_no_turn_ends_early_or_late_where_the_other_clocks_are_wrong(
    rig: Rig, web: str, worker: str, clock: str
) -> None:
    faked = {"LD_PRELOAD": library("libfaketimeMT.so.1"), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    usual = [rig.web, rig.workers[0], rig.clock]
    wrong = [
        rig.program("web", WEB, "--host", "127.0.0.1", "--port", str(rig.port), FAKETIME=web, **faked),
        rig.program("worker0", WORKER, "-n", "w0@rig", FAKETIME=worker, **faked),
        rig.program("clock", CLOCK, str(rig.folder / "schedule"), FAKETIME=clock, **faked),
    ]
    before = rig.ask(MISSED)[0][0]
    assert hours_wrong(FAKETIME="+1h", **faked) == 1
    swap(rig, wrong)
    try:
        rig.wait_until_ready()
        with people_at(rig, *TABLES) as driver:
            driver.wait_for_plays(60)
            driver.wait_for(lambda: rig.ask(MISSED)[0][0] > before, 40)
    finally:
        swap(rig, usual)
        rig.wait_until_ready()


def hours_wrong(**environment: str) -> int:
    """Return by how much a program of ours that is started so tells another time than we."""
    told = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
        text=True,
    )
    return round((float(told.stdout) - time.time()) / 3600)


def swap(rig: Rig, parts: list[Part]) -> None:
    """Stop the web server, the worker and the clock, and run *parts* in their place."""
    for part in (rig.web, rig.workers[0], rig.clock):
        part.kill()
    (rig.folder / "schedule").unlink(missing_ok=True)
    rig.web, rig.workers[0], rig.clock = parts
    rig.revive()


def test_two_beats_double_nothing(rig: Rig) -> None:
    second = rig.program("second clock", CLOCK, str(rig.folder / "second-schedule"))
    second.start()
    try:
        with people_at(rig, *TABLES) as driver:
            driver.wait_for_plays(60)
            time.sleep(SECONDS_OF_THREE_SWEEPS)
            driver.wait_for_plays(20)
        assert second.is_running and rig.clock.is_running
    finally:
        second.kill()
