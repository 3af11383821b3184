"""A process that ends at the worst moment loses nothing and doubles nothing, and the next turn comes soon."""

import pytest

from tests.faults.rig import KICK_POINTS, WEB_POINTS, WORKER_POINTS, Rig
from tests.faults.tables import LITE, WITH_BOTS
from tests.faults.verdict import people_at

pytestmark = pytest.mark.slow

TIMES = 2
TABLES = [LITE, WITH_BOTS, WITH_BOTS]
NOISE = 1.2
"""How many times longer everything may take on a machine that does other things as well."""


@pytest.mark.parametrize("point", [*WEB_POINTS, *KICK_POINTS])
def test_a_web_process_that_ends_there_loses_nothing_and_the_next_turn_comes_within_10_seconds(
    rig: Rig, point: str
) -> None:
    assert longest_wait_for_a_bot(rig, "web", point) < 10 * NOISE


@pytest.mark.parametrize("point", WORKER_POINTS)
def test_a_worker_that_ends_there_plays_the_turn_once_within_15_seconds(rig: Rig, point: str) -> None:
    assert longest_wait_for_a_bot(rig, "worker", point) < 15 * NOISE


def longest_wait_for_a_bot(rig: Rig, program: str, point: str) -> float:
    """Let processes of *program* end at *point* while people play, and return how long one of them waited for a bot."""
    with people_at(rig, *TABLES) as driver:
        for _ in range(TIMES):
            armed = rig.arm(program, point)
            driver.wait_for(lambda armed=armed: not armed.exists(), 30)
            driver.wait_for_plays(5)
    return driver.tally.longest_bot_wait_s
