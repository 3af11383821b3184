"""Each act writes one row into the audit, or changes nothing and says why not."""

import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client

from callbreak_site.errors import Code, ServiceError
from games.models import Event, EventType, Game
from games.presenters.state import game_state
from games.rules.ruleset import RULESETS
from games.selectors.replay import differences
from games.services.lobby import Plan, create_game
from games.services.moderation import void_game
from players.models import Audit, Kind, Player
from players.services.moderation import reinstate_player, suspend_player
from players.services.staff import change_staff_rights
from tests.admin.desks import ADDRESS, administrator, browser, moderator, page, person, said, staff
from tests.games.tables import four_at_a_table, play_on, reread, ruleset

pytestmark = pytest.mark.django_db

WHY = "Two of the seats were one person."


def test_suspending_writes_who_what_before_after_why_and_from_where() -> None:
    judge, asha = moderator(), person("asha")
    response = browser(judge).post(page("player", asha.pk, "suspend"), {"reason": WHY}, follow=True)
    assert said(response) == ["asha is suspended."]
    asha.refresh_from_db()
    assert asha.suspended_at is not None and asha.suspension_reason == WHY
    row = Audit.objects.get()
    assert (row.actor, row.action, row.subject_kind, row.subject_id) == (judge, "player.suspended", "player", asha.pk)
    assert (row.before, row.after, row.reason) == ({"suspended": False}, {"suspended": True}, WHY)
    assert row.address == ADDRESS


def test_reinstating_writes_one_row_too() -> None:
    judge, asha = moderator(), person("asha")
    suspend_player(player_id=asha.pk, moderator_id=judge.pk, reason=WHY)
    response = browser(judge).post(page("player", asha.pk, "reinstate"), {"reason": "It was a mistake."}, follow=True)
    assert said(response) == ["asha is reinstated."]
    asha.refresh_from_db()
    assert asha.suspended_at is None and asha.suspension_reason == ""
    row = Audit.objects.order_by("-id")[0]
    assert Audit.objects.count() == 2
    assert (row.action, row.before, row.after) == (
        "player.reinstated",
        {"suspended": True, "reason": WHY},
        {"suspended": False},
    )


def test_voiding_ends_the_game_for_all_and_writes_one_row() -> None:
    judge = moderator()
    table, _ = four_at_a_table()
    play_on(table, random.Random(1), acts=9)
    response = browser(judge).post(page("game", table.id, "void"), {"reason": WHY}, follow=True)
    assert said(response) == ["The game is void."]
    game = Game.objects.get(id=table.id)
    assert (game.status, game.void_reason, game.turn_seat) == ("void", WHY, None)
    assert Event.objects.get(game=game, version=game.version).type == EventType.GAME_VOIDED
    row = Audit.objects.get()
    assert (row.actor, row.action, row.subject_kind, row.subject_id) == (judge, "game.voided", "game", game.id)
    assert (row.before, row.after, row.reason) == ({"status": "active"}, {"status": "void"}, WHY)
    assert row.address == ADDRESS


@pytest.mark.parametrize("is_finished", [False, True])
def test_an_open_game_and_a_finished_one_are_voided_too(is_finished: bool) -> None:
    if is_finished:
        table = play_on(four_at_a_table(ruleset("lite", rounds=1))[0], random.Random(1))
    else:
        table = create_game(player_id=person().pk, plan=Plan(ruleset=RULESETS["lite"], bots=["easy"]))
    client = browser(moderator())
    response = client.post(page("game", table.id, "void"), {"reason": WHY}, follow=True)
    assert said(response) == ["The game is void."]
    shown = game_state(reread(table), None)
    assert (shown["status"], shown["result"], {seat["place"] for seat in shown["seats"]}) == ("void", None, {None})
    assert Audit.objects.get().before == {"status": table.status}
    assert differences(uuid.UUID(table.id)) == []


def test_an_administrator_gives_and_takes_the_rights_of_staff() -> None:
    chief, asha = administrator(), person("asha")
    moderator("moe")  # so that the group is there
    answers = {"is_staff": "on", "groups": ["Moderators"], "reason": "She helps out."}
    response = browser(chief).post(page("player", asha.pk, "staff"), answers, follow=True)
    assert said(response) == ["The rights of asha are set."]
    asha.refresh_from_db()
    assert asha.is_staff and not asha.is_superuser and asha.has_perm("games.void_game")
    browser(chief).post(page("player", asha.pk, "staff"), {"reason": "She has stopped."})
    asha = Player.objects.get(pk=asha.pk)
    assert not asha.is_staff and not asha.groups.exists()
    given, taken = Audit.objects.order_by("id")
    assert given.before == taken.after == {"staff": False, "groups": []}
    assert given.after == taken.before == {"staff": True, "groups": ["Moderators"]}


def test_looking_at_the_question_changes_nothing() -> None:
    chief, asha = administrator(), person("asha")
    table, _ = four_at_a_table()
    for url in (page("player", asha.pk, "suspend"), page("player", asha.pk, "staff"), page("game", table.id, "void")):
        with nothing_changes():
            response = browser(chief).get(url)
        assert response.status_code == 200 and b"<textarea" in response.content


@pytest.mark.parametrize("reason", ["", "   ", "\n\t", "x" * 501, "a\x00b"])
def test_a_reason_is_asked_for_until_it_is_one(reason: str) -> None:
    judge, asha = moderator(), person("asha")
    table, _ = four_at_a_table()
    for url in (page("player", asha.pk, "suspend"), page("game", table.id, "void")):
        with nothing_changes():
            response = browser(judge).post(url, {"reason": reason})
        assert response.status_code == 200 and response.context["form"].errors["reason"]


def test_a_reason_may_be_as_long_as_its_column_and_hold_anything() -> None:
    judge, asha = moderator(), person("asha")
    reason = "<script>alert(1)</script>{{ 7*7 }}%s'" + "é" * 460
    response = browser(judge).post(page("player", asha.pk, "suspend"), {"reason": reason}, follow=True)
    assert said(response) == ["asha is suspended."]
    assert Audit.objects.get().reason == reason
    assert b"<script>alert" not in response.content and b"&lt;script&gt;alert(1)" in response.content


@pytest.mark.parametrize("make", [person, staff])
@pytest.mark.parametrize("act", ["suspend", "reinstate", "staff", "void"])
def test_who_lacks_the_right_is_refused(make, act: str) -> None:
    nosy, asha = make(), person("asha")
    table, _ = four_at_a_table()
    url = page("game", table.id, act) if act == "void" else page("player", asha.pk, act)
    for client in (browser(), browser(nosy)):
        with nothing_changes():
            seen = client.get(url), client.post(url, {"reason": WHY, "is_staff": "on"})
        assert all(response.status_code in (302, 403) for response in seen)
        assert all("/admin/login/" in response.headers.get("Location", "/admin/login/") for response in seen)


@pytest.mark.parametrize("make", [person, staff, lambda: person(is_superuser=True)])
def test_the_services_refuse_who_lacks_the_right_themselves(make) -> None:
    nosy, asha = make(), person("asha")
    table, _ = four_at_a_table()
    for service, subject in [
        (suspend_player, {"player_id": asha.pk, "moderator_id": nosy.pk}),
        (reinstate_player, {"player_id": asha.pk, "moderator_id": nosy.pk}),
        (void_game, {"game_id": table.id, "moderator_id": nosy.pk}),
        (change_staff_rights, {"player_id": asha.pk, "administrator_id": nosy.pk, "is_staff": True, "groups": []}),
    ]:
        with nothing_changes(), pytest.raises(ServiceError) as refusal:
            service(**subject, reason=WHY)
        assert refusal.value.code is Code.MISSING_SCOPE, service.__name__


def test_the_right_to_change_players_does_not_make_an_administrator() -> None:
    judge, asha = moderator(), person("asha")
    judge.user_permissions.add(Permission.objects.get(codename="change_player"))
    with nothing_changes(), pytest.raises(ServiceError) as refusal:
        change_staff_rights(player_id=asha.pk, administrator_id=judge.pk, is_staff=True, groups=[], reason=WHY)
    assert refusal.value.code is Code.MISSING_SCOPE
    with nothing_changes():
        assert browser(judge).post(page("player", asha.pk, "staff"), {"reason": WHY}).status_code == 403


def test_a_moderator_changes_nobodys_rights_least_of_all_his_own() -> None:
    judge, asha = moderator(), person("asha")
    for subject in (judge, asha):
        with nothing_changes():
            answers = {"is_staff": "on", "is_superuser": "on", "groups": ["Moderators"], "reason": WHY}
            assert browser(judge).post(page("player", subject.pk, "staff"), answers).status_code == 403
            assert browser(judge).post(page("player", subject.pk), answers).status_code == 405


def test_an_administrator_does_not_change_his_own_rights_either() -> None:
    chief = administrator()
    with nothing_changes():
        response = browser(chief).post(page("player", chief.pk, "staff"), {"reason": "I have had enough."}, follow=True)
    assert said(response) == ["Nothing was changed. Your own rights are for another administrator to change."]


def test_extra_fields_of_a_form_are_of_no_effect() -> None:
    chief, asha = administrator(), person("asha")
    answers = {"is_staff": "on", "reason": WHY, "is_superuser": "on", "username": "zoe", "password": "x"}
    browser(chief).post(page("player", asha.pk, "staff"), answers)
    asha.refresh_from_db()
    assert (asha.is_staff, asha.is_superuser, asha.username, asha.password) == (True, False, "asha", "")


REFUSALS = [
    ("suspend", {"is_staff": True}, "Take the rights of staff away first."),
    ("suspend", {"suspended_at": "2026-01-01T00:00Z"}, "This player is suspended already."),
    ("suspend", {"is_active": False}, "There is no such player."),
    ("reinstate", {}, "This player is not suspended."),
    ("staff", {"suspended_at": "2026-01-01T00:00Z"}, "Reinstate the player first."),
    ("staff", {"kind": Kind.GUEST}, "A guest has no password to sign in with."),
    ("staff", {"is_active": False}, "There is no such player."),
    ("staff", {"is_staff": True}, "These are the rights that the player has already."),
]


@pytest.mark.parametrize(("act", "fields", "refusal"), REFUSALS)
def test_a_refusal_is_told_on_the_page(act: str, fields: dict, refusal: str) -> None:
    chief, asha = browser(administrator()), person("asha", **fields)
    answers = {"reason": WHY, "is_staff": "on"}
    with nothing_changes():
        response = chief.post(page("player", asha.pk, act), answers, follow=True)
    assert said(response) == [f"Nothing was changed. {refusal}"]


def test_groups_are_for_staff() -> None:
    chief, asha = browser(administrator()), person("asha")
    moderator("moe")
    answers = {"reason": WHY, "groups": ["Moderators"]}
    with nothing_changes():
        response = chief.post(page("player", asha.pk, "staff"), answers, follow=True)
    assert said(response) == ["Nothing was changed. Only staff can be in a group."]


def test_a_game_is_voided_once() -> None:
    judge = moderator()
    table, _ = four_at_a_table()
    void_game(game_id=table.id, moderator_id=judge.pk, reason=WHY)
    with nothing_changes():
        response = browser(judge).post(page("game", table.id, "void"), {"reason": WHY}, follow=True)
    assert said(response) == ["Nothing was changed. The game is void already."]


@pytest.mark.parametrize("key", ["0123456789abcdef" * 2, "nonsense", "1", "%00", "é"])
@pytest.mark.parametrize("act", ["change", "history", "delete", "void"])
def test_what_is_not_there_is_not_found(key: str, act: str) -> None:
    response = browser(administrator()).get(page("game", key, act))
    assert response.status_code in (302, 403, 404)


def test_a_form_without_the_sites_own_token_is_refused() -> None:
    judge, asha = moderator(), person("asha")
    client: Client = browser(judge, enforce_csrf_checks=True)
    with nothing_changes():
        assert client.post(page("player", asha.pk, "suspend"), {"reason": WHY}).status_code == 403


@contextmanager
def nothing_changes() -> Iterator[None]:
    """Fail if a row of players, games or the audit is written meanwhile."""
    tables = ("players_player", "players_player_groups", "games_game", "games_event", "players_audit")
    before = [content(table) for table in tables]
    yield
    assert [content(table) for table in tables] == before


def content(table: str) -> str:
    """Return all rows of *table*, but for when somebody signed in last."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT string_agg((to_jsonb(t) - 'last_login')::text, ' ' ORDER BY id) FROM {table} t")
        return cursor.fetchone()[0]
