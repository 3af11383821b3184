"""`manage.py migrate`: Django's, one at a time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

MIGRATE_LOCK = 0x63616C6C_00000003
SECONDS_BETWEEN_TRIES = 0.2


class Command(migrate.Command):
    """Bring the tables up to date; whoever comes second waits until the first is done, and finds nothing to do."""

    help = f"{migrate.Command.help} Several may run at once: one works, the others wait."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate while nobody else does."""
        with self.alone(options["database"]):
            super().handle(*args, **options)

    @contextmanager
    def alone(self, database: str) -> Iterator[None]:
        """Hold an advisory lock of PostgreSQL, which ends with its connection however that ends.

        A change of a long table may take longer than any request may, but for a lock it waits as long as they do:
        everybody who comes after it would wait too.
        """
        with connections[database].cursor() as cursor:
            cursor.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
            if not take_lock(cursor):
                self.stdout.write("Others are bringing the tables up to date; waiting for them …")
                # Not in one statement: CREATE INDEX CONCURRENTLY would wait for that to end.
                while not take_lock(cursor):
                    time.sleep(SECONDS_BETWEEN_TRIES)
        try:
            yield
        finally:
            # The lock and these settings go with the connection.
            connections[database].close()


def take_lock(cursor: Any) -> bool:
    """Take the lock for this connection if it is free; tell whether it was."""
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATE_LOCK])
    return bool(cursor.fetchone()[0])
