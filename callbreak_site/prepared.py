"""Prepared statements on Django's own connection, for the few that run with every move."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import psycopg
from django.db import (
    DEFAULT_DB_ALIAS,
    InterfaceError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    connections,
)

Params = Sequence[Any] | Mapping[str, Any]
PLAN_IS_LOST = psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName


def write_row(sql: str, params: Params) -> tuple[Any, ...] | None:
    """Run a statement that changes something, and return its row; None when it has none.

    Its plan is kept by the database for as long as the connection lives, or until a migration gives a column that it
    answers with another type, or something between us and the database has it forgotten: the database refuses such a
    plan before it does anything. Outside a transaction another connection makes a new one at once; inside,
    OperationalError is raised, and the rollback gives the plan up.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.validate_no_broken_transaction()
    try:
        return _fetch_row(connection, sql, params)
    except (NotSupportedError, ProgrammingError) as error:
        if not isinstance(error.__cause__, PLAN_IS_LOST):
            raise
        if connection.in_atomic_block:
            raise OperationalError("the plan that was kept is of no use any more") from error
        connection.close()
        return _fetch_row(connection, sql, params)


def _fetch_row(connection: Any, sql: str, params: Params) -> tuple[Any, ...] | None:
    connection.ensure_connection()
    with connection.wrap_database_errors:
        began = time.monotonic()
        cursor = psycopg.Cursor(connection.connection)
        row = cursor.execute(sql, params, prepare=True, binary=True).fetchone()
    if connection.queries_logged:
        connection.queries_log.append({"sql": sql, "time": f"{time.monotonic() - began:.3f}"})
    return row


def read_row(sql: str, params: Params) -> tuple[Any, ...] | None:
    """Run a statement that changes nothing, and return its row.

    A connection that has died since its last use is made anew, which costs nothing while it lives: Django would ask
    the database first whether it is there.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.in_atomic_block:
        return write_row(sql, params)
    try:
        row = write_row(sql, params)
    except (OperationalError, InterfaceError):
        if connection.connection is not None and not connection.connection.closed:
            raise  # the database is there, and refuses
        with suppress(Exception):
            connection.close()
        row = write_row(sql, params)
    connection.health_check_done = True  # type: ignore[attr-defined]
    return row
