"""Suspending players, and taking them back."""

from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from callbreak_site.errors import Code, ServiceError
from players.models import Player
from players.services.audit import write_audit

LONGEST_REASON = 500


@transaction.atomic
def suspend_player(*, player_id: UUID, moderator_id: UUID, reason: str, address: str | None = None) -> None:
    """Shut a player out of the API until reinstated; the reason is told to the player."""
    player = moderated(player_id, moderator_id, reason)
    if player.suspended_at is not None:
        raise ServiceError(Code.NOT_AVAILABLE, "This player is suspended already.")
    if player.is_staff:
        raise ServiceError(Code.NOT_AVAILABLE, "Take the rights of staff away first.")
    Player.objects.filter(pk=player_id).update(suspended_at=Now(), suspension_reason=reason)
    write_audit(
        actor_id=moderator_id,
        action="player.suspended",
        subject_kind="player",
        subject_id=player_id,
        reason=reason,
        before={"suspended": False},
        after={"suspended": True},
        address=address,
    )


@transaction.atomic
def reinstate_player(*, player_id: UUID, moderator_id: UUID, reason: str, address: str | None = None) -> None:
    """Let a suspended player in again, with the tokens that the player had."""
    player = moderated(player_id, moderator_id, reason)
    if player.suspended_at is None:
        raise ServiceError(Code.NOT_AVAILABLE, "This player is not suspended.")
    Player.objects.filter(pk=player_id).update(suspended_at=None, suspension_reason="")
    write_audit(
        actor_id=moderator_id,
        action="player.reinstated",
        subject_kind="player",
        subject_id=player_id,
        reason=reason,
        before={"suspended": True, "reason": player.suspension_reason},
        after={"suspended": False},
        address=address,
    )


def moderated(player_id: UUID, moderator_id: UUID, reason: str) -> Player:
    """Return the player, locked, if this moderator may act on it for this reason."""
    check_moderator(moderator_id, "players.suspend_player", reason)
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError(Code.NOT_FOUND, "There is no such player.")
    return player


def check_moderator(moderator_id: UUID, permission: str, reason: str) -> None:
    """Raise INVALID without a proper reason, and MISSING_SCOPE unless this is staff with the *permission*."""
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise ServiceError(Code.INVALID, f"Give a reason of at most {LONGEST_REASON} characters.")
    moderator = Player.objects.filter(pk=moderator_id).first()
    if moderator is None or not (moderator.is_staff and moderator.has_perm(permission)):
        raise ServiceError(Code.MISSING_SCOPE, "You may not do this.")
