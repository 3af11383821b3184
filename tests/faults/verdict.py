"""People at play on a service that is being hurt, and what is found afterwards."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.faults.checker import faults
from tests.faults.driver import Driver
from tests.faults.rig import Rig, wait_until
from tests.faults.tables import Kind

SECONDS_TO_SETTLE = 90  # a fact whose delivery died with the database is claimed for 60
UNHEARD = "SELECT count(*) FROM outbox_fact WHERE handled_at IS NULL"
WAITS_FOR_BOT = "SELECT count(*) FROM games_game WHERE status = 'active' AND is_bots_turn"


@contextmanager
def people_at(rig: Rig, *tables: Kind | Sequence[Kind], games: int = 0) -> Iterator[Driver]:
    """Let people play during the block; then everything runs again, and nothing may be lost, doubled or stuck."""
    history = rig.folder / "history.jsonl"
    with Driver(rig.port, history, tables=tables, games=games, tend=rig.tend_web) as driver:
        yield driver
        rig.disarm()
        rig.revive()
        if games:
            driver.wait(SECONDS_TO_SETTLE)
    expect_all_well(rig, driver)


def expect_all_well(rig: Rig, driver: Driver) -> None:
    """Fail unless the service comes to rest and its tables agree with all that any client was told."""
    assert driver.tally.findings == []
    settle(rig)
    found = list(faults(rig.cluster.url(), rig.folder / "history.jsonl"))
    assert found == [], rig.last_words()


def settle(rig: Rig) -> None:
    """Wait until no bot's turn and no fact is waiting any more."""
    wait_until(rig.is_ready, SECONDS_TO_SETTLE, rig.last_words)
    wait_until(lambda: not rig.ask(UNHEARD)[0][0] + rig.ask(WAITS_FOR_BOT)[0][0], SECONDS_TO_SETTLE, rig.last_words)
