"""Views of a running game: whole, and unchanged since the last one."""

from tests.benchmarks.connection import Address, Connection, request
from tests.benchmarks.floor import floor_rate, make_floor
from tests.benchmarks.house import House
from tests.benchmarks.lines import Line, Size, alternating, ratio
from tests.benchmarks.load import CLIENTS, PLAYS_A_ROUND, full_speed, lay_tables
from tests.benchmarks.tables import Table


def views(house: House, size: Size) -> list[Line]:
    """Measure views, views with the ETag of the last answer, and the floor."""
    with house.web() as product:
        return views_at(house, product, size)


def views_at(house: House, product: Address, size: Size) -> list[Line]:
    """Measure what runs already."""
    make_floor(house)
    tables = lay_tables(product, CLIENTS * PLAYS_A_ROUND)
    known = {table.game_id: etag(product, table) for row in tables for table in row}
    measures = [
        lambda: full_speed(product, tables, size.seconds, Table.next_view).rate,
        lambda: full_speed(product, tables, size.seconds, lambda table: again(table, known)).rate,
        lambda: floor_rate(house, size.seconds),
    ]
    rows = alternating(measures, size.repetitions)
    return [
        ratio("views", "views a second ÷ pgbench's bare minimum of a play", rows, 0, 2),
        ratio("unchanged", "views with nothing new (304) a second ÷ whole views", rows, 1, 0),
    ]


def etag(address: Address, table: Table) -> str:
    """Return the ETag of what whoever is on turn sees."""
    with Connection(address) as connection:
        _, head, _ = connection.exchange(table.next_view())
    return next(line[6:] for line in head.decode().split("\r\n") if line.lower().startswith("etag: "))


def again(table: Table, known: dict[str, str]) -> bytes:
    """Return a view that asks only for what has changed."""
    token = table.tokens[table.trick.seat_to_play]
    return request("GET", f"/games/{table.game_id}", token, more=f"If-None-Match: {known[table.game_id]}\r\n")
