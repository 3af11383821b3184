"""Statements that run with every move: prepared once, and not undone by a connection that died."""

from collections.abc import Iterator

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, ProgrammingError, connection, connections, transaction

from callbreak_site.prepared import read_row, write_row

pytestmark = pytest.mark.django_db(transaction=True)


CHANGES = ["ADD COLUMN note text NOT NULL DEFAULT ''", "ALTER COLUMN name TYPE varchar(20)"]
"""What a migration may do to a table that the running web servers have plans for."""


def elsewhere(sql: str, *params: object) -> None:
    """Run a statement on another connection."""
    other = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        with other.cursor() as cursor:
            cursor.execute(sql, params or None)
    finally:
        other.close()


def end_the_connection() -> None:
    """Let the database end the connection of this test, as a restart would."""
    row = write_row("SELECT pg_backend_pid()", [])
    assert row is not None
    elsewhere("SELECT pg_terminate_backend(%s, 5000)", row[0])


@pytest.fixture
def names() -> Iterator[str]:
    """A table for one test; returns the statement that reads it."""
    elsewhere("CREATE TABLE names (name varchar(10)); INSERT INTO names VALUES ('ada')")
    yield "SELECT found.* FROM (SELECT name FROM names) found"
    connection.close()
    elsewhere("DROP TABLE names")


def test_a_statement_is_prepared_once() -> None:
    for number in range(3):
        assert read_row("SELECT %s::int + 1", [number]) == (number + 1,)
    row = read_row("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["SELECT $1::int + 1"])
    assert row == (1,)


def test_reading_finds_another_connection_when_its_own_has_died() -> None:
    end_the_connection()
    assert read_row("SELECT 1", []) == (1,)


def test_writing_does_not_try_again_by_itself() -> None:
    end_the_connection()
    with pytest.raises(OperationalError):
        write_row("SELECT 1", [])
    connection.close()


def test_reading_does_not_leave_a_transaction_that_has_died() -> None:
    with pytest.raises(OperationalError), transaction.atomic():
        end_the_connection()
        read_row("SELECT 1", [])
    connection.close()


@pytest.mark.parametrize("change", CHANGES)
def test_a_plan_outlives_a_change_of_its_table(names: str, change: str) -> None:
    assert read_row(names, []) == ("ada",)
    elsewhere(f"ALTER TABLE names {change}")
    assert read_row(names, []) == ("ada",)
    assert write_row(names, []) == ("ada",)


def test_a_transaction_whose_plan_has_become_wrong_is_refused_once(names: str) -> None:
    assert read_row(names, []) == ("ada",)
    elsewhere(f"ALTER TABLE names {CHANGES[1]}")
    with pytest.raises(OperationalError), transaction.atomic():
        read_row(names, [])
    with transaction.atomic():
        assert read_row(names, []) == ("ada",)


def forget_plans() -> None:
    """Let the database forget what was prepared, as a pooler does, behind the driver's back."""
    connection.connection.pgconn.exec_(b"DEALLOCATE ALL")


def test_a_plan_that_was_forgotten_is_made_anew() -> None:
    for fetch in (read_row, write_row):
        assert fetch("SELECT %s::int + 1", [1]) == (2,)
        forget_plans()
        assert fetch("SELECT %s::int + 1", [2]) == (3,)


def test_a_transaction_whose_plan_was_forgotten_is_refused_once() -> None:
    read_row("SELECT 3", [])
    forget_plans()
    with pytest.raises(OperationalError), transaction.atomic():
        read_row("SELECT 3", [])
    with transaction.atomic():
        assert read_row("SELECT 3", []) == (3,)


def test_a_statement_that_is_wrong_is_told_as_it_is() -> None:
    with pytest.raises(ProgrammingError):
        read_row("SELECT 1 FROM nowhere", [])


def test_a_statement_is_logged_where_django_logs_them() -> None:
    connection.force_debug_cursor = True
    try:
        read_row("SELECT 2", [])
        assert connection.queries_log[-1]["sql"] == "SELECT 2"
    finally:
        connection.force_debug_cursor = False
