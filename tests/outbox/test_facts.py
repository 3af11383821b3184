"""A fact lives and dies with its change, and reaches its hearers at least once."""

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from django.db.models import F
from django.db.models.functions import Now
from pytest_django import Settings

from callbreak_site.outbox import services, tasks
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.services import deliver, emit, purge_handled, resend_unhandled
from tests.games.threads import race
from tests.outbox import hearing

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)


def fact(**later: object) -> Fact:
    emit("bell.rang", "7")
    made = Fact.objects.latest("id")
    Fact.objects.filter(id=made.id).update(**later)
    return made


def old(**later: object) -> Fact:
    return fact(**{"created_at": Now() - timedelta(seconds=6), **later})


def test_a_fact_that_nobody_hears_is_no_row() -> None:
    emit("leaf.fell", "7")
    assert not Fact.objects.exists()


@committed
def test_a_fact_dies_with_the_change_that_made_it() -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        emit("bell.rang", "7")
        raise RuntimeError
    assert not Fact.objects.exists()


@committed
def test_a_change_is_kept_when_the_broker_is_away(no_broker: None) -> None:
    with transaction.atomic():
        emit("bell.rang", "7")
    assert Fact.objects.filter(handled_at=None).count() == 1


def test_a_delivery_calls_the_hearers_with_the_subject_and_marks_the_fact(heard: list[str]) -> None:
    deliver(fact().id)
    assert heard == ["7"]
    handled = Fact.objects.get()
    assert handled.handled_at is not None
    assert (handled.claimed_by, handled.claimed_until, handled.attempts) == ("", None, 1)


def test_all_hearers_are_called(heard: list[str], settings: Settings) -> None:
    settings.HEARERS["bell.rang"]["call"].append("tests.outbox.hearing.listen_too")
    deliver(fact().id)
    assert heard == ["7", "7 too"]


def test_a_fact_delivered_five_times_has_its_effect_once(heard: list[str]) -> None:
    made = fact()
    for _ in range(5):
        deliver(made.id)
    assert heard == ["7"]


@committed
def test_of_five_deliveries_at_once_one_calls_the_hearers(heard: list[str]) -> None:
    made = fact()
    race(*[lambda: deliver(made.id)] * 5)
    assert heard == ["7"]


def test_a_delivery_of_a_fact_that_is_gone_does_nothing(heard: list[str]) -> None:
    deliver(12345)
    assert heard == []


def test_a_fact_whose_hearer_fails_is_tried_again_later_and_later(heard: list[str]) -> None:
    made = fact()
    for attempt, seconds in ((1, 2), (2, 4), (3, 8)):
        hearing.failures.append(ValueError("about AS and KH"))
        deliver(made.id)
        failed = Fact.objects.annotate(wait=F("claimed_until") - Now()).get()
        assert (failed.handled_at, failed.attempts, failed.error) == (None, attempt, "ValueError")
        assert timedelta(seconds=seconds - 1) < failed.wait <= timedelta(seconds=seconds)
        deliver(made.id)
        assert heard == []
        Fact.objects.update(claimed_until=Now() - timedelta(seconds=1))
    deliver(made.id)
    assert heard == ["7"]
    assert Fact.objects.get().error == ""


def test_the_wait_after_many_failures_has_a_limit() -> None:
    made = fact(attempts=60)
    hearing.failures.append(ValueError())
    deliver(made.id)
    assert Fact.objects.filter(claimed_until__lt=Now() + timedelta(minutes=11)).exists()


def test_a_fact_in_the_hands_of_another_task_is_left_alone(heard: list[str]) -> None:
    made = fact(claimed_by="another", claimed_until=Now() + timedelta(seconds=30))
    deliver(made.id)
    assert heard == []


def test_a_fact_whose_task_died_is_free_after_its_lease(heard: list[str]) -> None:
    made = fact(claimed_by="dead", claimed_until=Now() - timedelta(seconds=1))
    deliver(made.id)
    assert heard == ["7"]


def test_a_task_that_is_delivered_once_more_takes_its_claim_up_again(
    heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = fact(claimed_by="task-1", claimed_until=Now() + timedelta(seconds=30))
    monkeypatch.setattr(services, "holder", lambda: "task-1")
    deliver(made.id)
    assert heard == ["7"]


def test_a_sweep_sends_what_no_kick_has_brought(no_broker: None, heard: list[str]) -> None:
    made = old()
    resend_unhandled()
    resent = Fact.objects.get()
    assert resent.claimed_by != ""
    deliver(made.id)
    assert heard == [], "only the message that was sent again may deliver it, for a while"


def test_a_resent_message_may_deliver_at_once(heard: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = old()
    sent: list[str | None] = []
    monkeypatch.setattr(services, "publish", lambda *_, task_id=None, **__: sent.append(task_id))
    resend_unhandled()
    assert sent == [Fact.objects.get().claimed_by]
    monkeypatch.setattr(services, "holder", lambda: sent[0])
    deliver(made.id)
    assert heard == ["7"]


@pytest.mark.parametrize(
    "later",
    [
        {"created_at": Now()},
        {"handled_at": Now()},
        {"claimed_by": "another", "claimed_until": Now() + timedelta(seconds=30)},
    ],
    ids=["young", "handled", "claimed"],
)
def test_a_sweep_leaves_alone_what_is_not_waiting(later: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    old(**later)
    sent: list[object] = []
    monkeypatch.setattr(services, "publish", lambda *arguments, **_: sent.append(arguments))
    resend_unhandled()
    assert sent == []


@committed
def test_two_sweeps_at_once_send_a_message_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(20):
        old()
    sent: list[object] = []
    monkeypatch.setattr(services, "publish", lambda _, fact_id, **__: sent.append(fact_id))
    race(*[resend_unhandled] * 4)
    assert len(sent) == len(set(sent)) == 20


def test_what_was_handled_is_kept_for_a_day() -> None:
    fact(handled_at=Now() - timedelta(hours=25))
    kept = fact(handled_at=Now() - timedelta(hours=23))
    waiting = fact(created_at=Now() - timedelta(days=9))
    purge_handled()
    assert set(Fact.objects.values_list("id", flat=True)) == {kept.id, waiting.id}


def test_what_is_no_news_any_more_is_told_to_nobody(heard: list[str], settings: Settings) -> None:
    settings.HEARERS["bell.rang"]["stale_after_minutes"] = 60
    news = fact(created_at=Now() - timedelta(minutes=59))
    stale = fact(created_at=Now() - timedelta(minutes=61))
    for one in (news, stale):
        deliver(one.id)
    assert heard == ["7"]
    assert Fact.objects.filter(handled_at=None).count() == 0
    assert Fact.objects.get(id=stale.id).error == "stale"


@committed
def test_a_delivery_that_finds_no_database_is_tried_again_under_its_own_claim(
    monkeypatch: pytest.MonkeyPatch, heard: list[str]
) -> None:
    made = fact()
    claimants: list[str] = []

    def deliver_when_there_is_a_database(fact_id: int) -> None:
        claimants.append(services.holder())
        if len(claimants) < 3:
            raise OperationalError
        deliver(fact_id)

    monkeypatch.setattr(services, "deliver", deliver_when_there_is_a_database)
    tasks.deliver.apply(args=[made.id])
    assert len(claimants) == 3 and len(set(claimants)) == 1
    made.refresh_from_db()
    assert made.handled_at is not None
