"""Accepted plays a second, against the floor and against the twin; and how even they are at half load."""

from collections.abc import Callable
from statistics import median

from tests.benchmarks.connection import Address
from tests.benchmarks.floor import floor_rate, make_floor
from tests.benchmarks.house import TWIN, House
from tests.benchmarks.lines import Line, Size, alternating, ratio
from tests.benchmarks.load import CLIENTS, PLAYS_A_ROUND, at_a_pace, full_speed, lay_tables

WARM_UP_PLAYS = CLIENTS * PLAYS_A_ROUND
WARM_UP_SECONDS = 2
ROOM = 1.3
"""How many more plays are laid out than the last rate asks for."""


def player(product: Address, served: Address, seconds: float) -> Callable[[], float]:
    """Return what measures the plays a second at *served*, on tables laid by the *product*."""
    last = full_speed(served, lay_tables(product, WARM_UP_PLAYS), max(seconds, WARM_UP_SECONDS)).rate

    def measure() -> float:
        nonlocal last
        last = full_speed(served, lay_tables(product, last * seconds * ROOM), seconds).rate
        return last

    return measure


def plays(house: House, size: Size) -> list[Line]:
    """Measure the whole product, pgbench's bare minimum of a play, and the textbook twin."""
    with house.web() as product, house.web(TWIN) as twin:
        return plays_at(house, product, twin, size)


def plays_at(house: House, product: Address, twin: Address, size: Size) -> list[Line]:
    """Measure what runs already."""
    make_floor(house)
    measures = [
        player(product, product, size.seconds),
        lambda: floor_rate(house, size.seconds),
        player(product, twin, size.seconds),
    ]
    rows = alternating(measures, size.repetitions)
    return [
        ratio("plays", "plays a second ÷ pgbench's bare minimum of a play", rows, 0, 1, least=0.15),
        ratio("twin", "plays a second ÷ the same endpoint as a Django tutorial writes it", rows, 0, 2, least=2.5),
    ]


def latency(house: House, size: Size) -> list[Line]:
    """Measure how even the times of a play are at half of the load that was possible just before."""
    with house.web() as product:
        return latency_at(product, size)


def latency_at(product: Address, size: Size) -> list[Line]:
    """Measure what runs already."""
    measure = player(product, product, size.seconds)
    rows = []
    for _ in range(size.repetitions):
        rate = measure() / 2
        each = at_a_pace(product, lay_tables(product, rate * size.seconds * 2), rate).each
        rows.append([quantile(each, 0.99), median(each)])
    return [ratio("latency", "a play's p99 ÷ p50 at half of the full load", rows, 0, 1, most=5)]


def quantile(values: list[float], share: float) -> float:
    """Return the value that *share* of all do not exceed.

    >>> quantile([5, 1, 4, 2, 3], 0.5)
    3
    """
    in_order = sorted(values)
    return in_order[min(len(in_order) - 1, int(share * len(in_order)))]
