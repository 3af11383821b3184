"""A process that ends at the worst moment loses nothing and doubles nothing, and the next turn comes soon."""

import pytest

from tests.faults.rig import KICK_POINTS, WEB_POINTS, WORKER_POINTS, Rig
from tests.faults.tables import LITE, WITH_BOTS
from tests.faults.verdict import people_at

pytestmark = pytest.mark.slow

TIMES = 2
TABLES = [LITE, WITH_BOTS, WITH_BOTS]


@pytest.mark.parametrize("point", [*WEB_POINTS, *KICK_POINTS])
def test_a_web_process_that_ends_there_loses_nothing_and_the_next_turn_comes_within_10_seconds(
    rig: Rig, point: str
) -> None:
    with people_at(rig, *TABLES) as driver:
        for _ in range(TIMES):
            armed = rig.arm("web", point)
            driver.wait_for(lambda armed=armed: not armed.exists(), 30)
            driver.wait_for_plays(5)
    assert driver.tally.longest_bot_wait_s < 10 + 2


@pytest.mark.parametrize("point", WORKER_POINTS)
def test_a_worker_that_ends_there_plays_the_turn_once_within_15_seconds(rig: Rig, point: str) -> None:
    with people_at(rig, *TABLES) as driver:
        for _ in range(TIMES):
            armed = rig.arm("worker", point)
            driver.wait_for(lambda armed=armed: not armed.exists(), 30)
            driver.wait_for_plays(5)
    assert driver.tally.longest_bot_wait_s < 15 + 3
