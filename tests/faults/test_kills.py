"""Whatever is killed while people play, at random or all at once: nothing is lost, doubled or stuck."""

import time

import pytest

from tests.faults.driver import MIXED
from tests.faults.kills import KILLS, Killer
from tests.faults.rig import Rig
from tests.faults.tables import LITE, WITH_BOTS
from tests.faults.verdict import people_at

pytestmark = pytest.mark.slow

SECONDS = 35.0
SECONDS_BETWEEN_KILLS = 2.0
ENOUGH_PLAYS = 4_000


def test_kills_at_random_lose_nothing_double_nothing_and_leave_nothing_stuck(rig: Rig) -> None:
    killer = Killer(rig, seed=1)
    with people_at(rig, *[MIXED] * 10) as driver:
        ends_at = time.monotonic() + SECONDS
        while killer.kills.keys() != KILLS.keys() or (time.monotonic() < ends_at and driver.plays < ENOUGH_PLAYS):
            time.sleep(SECONDS_BETWEEN_KILLS)
            killer.kill()
        driver.wait_for_plays(20)
    assert driver.plays > 150
    assert killer.deadlocks == 0


def test_a_power_cut_loses_nothing_that_was_acknowledged(rig: Rig) -> None:
    with people_at(rig, LITE, LITE, WITH_BOTS) as driver:
        for _ in range(2):
            driver.wait_for_plays(30)
            rig.kill_everything()
            time.sleep(0.5)
            rig.revive()
        driver.wait_for_plays(30)
