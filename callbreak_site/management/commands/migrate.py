"""`manage.py migrate`: Django's, one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections

MIGRATE_LOCK = 0x63616C6C_00000003


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

        A change of a long table may take longer than any request may, but it must not wait long for a lock: everybody
        who comes after it would wait too.
        """
        with connections[database].cursor() as cursor:
            cursor.execute(
                "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"
            )
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATE_LOCK])
            if not cursor.fetchone()[0]:
                self.stdout.write("Others are bringing the tables up to date; waiting for them …")
                cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATE_LOCK])
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [str(settings.LOCK_TIMEOUT_MS)])
        try:
            yield
        finally:
            # The lock and these settings go with the connection.
            connections[database].close()
