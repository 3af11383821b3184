"""What workers run for the outbox."""

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown
from django.db import InterfaceError, OperationalError

from callbreak_site.outbox import services, sweeping
from callbreak_site.outbox.sweeper import Sweeper

_sweeper = Sweeper()


@shared_task(
    acks_late=True,
    reject_on_worker_lost=True,
    autoretry_for=(OperationalError, InterfaceError),
    retry_backoff=1,
    retry_backoff_max=8,
    max_retries=8,
)
def deliver(fact_id: int) -> None:
    """Call the hearers of a fact; while the database is away it is tried again, under the same claim."""
    services.deliver(fact_id)


@shared_task(acks_late=True, reject_on_worker_lost=True)
def sweep() -> None:
    """Find due rows, as the clock asks; the workers' own sweepers do the same."""
    sweeping.note_heartbeat("beat")
    sweeping.sweep()


@shared_task(acks_late=True, reject_on_worker_lost=True)
def maintain() -> None:
    """Tidy up."""
    sweeping.maintain()


@worker_ready.connect
def start_sweeping(**_: object) -> None:
    """Sweep from inside the worker too, so that a dead clock stops nothing."""
    _sweeper.start()


@worker_shutdown.connect
def stop_sweeping(**_: object) -> None:
    """Let a sweep that is running end."""
    _sweeper.stop()
