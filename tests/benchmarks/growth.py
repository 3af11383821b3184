"""Play and view where many games are stored, against the same where few are: two PostgreSQLs, side by side."""

from collections.abc import Callable

from tests.benchmarks.connection import Address
from tests.benchmarks.house import House, house
from tests.benchmarks.lines import Line, Size, alternating, ratio
from tests.benchmarks.load import CLIENTS, PLAYS_A_ROUND, full_speed, lay_tables
from tests.benchmarks.plays import player
from tests.benchmarks.storing import multiply, play_games, tidy
from tests.benchmarks.tables import Table

FEW = 100


def growth(_: House, size: Size) -> list[Line]:
    """Measure the rates of plays and views on both, and tell how many times longer one takes on the full one."""
    with house() as small, house() as large:
        fill(small, min(FEW, size.games), size.played_games)
        fill(large, size.games, size.played_games)
        with small.web() as at_small, large.web() as at_large:
            return growth_between(at_small, at_large, size)


def growth_between(small: Address, large: Address, size: Size) -> list[Line]:
    """Measure what runs already."""
    places = (small, large)
    played = [player(address, address, size.seconds) for address in places]
    looked = [looker(address, size.seconds) for address in places]
    rows = alternating([*played, *looked], size.repetitions)
    says = f"time of a {{}} with {size.games:,} stored games ÷ with {FEW}"
    return [
        ratio("growth of plays", says.format("play"), rows, 0, 1, most=1.15),
        ratio("growth of views", says.format("view"), rows, 2, 3, most=1.15),
    ]


def fill(house: House, games: int, played: int) -> None:
    """Store so many finished games: some that were really played, and copies of them."""
    with house.web() as address:
        play_games(address, played)
    tidy(house)
    with house.connect() as connection:
        multiply(connection, games // played - 1)
    tidy(house)


def looker(address: Address, seconds: float) -> Callable[[], float]:
    """Return what measures the views a second."""
    tables = lay_tables(address, CLIENTS * PLAYS_A_ROUND)
    return lambda: full_speed(address, tables, seconds, Table.next_view).rate
