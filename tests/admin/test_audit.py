"""The audit is there to be read, and is never rewritten."""

import re

import pytest
from django.db import DatabaseError, transaction

from games.services.moderation import void_game
from players.models import Audit, Player
from players.services.moderation import reinstate_player, suspend_player
from tests.admin.desks import administrator, browser, moderator, page, person
from tests.games.tables import four_at_a_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha() -> Player:
    """Somebody who was suspended."""
    player = person("asha")
    suspend_player(player_id=player.pk, moderator_id=moderator().pk, reason="Rude to others.", address="192.0.2.1")
    return player


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda row: Audit.objects.filter(pk=row.pk).update(reason="Nothing."),
        lambda row: Audit.objects.filter(pk=row.pk).delete(),
        lambda row: Audit.objects.bulk_update([row], ["reason"]),
        lambda row: row.save(),
        lambda row: row.delete(),
    ],
)
def test_no_row_is_changed_or_deleted_whoever_tries(asha: Player, rewrite) -> None:
    row = Audit.objects.get()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rewrite(row)
    row.refresh_from_db()
    assert row.reason == "Rude to others."


def test_who_stands_in_the_audit_is_not_deleted(asha: Player) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Player.objects.get(username="mo").delete()


def test_the_list_says_who_did_what_to_whom_and_why(asha: Player) -> None:
    text = browser(administrator()).get("/admin/players/audit/").content.decode()
    for told in ("mo", "player.suspended", "player asha", "Rude to others.", "suspended: no → yes"):
        assert told in text


def test_the_audit_of_a_row_is_on_its_page_and_behind_its_history(asha: Player) -> None:
    judge = Player.objects.get(username="mo")
    reinstate_player(player_id=asha.pk, moderator_id=judge.pk, reason="Has said sorry.")
    table, _ = four_at_a_table()
    void_game(game_id=table.id, moderator_id=judge.pk, reason="A test game.")
    client = browser(judge)
    for kind, key, reasons in [
        ("player", asha.pk, ["Has said sorry.", "Rude to others."]),
        ("game", table.id, ["A test game."]),
    ]:
        shown = client.get(page(kind, key))
        assert [entry.reason for entry in shown.context["audit"]] == reasons
        history = client.get(page(kind, key, "history"), follow=True)
        assert [row.reason for row in history.context["cl"].result_list] == reasons
        assert history.request["PATH_INFO"] == "/admin/players/audit/"


@pytest.mark.parametrize("subject", ["player:nonsense", "x", ":", "fact:1", "fact:" + "9" * 30, "player:%00", "é:é"])
def test_a_subject_that_is_none_has_no_audit(asha: Player, subject: str) -> None:
    response = browser(administrator()).get("/admin/players/audit/", {"subject": subject})
    assert response.status_code == 200 and list(response.context["cl"].result_list) == []


def test_it_is_searched_by_actor_reason_and_subject(asha: Player) -> None:
    client = browser(administrator())
    for words, number in [("mo", 1), ("rude", 1), (asha.pk.hex, 1), (str(asha.pk), 1), ("ada", 0), ("asha", 0)]:
        found = client.get("/admin/players/audit/", {"q": words}).context["cl"].result_count
        assert found == number, words


def test_it_tells_from_where_only_on_the_page_of_one_row(asha: Player) -> None:
    client = browser(moderator("moe"))
    text = client.get(page("audit", Audit.objects.get().pk)).content.decode()
    assert "192.0.2.1" in text and not re.search("<(input|textarea|select)[^>]* name=.reason", text)
    assert "192.0.2.1" not in client.get("/admin/players/audit/").content.decode()
