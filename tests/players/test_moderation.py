"""Moderators shut people out and let them in again, and what they did stays written."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction

from callbreak_site.errors import Code, ServiceError
from players.models import Audit, Player
from players.services import moderation
from players.services.audit import write_audit
from players.services.moderation import reinstate_player, suspend_player
from tests.contract import Api
from tests.players.people import PASSWORD, asha

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator() -> Player:
    """Return a member of staff who may suspend."""
    player = Player.objects.create(username="mona", is_staff=True)
    player.user_permissions.add(Permission.objects.get(codename="suspend_player"))
    return player


def named(username: str) -> Player:
    return Player.objects.get(username=username)


def test_the_suspended_are_shut_out_with_all_tokens_until_reinstated(moderator: Player) -> None:
    me = asha()
    player_id = named("asha").pk
    suspend_player(player_id=player_id, moderator_id=moderator.pk, reason="You shouted.")
    for refusal in (me.get("/me"), me.post("/tokens", {}), me.delete("/me"), me.get("/limits"), me.get("/nothing")):
        assert (refusal.status_code, refusal.json()["code"]) == (403, "suspended")
    assert me.get("/me").json()["detail"] == "You shouted."
    reinstate_player(player_id=player_id, moderator_id=moderator.pk, reason="Enough.")
    assert me.get("/me").status_code == 200
    assert Api().post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 201


def test_every_act_is_written_down_with_who_why_and_from_where(moderator: Player) -> None:
    asha()
    player_id = named("asha").pk
    suspend_player(player_id=player_id, moderator_id=moderator.pk, reason="You shouted.", address="192.0.2.1")
    reinstate_player(player_id=player_id, moderator_id=moderator.pk, reason="Enough.")
    rows = list(Audit.objects.order_by("id"))
    assert [(row.action, row.reason, row.address) for row in rows] == [
        ("player.suspended", "You shouted.", "192.0.2.1"),
        ("player.reinstated", "Enough.", None),
    ]
    assert {(row.actor_id, row.subject_kind, row.subject_id) for row in rows} == {(moderator.pk, "player", player_id)}
    assert rows[0].before == {"suspended": False}
    assert rows[1].before == {"suspended": True, "reason": "You shouted."}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players_audit SET reason = 'none'",
        "DELETE FROM players_audit",
        "UPDATE players_audit SET actor_id = subject_id",
        "INSERT INTO players_audit (id, reason) VALUES (1, '') ON CONFLICT (id) DO UPDATE SET reason = 'none'",
    ],
)
def test_what_was_written_down_can_not_be_rewritten(statement: str, moderator: Player) -> None:
    write_audit(
        actor_id=moderator.pk, action="x", subject_kind="x", subject_id=uuid4(), reason="why", before={}, after={}
    )
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Audit.objects.get().reason == "why"


def test_without_its_audit_row_nothing_happens(moderator: Player) -> None:
    asha()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE players_audit ADD CONSTRAINT nothing_is_written CHECK (false) NOT VALID")
    with pytest.raises(IntegrityError):
        suspend_player(player_id=named("asha").pk, moderator_id=moderator.pk, reason="You shouted.")
    assert named("asha").suspended_at is None


@pytest.mark.parametrize("reason", ["", "  ", "x" * (moderation.LONGEST_REASON + 1)])
def test_a_reason_is_given(reason: str, moderator: Player) -> None:
    asha()
    assert refused(named("asha").pk, moderator.pk, reason) is Code.INVALID


def test_only_moderators_may(moderator: Player) -> None:
    asha()
    asha("bela")
    member_of_staff = Player.objects.create(username="stan", is_staff=True)
    for by in (named("bela").pk, member_of_staff.pk, uuid4()):
        assert refused(named("asha").pk, by) is Code.MISSING_SCOPE
    moderator.is_active = False
    moderator.save()
    assert refused(named("asha").pk, moderator.pk) is Code.MISSING_SCOPE


def test_staff_and_the_suspended_and_strangers_can_not_be_suspended(moderator: Player) -> None:
    asha()
    assert refused(moderator.pk, moderator.pk) is Code.NOT_AVAILABLE
    suspend_player(player_id=named("asha").pk, moderator_id=moderator.pk, reason="You shouted.")
    assert refused(named("asha").pk, moderator.pk) is Code.NOT_AVAILABLE
    assert refused(uuid4(), moderator.pk) is Code.NOT_FOUND


def test_who_is_not_suspended_can_not_be_reinstated(moderator: Player) -> None:
    asha()
    with pytest.raises(ServiceError) as refusal:
        reinstate_player(player_id=named("asha").pk, moderator_id=moderator.pk, reason="Enough.")
    assert refusal.value.code is Code.NOT_AVAILABLE
    assert not Audit.objects.exists()


def refused(player_id: UUID, moderator_id: UUID, reason: Any = "You shouted.") -> Code:
    """Return the code with which suspending is refused."""
    with pytest.raises(ServiceError) as refusal:
        suspend_player(player_id=player_id, moderator_id=moderator_id, reason=reason)
    assert not Audit.objects.filter(subject_id=player_id).exclude(action="player.suspended").exists()
    return refusal.value.code
