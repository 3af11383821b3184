"""Who may see what at the desk: a table of every page for every kind of person."""

import uuid

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission

from bots.models import Claim
from callbreak_site.headers import ADMIN_POLICY
from callbreak_site.outbox.models import Fact, Heartbeat
from players.models import Audit, Player
from players.services.moderation import suspend_player
from tests.admin.desks import administrator, browser, moderator, moderators, page, person, staff
from tests.games.tables import four_at_a_table

pytestmark = pytest.mark.django_db

MODERATORS_MAY = {
    "bots.view_claim",
    "games.view_game",
    "games.void_game",
    "outbox.view_fact",
    "outbox.view_heartbeat",
    "players.suspend_player",
    "players.view_audit",
    "players.view_player",
}
LISTS = ["players/player", "players/audit", "games/game", "bots/claim", "outbox/fact", "outbox/heartbeat"]
MAKERS = {
    "nobody": lambda: None,
    "a player": person,
    "staff": staff,
    "a moderator": moderator,
    "an administrator": administrator,
}
SEES = {"nobody": 302, "a player": 302, "staff": 403, "a moderator": 200, "an administrator": 200}
ADMINISTRATES = {**SEES, "a moderator": 403}


@pytest.fixture
def rows() -> dict[str, object]:
    """Return a row of each kind."""
    table, players = four_at_a_table()
    suspend_player(player_id=players[0].pk, moderator_id=moderator("moe").pk, reason="A test.")
    Claim.objects.create(game_id=uuid.UUID(table.id), version=3, holder="a task")
    fact = Fact.objects.create(kind="turn.started", subject=table.id)
    Heartbeat.objects.create(name="worker")
    return {
        "players/player": players[1].pk,
        "players/audit": Audit.objects.get().pk,
        "games/game": table.id,
        "bots/claim": table.id,
        "outbox/fact": fact.pk,
        "outbox/heartbeat": "worker",
    }


@pytest.mark.parametrize("who", MAKERS)
def test_lists_and_pages_are_for_moderators_and_nobody_adds_changes_or_deletes(
    who: str, rows: dict[str, object]
) -> None:
    client = browser(MAKERS[who]())
    never = 302 if SEES[who] == 302 else 403
    for model in LISTS:
        stem = f"/admin/{model}/"
        assert client.get(stem).status_code == SEES[who], stem
        assert client.get(f"{stem}{rows[model]}/change/").status_code == SEES[who], stem
        assert client.get(f"{stem}add/").status_code == never, stem
        assert client.post(f"{stem}add/", {"username": "zoe"}).status_code == never, stem
        assert client.get(f"{stem}{rows[model]}/delete/").status_code == never, stem
        assert client.post(f"{stem}{rows[model]}/delete/", {"post": "yes"}).status_code == never, stem
        changed = client.post(f"{stem}{rows[model]}/change/", {"username": "zoe", "reason": "no", "status": "open"})
        assert changed.status_code in (never, 405), stem
        picked = client.post(stem, {"action": "delete_selected", "_selected_action": [rows[model]], "post": "yes"})
        # Without actions a list answers a form as it answers a look.
        assert picked.status_code == SEES[who], stem


@pytest.mark.parametrize("who", MAKERS)
def test_acts_are_for_moderators_and_rights_for_administrators(who: str, rows: dict[str, object]) -> None:
    client = browser(MAKERS[who]())
    for kind, key, act, expected in [
        ("player", rows["players/player"], "suspend", SEES),
        ("player", rows["players/player"], "reinstate", SEES),
        ("game", rows["games/game"], "void", SEES),
        ("player", rows["players/player"], "staff", ADMINISTRATES),
        ("fact", rows["outbox/fact"], "again", ADMINISTRATES),
    ]:
        assert client.get(page(kind, key, act)).status_code == expected[who], act


def test_every_row_and_every_act_is_in_the_tables_above() -> None:
    registered = {f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry}
    assert registered == set(LISTS)
    acts = {act.name for shown in admin.site._registry.values() for act in getattr(shown, "acts", ())}
    assert acts == {"suspend", "reinstate", "void", "staff", "again"}


def test_moderators_hold_just_what_they_need() -> None:
    group = moderators()
    held = {f"{permission.content_type.app_label}.{permission.codename}" for permission in group.permissions.all()}
    assert held == MODERATORS_MAY
    assert moderator().get_all_permissions() == MODERATORS_MAY


def test_what_the_migration_made_is_what_django_makes() -> None:
    for permission in moderators().permissions.all():
        model = permission.content_type.model_class()
        assert model is not None
        own = {f"view_{model._meta.model_name}", *(codename for codename, _ in model._meta.permissions)}
        assert permission.codename in own
        assert Permission.objects.filter(codename=permission.codename).count() == 1


def test_the_desk_offers_only_what_one_may_do(rows: dict[str, object]) -> None:
    mine, theirs = browser(moderator()), browser(administrator())
    player, fact = page("player", rows["players/player"]), page("fact", rows["outbox/fact"])
    assert titles(mine, player) == ["Suspend"] and titles(theirs, player) == ["Suspend", "Rights of staff"]
    assert titles(mine, fact) == [] and titles(theirs, fact) == ["Deliver again"]
    suspended = page("player", Player.objects.get(suspended_at__isnull=False).pk)
    assert titles(mine, suspended) == ["Reinstate"]


def test_who_is_staff_and_nothing_else_is_told_so() -> None:
    response = browser(staff()).get("/admin/")
    assert response.status_code == 200 and response.context["backlogs"] == []
    assert b"Nothing here is for you to see" in response.content


def test_mail_addresses_are_for_administrators() -> None:
    asha = person("asha", email="asha@example.org")
    assert b"asha@example.org" not in browser(moderator()).get(page("player", asha.pk)).content
    assert b"asha@example.org" in browser(administrator()).get(page("player", asha.pk)).content


def test_groups_and_users_of_django_are_not_to_be_edited() -> None:
    group, chief = moderators(), browser(administrator())
    for url in (
        "/admin/auth/group/",
        f"/admin/auth/group/{group.pk}/change/",
        "/admin/axes/accessattempt/",
    ):
        assert chief.get(url).status_code == 404, url


def test_pages_forbid_what_is_not_theirs() -> None:
    chief = browser(administrator())
    for url in ("/admin/", "/admin/login/", "/admin/games/game/"):
        policy = chief.get(url).headers["Content-Security-Policy"]
        assert policy == ADMIN_POLICY and "unsafe-inline" not in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in browser().get("/api/v1/limits").headers["Content-Security-Policy"]


def titles(client, url: str) -> list[str]:
    """Return the acts that a page offers."""
    return [act["title"] for act in client.get(url).context["acts"]]
