"""Twice as many processes as cores, against as many: what docs/scaling.md tells."""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from tests.benchmarks.bots import waits
from tests.benchmarks.connection import Address, Connection
from tests.benchmarks.house import PROCESSES, House
from tests.benchmarks.lines import Line, Size, ratio
from tests.benchmarks.load import at_once
from tests.benchmarks.plays import player

MANY = 2 * PROCESSES


def scaling(house: House, size: Size) -> list[Line]:
    """Measure plays, and the bots' answers to eight people at once, with few processes and with many."""
    rows = [
        [figure for processes in (MANY, PROCESSES) for figure in measured(house, processes, size)]
        for _ in range(size.repetitions)
    ]
    by = f"with {MANY} web and {MANY} worker processes ÷ with {PROCESSES} and {PROCESSES}"
    return [
        ratio("scaling of plays", f"plays a second {by}", rows, 0, 2),
        ratio("scaling of bots", f"time to the last of three bots' answers, eight people at once, {by}", rows, 1, 3),
    ]


def measured(house: House, processes: int, size: Size) -> tuple[float, float]:
    """Return the plays a second, and the median seconds that people wait for three bots."""
    with running(house, processes) as address:
        rate = player(address, address, size.seconds)()
        took: list[float] = []

        def play(client: int, connection: Connection) -> None:
            took.extend(waits(address, size.bots_turns))

        at_once(address, play)
    return rate, median(took)


@contextmanager
def running(house: House, processes: int) -> Iterator[Address]:
    """Run the web server and the worker with so many processes each."""
    with house.web(processes=processes) as address, house.worker(processes):
        yield address
