"""Databases of a test's own, beside the one that all tests share."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql


def url_of(database: str) -> str:
    """Return the address of *database* on the server of the tests."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()


@contextmanager
def empty_database() -> Iterator[str]:
    """Make a database without tables, and yield its address."""
    name = f"own_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url_of("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield url_of(name)
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
