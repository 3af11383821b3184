"""Bots, facts and heartbeats at the desk, and what waits too long."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.db.models.functions import Now
from django.test import Client, RequestFactory
from django.utils.module_loading import import_string

from bots.models import Claim
from callbreak_site.desk.overdue import SHOWN
from callbreak_site.errors import Code, ServiceError
from callbreak_site.outbox import redelivery
from callbreak_site.outbox.models import Fact, Heartbeat
from callbreak_site.outbox.redelivery import deliver_again
from callbreak_site.outbox.services import DELIVER, deliver
from games.models import Game
from players.models import Audit
from tests.admin.desks import ADDRESS, administrator, browser, moderator, page, said, staff
from tests.games.tables import four_at_a_table

pytestmark = pytest.mark.django_db

FACTS = "/admin/outbox/fact/"
LONG_AGO = Now() - timedelta(minutes=5)


@pytest.fixture
def desk() -> Client:
    """Return a moderator's browser."""
    return browser(moderator())


def fact(**fields: Any) -> Fact:
    """Make a fact about a game that is not there."""
    given = {"kind": "turn.started", "subject": uuid.uuid4().hex, **fields}
    return Fact.objects.create(**given)


def failed_fact() -> Fact:
    """Make one that waits for hours after its failures."""
    return fact(attempts=5, error="OperationalError", claimed_until=Now() + timedelta(hours=2))


def test_everything_that_settings_name_for_the_desk_is_there() -> None:
    assert all(callable(import_string(name)) for name in (*settings.BACKLOGS, settings.AUDIT))


def test_the_desk_tells_what_waits_too_long_and_only_that(desk: Client) -> None:
    overdue, slow, failing, fine = (four_at_a_table()[0].id for _ in range(4))
    Game.objects.filter(pk=overdue).update(turn_ends_at=LONG_AGO)
    Game.objects.filter(pk__in=[slow, failing]).update(is_bots_turn=True, changed_at=LONG_AGO)
    version = Game.objects.get(pk=failing).version
    Claim.objects.create(game_id=failing, version=version, holder="t", attempts=4)
    Claim.objects.create(game_id=slow, version=version - 1, holder="t", attempts=9)
    late = fact(created_at=LONG_AGO)
    fact()
    fact(created_at=LONG_AGO, handled_at=Now())
    told = {backlog.title: sorted(thing.name for thing in backlog.things) for backlog in backlogs(desk)}
    assert told == {
        "Turns that have run out": [overdue],
        "Bot turns that wait for more than a minute": sorted([slow, failing]),
        "Bot turns that were begun 3 times or more": [failing],
        "Facts that nobody has handled for a minute": [str(late)],
    }
    text = desk.get("/admin/").content.decode()
    assert fine not in text and "begun 4 times" in text and "for 5\xa0minutes" in text


def test_a_quiet_desk_says_that_all_is_well(desk: Client) -> None:
    assert all(not backlog.things for backlog in backlogs(desk)) and len(backlogs(desk)) == 4
    assert b"None: the bots keep up." in desk.get("/admin/").content


def test_a_long_backlog_is_cut_and_leads_to_the_whole_list(desk: Client) -> None:
    for _ in range(SHOWN + 5):
        fact(created_at=LONG_AGO)
    (long,) = [backlog for backlog in backlogs(desk) if backlog.things]
    assert (len(long.shown), long.has_more) == (SHOWN, True)
    assert len(desk.get(long.url).context["cl"].result_list) == SHOWN + 5


@pytest.mark.parametrize(
    ("right", "shown"),
    [("games.view_game", [0]), ("bots.view_claim", [1]), ("outbox.view_fact", [2]), ("players.view_player", [])],
)
def test_each_backlog_is_for_those_who_may_see_its_rows(right: str, shown: list[int]) -> None:
    who = staff()
    app, codename = right.split(".")
    who.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    request = RequestFactory().get("/admin/")
    request.user = who
    assert [number for number, name in enumerate(settings.BACKLOGS) if import_string(name)(request)] == shown


def test_claims_are_listed_with_their_attempts_and_narrowed_to_those_that_matter(desk: Client) -> None:
    table, _ = four_at_a_table()
    Game.objects.filter(pk=table.id).update(is_bots_turn=True)
    Claim.objects.create(game_id=table.id, version=table.version, holder="task-1", attempts=3)
    old = Claim.objects.create(game_id=uuid.uuid4(), version=7, holder="task-2", attempts=5)
    for narrowed, number in [("", 2), ("?turn=waiting", 1), ("?turn=failing", 1)]:
        response = desk.get(f"/admin/bots/claim/{narrowed}")
        assert len(response.context["cl"].result_list) == number, narrowed
    text = desk.get("/admin/bots/claim/").content.decode()
    assert "task-1" in text and page("game", uuid.UUID(table.id)) in text
    assert desk.get(page("claim", old.pk)).status_code == 200


def test_facts_are_narrowed_by_state(desk: Client) -> None:
    waits, failed, handled = fact(), failed_fact(), fact(handled_at=Now())
    for state, expected in [("unhandled", {waits, failed}), ("failed", {failed}), ("handled", {handled})]:
        assert set(desk.get(FACTS, {"state": state}).context["cl"].result_list) == expected
    assert list(desk.get(FACTS, {"q": waits.subject}).context["cl"].result_list) == [waits]
    text = desk.get(page("fact", failed.pk)).content.decode()
    assert "OperationalError" in text and "Waits until" in text and "5" in text


def test_heartbeats_tell_how_long_a_part_is_silent(desk: Client) -> None:
    Heartbeat.objects.create(name="worker", seen_at=Now() - timedelta(seconds=90))
    text = desk.get("/admin/outbox/heartbeat/").content.decode()
    assert "worker" in text and re.search(r"\b(9\d|1\d\d) s\b", text)


def test_a_fact_that_failed_is_delivered_again_and_the_audit_says_who_wanted_it(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(redelivery, "publish", lambda *what, queue: asked.append((*what, queue)))
    chief, failed = administrator(), failed_fact()
    with django_capture_on_commit_callbacks(execute=True):
        response = browser(chief).post(
            page("fact", failed.pk, "again"), {"reason": "The database is back."}, follow=True
        )
    assert said(response) == ["It is on its way."]
    assert asked == [(DELIVER, failed.pk, "turns")]
    row = Audit.objects.get()
    assert (row.actor, row.action, row.subject_kind, row.subject_id.int) == (
        chief,
        "fact.delivered_again",
        "fact",
        failed.pk,
    )
    assert (row.reason, row.address) == ("The database is back.", ADDRESS)
    assert row.before == {"waits": True, "attempts": 5, "error": "OperationalError"}
    assert row.after == {"waits": False, "attempts": 5, "error": "OperationalError"}
    deliver(failed.pk)
    failed.refresh_from_db()
    assert failed.handled_at is not None and failed.error == ""
    listed = browser(chief).get("/admin/players/audit/").content.decode()
    assert page("fact", failed.pk) in listed
    history = browser(chief).get(page("fact", failed.pk, "history"), follow=True)
    assert list(history.context["cl"].result_list) == [row]


REFUSALS = [
    ({"handled_at": Now()}, "It has been delivered."),
    ({"claimed_by": "a task", "claimed_until": Now() + timedelta(seconds=50)}, "A task is at it right now."),
    ({"kind": "nobody.cares"}, "Nobody hears such facts."),
]


@pytest.mark.parametrize(("fields", "refusal"), REFUSALS)
def test_a_fact_that_need_not_be_delivered_is_not(fields: dict[str, Any], refusal: str) -> None:
    told = fact(**fields)
    before = Fact.objects.values().get(pk=told.pk)
    response = browser(administrator()).post(page("fact", told.pk, "again"), {"reason": "Try."}, follow=True)
    assert said(response) == [f"Nothing was changed. {refusal}"]
    assert Fact.objects.values().get(pk=told.pk) == before and not Audit.objects.exists()


@pytest.mark.parametrize("make", [moderator, staff])
def test_delivering_again_is_for_administrators(make: Any) -> None:
    who, failed = make(), failed_fact()
    assert browser(who).post(page("fact", failed.pk, "again"), {"reason": "Try."}).status_code == 403
    with pytest.raises(ServiceError) as refusal:
        deliver_again(fact_id=failed.pk, administrator_id=who.pk, reason="Try.")
    assert refusal.value.code is Code.MISSING_SCOPE and not Audit.objects.exists()


def test_services_ask_for_a_reason_and_for_a_row_that_is_there() -> None:
    chief, failed = administrator(), failed_fact()
    for fact_id, reason, code in [(failed.pk, "  ", Code.INVALID), (0, "Try.", Code.NOT_FOUND)]:
        with pytest.raises(ServiceError) as refusal:
            deliver_again(fact_id=fact_id, administrator_id=chief.pk, reason=reason)
        assert refusal.value.code is code


def backlogs(client: Client) -> list[Any]:
    """Return what the first page lists."""
    return list(client.get("/admin/").context["backlogs"])
