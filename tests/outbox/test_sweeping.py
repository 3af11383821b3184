"""One sweep at a time, which nothing that fails in it stops."""

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from pytest_django import Settings

from callbreak_site.outbox.models import Heartbeat
from callbreak_site.outbox.sweeper import Sweeper
from callbreak_site.outbox.sweeping import maintain, note_heartbeat, sweep
from tests.games.threads import race
from tests.outbox import hearing

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)


def slow() -> None:
    hearing.heard.append("slow")
    time.sleep(0.5)


def quick() -> None:
    hearing.heard.append("quick")


def lose_the_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def has_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        return bool(cursor.fetchone()[0])


def wait_for(count: int) -> None:
    deadline = time.monotonic() + 10
    while len(hearing.heard) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(hearing.heard) >= count


@committed
def test_of_two_sweeps_at_once_one_runs(settings: Settings, heard: list[str]) -> None:
    settings.SWEEPS = [f"{__name__}.slow"]
    assert sorted(race(sweep, sweep)) == [False, True]  # type: ignore[type-var]
    assert heard == ["slow"]


def test_the_next_sweep_runs_once_the_last_is_over(settings: Settings, heard: list[str]) -> None:
    settings.SWEEPS = [f"{__name__}.quick"]
    assert sweep()
    assert sweep()
    assert heard == ["quick", "quick"]
    assert not has_lock()


@committed
def test_a_sweep_and_the_maintenance_do_not_wait_for_each_other(settings: Settings, heard: list[str]) -> None:
    settings.SWEEPS = settings.MAINTENANCE = [f"{__name__}.slow"]
    assert race(sweep, maintain) == [True, True]


@committed
@pytest.mark.parametrize("failing", ["tests.outbox.hearing.fail", "no.such.thing", f"{__name__}.lose_the_connection"])
def test_a_part_that_fails_does_not_stop_the_others(settings: Settings, heard: list[str], failing: str) -> None:
    settings.SWEEPS = [failing, f"{__name__}.quick"]
    assert sweep()
    assert heard == ["quick"]
    assert not has_lock()


def test_a_sweep_is_noted_when_it_has_ended(settings: Settings) -> None:
    settings.SWEEPS = []
    sweep()
    assert Heartbeat.objects.filter(name="sweep", seen_at__gt=Now() - timedelta(seconds=5)).exists()


def test_a_heartbeat_moves_on() -> None:
    Heartbeat.objects.create(name="worker", seen_at=Now() - timedelta(hours=1))
    note_heartbeat("worker")
    assert Heartbeat.objects.filter(name="worker", seen_at__gt=Now() - timedelta(seconds=5)).count() == 1


@committed
def test_a_worker_sweeps_by_itself_and_is_seen(settings: Settings, heard: list[str]) -> None:
    settings.SWEEPS = [f"{__name__}.quick"]
    sweeper = Sweeper(seconds_between_sweeps=0.05)
    sweeper.start()
    wait_for(3)
    sweeper.stop()
    swept = len(heard)
    time.sleep(0.2)
    assert len(heard) == swept
    assert Heartbeat.objects.filter(name="worker").exists()


@committed
def test_a_worker_goes_on_sweeping_after_it_lost_its_connection(settings: Settings, heard: list[str]) -> None:
    settings.SWEEPS = [f"{__name__}.quick", f"{__name__}.lose_the_connection"]
    sweeper = Sweeper(seconds_between_sweeps=0.05)
    sweeper.start()
    wait_for(3)
    sweeper.stop()


@committed
def test_a_worker_goes_on_sweeping_when_the_database_is_back(
    settings: Settings, heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SWEEPS = [f"{__name__}.quick", f"{__name__}.lose_the_connection"]
    sweeper = Sweeper(seconds_between_sweeps=0.05)
    with monkeypatch.context() as away:
        away.setitem(connection.settings_dict, "HOST", "/nonexistent")
        away.setitem(connection.settings_dict, "OPTIONS", {})
        sweeper.start()
        time.sleep(0.5)
        assert heard == []
    wait_for(1)
    sweeper.stop()
