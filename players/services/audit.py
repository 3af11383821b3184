"""What moderators do is written down for good."""

from typing import Any
from uuid import UUID

from players.models import Audit


def write_audit(
    *,
    actor_id: UUID,
    action: str,
    subject_kind: str,
    subject_id: UUID,
    reason: str,
    before: dict[str, Any],
    after: dict[str, Any],
    address: str | None = None,
) -> None:
    """Add one row; call it in the transaction of the act itself."""
    Audit.objects.create(
        actor_id=actor_id,
        action=action,
        subject_kind=subject_kind,
        subject_id=subject_id,
        reason=reason,
        before=before,
        after=after,
        address=address,
    )
