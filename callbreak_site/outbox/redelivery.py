"""A fact that failed, delivered again because an administrator says so."""

import uuid
from functools import partial

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from callbreak_site.errors import Code, ServiceError
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.publishing import publish
from callbreak_site.outbox.services import DELIVER


@transaction.atomic
def deliver_again(*, fact_id: int, administrator_id: uuid.UUID, reason: str, address: str | None = None) -> None:
    """Let a fact be delivered now, however long it was to wait after failures; the audit says who wanted it and why.

    Raises INVALID, MISSING_SCOPE, NOT_FOUND, and NOT_AVAILABLE for a fact that is handled, that a task is at, or that
    nobody hears.
    """
    if not reason.strip():
        raise ServiceError(Code.INVALID, "Give a reason.")
    administrator = get_user_model().objects.filter(pk=administrator_id, is_staff=True).first()
    if administrator is None or not administrator.has_perm("outbox.change_fact"):
        raise ServiceError(Code.MISSING_SCOPE, "You may not do this.")
    fact = Fact.objects.select_for_update().filter(id=fact_id).first()
    if fact is None:
        raise ServiceError(Code.NOT_FOUND, "There is no such fact.")
    if fact.handled_at is not None:
        raise ServiceError(Code.NOT_AVAILABLE, "It has been delivered.")
    if Fact.objects.filter(id=fact_id, claimed_until__gt=Now()).exclude(claimed_by="").exists():
        raise ServiceError(Code.NOT_AVAILABLE, "A task is at it right now.")
    hearing = settings.HEARERS.get(fact.kind)
    if hearing is None:
        raise ServiceError(Code.NOT_AVAILABLE, "Nobody hears such facts.")
    Fact.objects.filter(id=fact_id).update(claimed_by="", claimed_until=None)
    import_string(settings.AUDIT)(
        actor_id=administrator_id,
        action="fact.delivered_again",
        subject_kind="fact",
        subject_id=uuid.UUID(int=fact_id),
        reason=reason,
        before={"waits": fact.claimed_until is not None, "attempts": fact.attempts, "error": fact.error},
        after={"waits": False, "attempts": fact.attempts, "error": fact.error},
        address=address,
    )
    transaction.on_commit(partial(publish, DELIVER, fact_id, queue=str(hearing["queue"])))
