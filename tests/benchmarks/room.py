"""What a finished game takes on the disk, once it is packed."""

from tests.benchmarks.house import House
from tests.benchmarks.lines import Line, Size
from tests.benchmarks.storing import play_games, tables_of_games, tidy

FULL = "VACUUM (FULL, ANALYZE)"  # a few games leave more holes than they fill


def room(house: House, size: Size) -> list[Line]:
    """Measure by how much the tables of games grow by so many games, with their indexes."""
    room = house.beside("room")
    with room.web() as address:
        play_games(address, size.finished_games)
        tidy(room, FULL)
        before = sizes(room)
        play_games(address, size.finished_games)
        tidy(room, FULL)
    grown = {table: bytes_now - before[table] for table, bytes_now in sizes(room).items()}
    kilobytes = sum(grown.values()) / size.finished_games / 1000
    figures = [[round(grown_by / size.finished_games)] for grown_by in grown.values()]
    return [Line("room", "a finished game of five rounds, with its indexes", kilobytes, "kB", None, 30, figures)]


def sizes(house: House) -> dict[str, int]:
    """Return the bytes of each table that holds what belongs to games, with its indexes."""
    with house.connect() as connection:
        statement = "SELECT pg_total_relation_size(%s::regclass)"
        rows = {table: connection.execute(statement, [table]).fetchone() for table in tables_of_games(connection)}
    return {table: int(str(row[0])) for table, row in rows.items() if row}
