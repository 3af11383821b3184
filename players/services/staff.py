"""Who may enter the admin, and as what."""

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import Group
from django.db import transaction

from callbreak_site.errors import Code, ServiceError
from players.models import Kind, Player
from players.services.audit import write_audit
from players.services.moderation import check_moderator


@transaction.atomic
def change_staff_rights(
    *,
    player_id: UUID,
    administrator_id: UUID,
    is_staff: bool,
    groups: Collection[str],
    reason: str,
    address: str | None = None,
) -> None:
    """Let a player into the admin or keep the player out, and set the groups, as an administrator.

    Raises INVALID, MISSING_SCOPE, NOT_FOUND, and NOT_AVAILABLE for one's own rights, for somebody who is suspended or
    has no password, and when nothing would change.
    """
    check_moderator(administrator_id, "players.change_player", reason)
    if not Player.objects.filter(pk=administrator_id, is_superuser=True).exists():
        raise ServiceError(Code.MISSING_SCOPE, "Only administrators may do this.")
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError(Code.NOT_FOUND, "There is no such player.")
    refuse_unfit(player, administrator_id, is_staff, groups)
    before = rights(player)
    player.is_staff = is_staff
    player.save(update_fields=["is_staff"])
    player.groups.set(Group.objects.filter(name__in=groups))
    after = rights(player)
    if after == before:
        raise ServiceError(Code.NOT_AVAILABLE, "These are the rights that the player has already.")
    write_audit(
        actor_id=administrator_id,
        action="player.staff_rights",
        subject_kind="player",
        subject_id=player_id,
        reason=reason,
        before=before,
        after=after,
        address=address,
    )


def refuse_unfit(player: Player, administrator_id: UUID, is_staff: bool, groups: Collection[str]) -> None:
    """Raise unless this player can have these rights from this administrator."""
    if player.pk == administrator_id:
        raise ServiceError(Code.NOT_AVAILABLE, "Your own rights are for another administrator to change.")
    if groups and not is_staff:
        raise ServiceError(Code.INVALID, "Only staff can be in a group.")
    if is_staff and player.suspended_at is not None:
        raise ServiceError(Code.NOT_AVAILABLE, "Reinstate the player first.")
    if is_staff and player.kind == Kind.GUEST:
        raise ServiceError(Code.NOT_AVAILABLE, "A guest has no password to sign in with.")


def rights(player: Player) -> dict[str, object]:
    """Return what the audit says of a player's rights."""
    return {"staff": player.is_staff, "groups": sorted(player.groups.values_list("name", flat=True))}
