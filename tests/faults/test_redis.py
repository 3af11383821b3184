"""Redis only wakes things up: without it people play on, and the bots come back with it."""

import time
from statistics import quantiles

import pytest

from tests.faults.history import Entry, entries_by_game
from tests.faults.rig import Rig, forget_messages
from tests.faults.tables import LITE, WITH_BOTS
from tests.faults.verdict import people_at

pytestmark = pytest.mark.slow

SECONDS = 8
SLOWEST_S = 3.0
NOISE_S = 0.25
"""What a busy machine may add to any answer."""


@pytest.mark.parametrize("is_frozen", [False, True], ids=["gone", "frozen"])
def test_without_redis_people_play_on_as_quickly_and_the_bots_come_back_with_it(rig: Rig, is_frozen: bool) -> None:
    with people_at(rig, LITE, LITE, WITH_BOTS, WITH_BOTS) as driver:
        driver.wait_for_plays(10)
        began = time.monotonic()
        time.sleep(SECONDS)
        went_at = time.monotonic()
        if is_frozen:
            rig.broker.freeze()
        else:
            rig.broker.kill()
            forget_messages(rig)
        time.sleep(SECONDS)
        driver.wait_for_plays(5, 10)
        if is_frozen:
            rig.broker.thaw()
        else:
            rig.broker.start()
        back_at = time.monotonic()
        assert driver.wait_for(lambda: has_bot_played(rig, back_at), 30) < 30
    usual, alone = acts(rig, began, went_at), acts(rig, went_at, back_at)
    assert {entry.status for entry in alone if entry.status >= 500} == set()
    assert max(seconds(alone)) < SLOWEST_S
    assert p95(alone) < 2 * p95(usual) + NOISE_S


def test_a_redis_that_is_killed_five_times_and_comes_back_empty_loses_no_turn(rig: Rig) -> None:
    worker = rig.workers[0].pid
    with people_at(rig, *WITH_BOTS, WITH_BOTS) as driver:
        driver.wait_for_plays(5)
        for _ in range(5):
            rig.broker.kill()
            forget_messages(rig)
            rig.broker.start()
            driver.wait_for_plays(3, 40)
    assert rig.workers[0].pid == worker and rig.workers[0].is_running


def acts(rig: Rig, since: float, until: float) -> list[Entry]:
    """Return the answered bids and plays that were sent in that time."""
    games = entries_by_game(rig.folder / "history.jsonl")
    return [
        entry
        for _, entries in games
        for entry in entries
        if since < entry.sent < until and entry.status and entry.kind in ("bid", "play")
    ]


def seconds(entries: list[Entry]) -> list[float]:
    """Return how long each took."""
    return [entry.answered - entry.sent for entry in entries]


def p95(entries: list[Entry]) -> float:
    """Return the time that 95 of 100 did not exceed."""
    return quantiles(seconds(entries), n=20)[-1]


def has_bot_played(rig: Rig, since: float) -> bool:
    """Tell whether a bot has acted since a moment of our clock."""
    asked = "SELECT count(*) FROM games_event WHERE public ->> 'by' = 'bot' AND at > now() - make_interval(secs => %s)"
    return bool(rig.ask(asked, time.monotonic() - since)[0][0])
