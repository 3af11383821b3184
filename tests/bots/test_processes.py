"""Bots in real worker processes: quick when all is well, there again whatever dies. No clock runs beside them."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
import redis as redis_client
from django.conf import settings
from django.db.models.functions import Now

from bots.models import Claim
from callbreak_site.embedded.addresses import celery_url
from callbreak_site.outbox import services
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.publishing import Publisher
from games.models import Event, Game
from games.presenters.table import Table
from games.selectors.turns import bot_turn
from tests.bots.processes import Broker, Worker, wait_until, worker
from tests.bots.tables import act_as_person, waiting_for_a_bot, with_three_bots
from tests.games.tables import four_at_a_table, reread
from tests.services import temporary_folder

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder() -> Iterator[Path]:
    flush()
    with temporary_folder() as folder:
        yield folder
    flush()


def flush() -> None:
    with redis_client.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()


def is_persons_turn(table: Table) -> bool:
    return bot_turn(table.id) is None


def acts_by_bots(table: Table) -> int:
    return Event.objects.filter(game_id=table.id, public__by="bot").count()


def expect_each_turn_once(table: Table) -> None:
    """The one who is on turn now is a person, all since the last one have acted, and no event is missing or double."""
    after = reread(table)
    assert after.state is not None and after.state.turn is not None and not after.is_bots_turn
    first = (after.state.dealer + 1) % 4
    assert acts_by_bots(table) == (after.state.turn - first) % 4
    versions = Event.objects.filter(game_id=table.id).order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, after.version + 1))


def is_claimed(table: Table) -> bool:
    return Claim.objects.filter(game_id=table.id, leased_until__gt=Now(), attempts__gte=1).exists()


def test_a_bot_answers_within_a_second_when_the_workers_are_idle(folder: Path) -> None:
    with worker(folder) as running:
        expect_an_answer(running)
        seconds = []
        for _ in range(5):
            table = waiting_for_a_bot("medium")
            seconds.append(wait_until(lambda table=table: is_persons_turn(table), 30, running))
            expect_each_turn_once(table)
    assert sorted(seconds)[2] < 1.0, seconds


def test_a_game_is_played_to_its_end_between_a_person_and_workers(folder: Path) -> None:
    with worker(folder) as running:
        table, rng = with_three_bots("medium", rounds=1), Random(1)
        while (table := reread(table)).status == "active":
            if table.is_bots_turn:
                wait_until(lambda table=table: is_persons_turn(table), 20, running)
            else:
                act_as_person(table, rng)
    assert Event.objects.filter(game_id=table.id, type__in=("bid.made", "card.played")).count() == 56


@pytest.mark.parametrize("acts", [0, 1], ids=["while it thinks", "after it has played"])
def test_a_turn_whose_process_is_killed_is_played_once_within_15_seconds(folder: Path, acts: int) -> None:
    with worker(folder, dawdle=1.0) as running:
        table = waiting_for_three_bots() if acts else waiting_for_a_bot()
        wait_until(lambda: is_claimed(table) and acts_by_bots(table) >= acts, 30, running)
        running.kill_children()
        assert wait_until(lambda: is_persons_turn(table), 30, running) < 15 + 3
        time.sleep(1)
        expect_each_turn_once(table)


def waiting_for_three_bots() -> Table:
    """Start games until one has three bots' turns before the person's."""
    while True:
        table = waiting_for_a_bot()
        person = next(seat.number for seat in table.seats if seat and seat.player_id)
        assert table.state is not None and table.state.turn is not None
        if (person - table.state.turn) % 4 == 3:
            return table
        Game.objects.filter(id=table.id).update(status="void", is_bots_turn=False, turn_seat=None, turn_action=None)


def test_when_all_workers_are_killed_the_next_ones_play_each_turn_once_within_20_seconds(folder: Path) -> None:
    with worker(folder, dawdle=1.0) as first:
        tables = [waiting_for_a_bot() for _ in range(3)]
        wait_until(lambda: any(map(is_claimed, tables)), 30, first)
        first.kill()
    with worker(folder) as second:
        assert wait_until(lambda: all(map(is_persons_turn, tables)), 40, second) < 20
        for table in tables:
            expect_each_turn_once(table)


def test_without_a_clock_a_turn_that_no_message_speaks_of_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "publish", lambda *_, **__: False)
    with worker(folder) as running:
        table = waiting_for_a_bot()
        assert wait_until(lambda: is_persons_turn(table), 30, running) < 15
        wait_until(lambda: not Fact.objects.filter(handled_at=None).exists(), 30, running)


def test_without_a_clock_a_turn_that_ran_out_is_played_by_a_bot(folder: Path) -> None:
    with worker(folder) as running:
        table, _ = four_at_a_table()
        Game.objects.filter(id=table.id).update(turn_ends_at=Now() - timedelta(minutes=1))
        wait_until(lambda: acts_by_bots(table) == 1, 20, running)
    assert Event.objects.filter(game_id=table.id, type="turn.missed").count() == 1


def test_a_redis_that_forgets_everything_all_the_time_loses_no_turn(folder: Path) -> None:
    with worker(folder) as running, forgetting():
        tables = [with_three_bots() for _ in range(4)]
        rng, ends_at = Random(1), time.monotonic() + 8
        while time.monotonic() < ends_at:
            for table in tables:
                if is_persons_turn(table) and (now := reread(table)).status == "active":
                    act_as_person(now, rng)
        wait_until(lambda: all(map(is_persons_turn, tables)), 30, running)
        for table in tables:
            versions = Event.objects.filter(game_id=table.id).order_by("version").values_list("version", flat=True)
            assert list(versions) == list(range(1, reread(table).version + 1))


@contextmanager
def forgetting() -> Iterator[None]:
    """Empty Redis ten times a second."""
    is_over = threading.Event()

    def forget() -> None:
        while not is_over.wait(0.1):
            flush()

    thread = threading.Thread(target=forget)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.fixture
def broker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    broker = Broker(folder)
    monkeypatch.setattr(services, "publish", Publisher(celery_url(broker.server.url())).publish)
    yield broker
    broker.kill()


def test_a_worker_outlives_its_redis_and_goes_on_with_an_empty_one(folder: Path, broker: Broker) -> None:
    with worker(folder, redis_url=broker.server.url()) as running:
        for _ in range(3):
            expect_an_answer(running)
            broker.kill()
            lost = waiting_for_a_bot()
            time.sleep(1)
            broker.start()
            wait_until(lambda lost=lost: is_persons_turn(lost), 30, running)


def test_a_worker_goes_on_when_its_redis_wakes_up_again(folder: Path, broker: Broker) -> None:
    with worker(folder, redis_url=broker.server.url()) as running:
        expect_an_answer(running)
        broker.freeze()
        lost = waiting_for_a_bot()
        time.sleep(12)
        broker.thaw()
        wait_until(lambda: is_persons_turn(lost), 30, running)
        expect_an_answer(running)


def expect_an_answer(running: Worker) -> None:
    table = waiting_for_a_bot()
    wait_until(lambda: is_persons_turn(table), 30, running)
