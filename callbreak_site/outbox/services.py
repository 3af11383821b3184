"""Facts: noted in the transaction of a change, and delivered to their hearers at least once."""

import logging
import uuid
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_task
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from callbreak_site.failpoints import failpoint
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.publishing import publish

log = logging.getLogger(__name__)

DELIVER = "callbreak_site.outbox.tasks.deliver"
LEASE = timedelta(seconds=60)
"""How long a delivery may take; longer than the time limit of its task."""
RESEND_AFTER = timedelta(seconds=5)
"""How long a fact waits for its first kick before a sweep sends another."""
RESEND_LEASE = timedelta(seconds=15)
LONGEST_WAIT = timedelta(minutes=10)
"""The longest pause after failures, which double it each time."""
KEPT = timedelta(days=1)
AT_ONCE = 500


def emit(kind: str, subject: str) -> None:
    """Note a fact in the running transaction, for those that settings name as its hearers; nobody hears the others."""
    if not _hearers(kind):
        return
    fact = Fact.objects.create(kind=kind, subject=subject)
    transaction.on_commit(partial(_kick, fact.id, kind), robust=True)


def deliver(fact_id: int) -> None:
    """Call the hearers of a fact, unless that is done already or another task is at it.

    A hearer that raises is called again later, and so is every other hearer of that fact.
    """
    claimant = holder()
    fact = _claim(fact_id, claimant)
    if fact is None:
        return
    failpoint("outbox.after_claim")
    if _is_stale(fact):
        # A database that was brought back from a backup must not tell anybody what was news long ago.
        _claimed(fact_id, claimant).update(claimed_by="", claimed_until=None, handled_at=Now(), error="stale")
        return
    try:
        for hearer in _hearers(fact.kind):
            import_string(hearer)(fact.subject)
    except Exception as error:
        # The name of the error only: its text may speak of cards.
        log.warning("fact not delivered: fact=%s kind=%s error=%s", fact.id, fact.kind, type(error).__name__)
        wait = min(LONGEST_WAIT, timedelta(seconds=2 ** min(fact.attempts, 16)))
        _claimed(fact_id, claimant).update(claimed_by="", claimed_until=Now() + wait, error=type(error).__name__[:200])
        return
    failpoint("outbox.after_send")
    _claimed(fact_id, claimant).update(claimed_by="", claimed_until=None, handled_at=Now(), error="")


def resend_unhandled() -> None:
    """Kick every fact again that no task has taken up; the new message alone may claim it for a while."""
    with transaction.atomic():
        due = list(
            Fact.objects.filter(_is_free(), handled_at=None, created_at__lte=Now() - RESEND_AFTER)
            .select_for_update(skip_locked=True)
            .order_by("id")[:AT_ONCE]
        )
        for fact in due:
            fact.claimed_by = uuid.uuid4().hex
            fact.claimed_until = Now() + RESEND_LEASE
        Fact.objects.bulk_update(due, ["claimed_by", "claimed_until"])
    for fact in due:
        _kick(fact.id, fact.kind, task_id=fact.claimed_by)


def purge_handled() -> None:
    """Delete what was handled more than a day ago."""
    Fact.objects.filter(handled_at__lt=Now() - KEPT).delete()


def holder() -> str:
    """Return the name under which the running task claims rows: a task delivered twice has the same both times."""
    task_id = current_task.request.id if current_task else None
    return task_id or uuid.uuid4().hex


def _hearers(kind: str) -> list[str]:
    return list(settings.HEARERS.get(kind, {}).get("call", ()))


def _kick(fact_id: int, kind: str, task_id: str | None = None) -> None:
    failpoint("outbox.before_kick")
    publish(DELIVER, fact_id, queue=settings.HEARERS[kind]["queue"], task_id=task_id)


def _is_free() -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lt=Now())


@transaction.atomic
def _claim(fact_id: int, claimant: str) -> Fact | None:
    """Claim a fact that is still to be handled; a claim of the same claimant is taken up again."""
    is_claimable = _is_free() | Q(claimed_by=claimant)
    unhandled = Fact.objects.filter(is_claimable, id=fact_id, handled_at=None).annotate(age=Now() - F("created_at"))
    fact = unhandled.select_for_update(skip_locked=True).first()
    if fact is not None:
        fact.attempts += 1
        Fact.objects.filter(id=fact_id).update(
            claimed_by=claimant, claimed_until=Now() + LEASE, attempts=F("attempts") + 1
        )
    return fact


def _is_stale(fact: Any) -> bool:
    """Tell whether a claimed fact is older than settings let its kind become."""
    minutes = settings.HEARERS.get(fact.kind, {}).get("stale_after_minutes")
    return minutes is not None and bool(fact.age > timedelta(minutes=minutes))


def _claimed(fact_id: int, claimant: str) -> QuerySet[Fact]:
    return Fact.objects.filter(id=fact_id, claimed_by=claimant, handled_at=None)
