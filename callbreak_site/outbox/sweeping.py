"""Finding due rows that no kick has reached: one sweep at a time, whoever runs it."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import Error, connection
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from callbreak_site.outbox.models import Heartbeat

log = logging.getLogger(__name__)

SWEEP_LOCK = 0x63616C6C_00000001
MAINTENANCE_LOCK = 0x63616C6C_00000002


def sweep() -> bool:
    """Run every sweep that settings name; tell whether it did, or another sweep was running."""
    with _alone(SWEEP_LOCK) as is_alone:
        if is_alone:
            _run(settings.SWEEPS)
            note_heartbeat("sweep")
        return is_alone


def maintain() -> bool:
    """Run everything that tidies up; tell whether it did, or another was at it."""
    with _alone(MAINTENANCE_LOCK) as is_alone:
        if is_alone:
            _run(settings.MAINTENANCE)
        return is_alone


def note_heartbeat(name: str) -> None:
    """Note that a part of the service is alive."""
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=name, seen_at=Now())],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["seen_at"],
    )


@contextmanager
def _alone(lock: int) -> Iterator[bool]:
    """Hold an advisory lock of PostgreSQL if it is free. It belongs to the connection, so it ends with its holder."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [lock])
        is_alone = bool(cursor.fetchone()[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            _release(lock)


def _release(lock: int) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [lock])
    except Error:
        # The lock must not outlive its holder on a connection that others go on using.
        connection.close()


def _run(names: Iterable[str]) -> None:
    """Call each of *names*; one that fails does not keep the others from running."""
    for name in names:
        try:
            import_string(name)()
        except SoftTimeLimitExceeded:
            raise
        except Exception as error:
            log.warning("sweep failed: name=%s error=%s", name, type(error).__name__, exc_info=True)
            if isinstance(error, Error):
                connection.close_if_unusable_or_obsolete()
