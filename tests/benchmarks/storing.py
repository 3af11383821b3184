"""Finished games: real ones played through the API, and many like them by SQL, with ids of their own."""

from collections.abc import Iterator

import psycopg
from psycopg import sql

from tests.benchmarks.connection import Address, Connection
from tests.benchmarks.house import House
from tests.benchmarks.load import CLIENTS, at_once
from tests.benchmarks.tables import ROUNDS_A_GAME, Table, bid_all, four_people, seat_four

ROOT = "games_game"
REFERENCES = """
    SELECT conrelid::regclass::text, attname, confrelid::regclass::text
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace
"""
COLUMNS = """
    SELECT column_name, data_type, column_name = any(
        SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = any(indkey)
        WHERE indrelid = table_name::regclass AND indisprimary
    )
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = %s ORDER BY ordinal_position
"""
COPIES_AT_ONCE = 20
MAINTAIN = """
import datetime, django; django.setup()
from callbreak_site.outbox.sweeping import maintain; assert maintain()
from games.services.archiving import archive_ended; archive_ended(over_for=datetime.timedelta(), seconds=3600)
"""


def play_games(address: Address, count: int) -> None:
    """Play so many whole games of five rounds, among people."""

    def play(client: int, connection: Connection) -> None:
        people = four_people(connection)
        for _ in range(client, count, CLIENTS):
            play_out(connection, seat_four(connection, people))

    at_once(address, play)


def play_out(connection: Connection, table: Table) -> None:
    """Play a game to its end."""
    for number in range(ROUNDS_A_GAME):
        while not table.is_round_over:
            status, _, body = connection.exchange(table.next_play())
            assert status == 200, body
        if number < ROUNDS_A_GAME - 1:
            table = bid_all(connection, table.game_id, table.tokens)
    assert b'"finished"' in body


def tidy(house: House, vacuum: str = "VACUUM ANALYZE") -> None:
    """Do what maintenance does an hour after the last game ended, then let PostgreSQL clean up and count."""
    house.python("-c", MAINTAIN)
    with house.connect() as connection:
        connection.execute(vacuum)
        connection.execute("CHECKPOINT")


def tables_of_games(connection: "psycopg.Connection[tuple[object, ...]]") -> dict[str, dict[str, str]]:
    """Return the tables whose rows belong to games, each with the columns that name a row of another of them."""
    references = connection.execute(REFERENCES).fetchall()
    found: dict[str, dict[str, str]] = {ROOT: {}}
    while new := [row for row in references if row[2] in found and row[1] not in found.get(str(row[0]), {})]:
        for table, column, target in new:
            found.setdefault(str(table), {})[str(column)] = str(target)
    return found


def multiply(connection: "psycopg.Connection[tuple[object, ...]]", copies: int) -> None:
    """Copy every game that is stored so many times, each row with new ids and an earlier time.

    Only for a database in which nobody plays: what belongs together was copied together, so keys are not checked.
    """
    tables = tables_of_games(connection)
    steps = {table: step(connection, table) for table in tables}
    statements = [copying(connection, table, tables, steps) for table in tables]
    connection.execute("CREATE SCHEMA originals")
    for table in tables:
        connection.execute(sql.SQL("CREATE TABLE originals.{0} AS TABLE public.{0}").format(sql.Identifier(table)))
    connection.execute("SET session_replication_role = replica")
    connection.execute("SET synchronous_commit = off")
    for first, last in batches(copies):
        for statement in statements:
            connection.execute(statement, {"first": first, "last": last})
    for table, highest in steps.items():
        if highest:
            sequence = "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)"
            connection.execute(sequence, [table, highest * (copies + 1)])
    connection.execute("DROP SCHEMA originals CASCADE")
    connection.execute("RESET session_replication_role")
    connection.execute("RESET synchronous_commit")


def batches(copies: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the copies, some at once.

    >>> list(batches(45))
    [(1, 20), (21, 40), (41, 45)]
    """
    for first in range(1, copies + 1, COPIES_AT_ONCE):
        yield first, min(first + COPIES_AT_ONCE - 1, copies)


def step(connection: "psycopg.Connection[tuple[object, ...]]", table: str) -> int:
    """Return the highest number that a table's rows have for an id, 0 where ids are no numbers."""
    found = connection.execute(COLUMNS, [table]).fetchall()
    if ("id", "bigint", True) not in found:
        return 0
    highest = connection.execute(
        sql.SQL("SELECT coalesce(max(id), 0) FROM {}").format(sql.Identifier(table))
    ).fetchone()
    assert highest
    return int(str(highest[0]))


def copying(
    connection: "psycopg.Connection[tuple[object, ...]]",
    table: str,
    tables: dict[str, dict[str, str]],
    steps: dict[str, int],
) -> sql.Composed:
    """Return the statement that adds the copies %(first)s to %(last)s of a table's original rows."""
    names, values = [], []
    for name, kind, is_key in connection.execute(COLUMNS, [table]).fetchall():
        column = sql.Identifier(str(name))
        target = tables[table].get(str(name), table if is_key else "")
        names.append(column)
        if target and kind == "uuid":
            values.append(sql.SQL("md5({}::text || copy)::uuid").format(column))
        elif target and kind == "bigint":
            values.append(sql.SQL("{} + copy * {}::bigint").format(column, sql.Literal(steps[target])))
        elif kind == "timestamp with time zone":
            values.append(sql.SQL("{} - copy * interval '1 minute'").format(column))
        else:
            values.append(column)
    return sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values} FROM originals.{table} "
        "CROSS JOIN generate_series(%(first)s::bigint, %(last)s) copy ORDER BY copy"
    ).format(table=sql.Identifier(table), names=sql.SQL(", ").join(names), values=sql.SQL(", ").join(values))
