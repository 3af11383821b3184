"""What holds when what stands before it gives way: the broker's own redelivery, time limits, the database's word."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, transaction

from callbreak_site.embedded.stack import WORKER
from games.models import Event, Hand, Play, Round, Trick
from tests.faults.rig import Rig
from tests.faults.tables import LITE, Kind
from tests.faults.verdict import people_at
from tests.games.tables import four_at_a_table, play_on

LOCK_TIMEOUT_S = 3.0
STATEMENT_TIMEOUT_S = 10.0
SOME_S = 5.0
SLOW = """
    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN new; END';
    CREATE TRIGGER dawdle BEFORE INSERT ON games_event FOR EACH ROW EXECUTE FUNCTION dawdle();
"""


@pytest.mark.slow
def test_a_turn_whose_process_is_killed_is_delivered_again_though_nothing_sweeps(rig: Rig) -> None:
    for part in (*rig.workers, rig.clock):
        part.stop()
    unswept = rig.program("unswept", WORKER.replace("callbreak_site.celery", "tests.faults.unswept"), "-n", "u@rig")
    unswept.start()
    try:
        kind = Kind("lite", {"rounds": 1}, bots=3)
        with people_at(rig, kind, kind, games=1) as driver:
            for point in ("bot.in_think", "outbox.after_claim", "bot.before_submit"):
                armed = rig.arm("worker", point)
                driver.wait_for(lambda armed=armed: not armed.exists(), 40)
            driver.wait(60)
    finally:
        unswept.stop()
        rig.revive()


@pytest.mark.slow
def test_who_waits_for_a_locked_game_is_told_503_in_time(rig: Rig) -> None:
    with people_at(rig, LITE, LITE) as driver:
        driver.wait_for_plays(5)
        with held(rig, "SELECT FROM games_game FOR UPDATE"):
            driver.wait_for(lambda: driver.tally.errors["503 unavailable"] >= 2, 20)
        driver.wait_for_plays(5)
    assert LOCK_TIMEOUT_S - 1 < driver.tally.slowest_s[503] < LOCK_TIMEOUT_S + SOME_S


@pytest.mark.slow
def test_a_statement_that_does_not_end_is_ended_and_told_as_503(rig: Rig) -> None:
    with people_at(rig, LITE) as driver:
        driver.wait_for_plays(5)
        rig.ask(SLOW)
        try:
            driver.wait_for(lambda: driver.tally.slowest_s[503] > STATEMENT_TIMEOUT_S - 1, STATEMENT_TIMEOUT_S + SOME_S)
        finally:
            # A statement that still sleeps holds the table.
            rig.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            rig.ask("DROP TRIGGER dawdle ON games_event; DROP FUNCTION dawdle")
        driver.wait_for_plays(5)


@contextmanager
def held(rig: Rig, statement: str) -> Iterator[None]:
    """Hold what *statement* locks during the block."""
    with psycopg.connect(rig.cluster.url()) as connection:
        connection.execute(statement)
        yield


def again(row: Any, **news: Any) -> Any:
    """Return a new row like *row*, but for *news*."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.fields if not field.primary_key}
    return type(row)(**{**values, **news})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("one_play_a_card", lambda: again(Play.objects.latest("id"), trick_number=12, order=0, seat=0)),
        ("one_card_a_seat_a_trick", lambda: again(Play.objects.latest("id"), card=unplayed(), order=3)),
        ("four_plays_a_trick", lambda: again(Play.objects.latest("id"), card=unplayed(), seat=other_seat())),
        ("one_event_a_version", lambda: again(Event.objects.latest("id"))),
        ("one_trick_a_number", lambda: again(Trick.objects.latest("id"), winner=1)),
        ("one_trick_at_a_time", lambda: again(Trick.objects.latest("id"), number=12)),
        ("one_hand_a_seat_a_round", lambda: again(Hand.objects.latest("id"))),
        ("one_round_a_number", lambda: again(Round.objects.latest("id"), finished_at=time_of())),
        ("one_round_at_a_time", lambda: again(Round.objects.latest("id"), number=2)),
    ],
)
def test_the_database_itself_refuses_what_must_not_be_twice(name: str, row: Any) -> None:
    table, _ = four_at_a_table()
    play_on(table, Random(1), acts=10)  # the second trick has two cards
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        row().save()


def unplayed() -> int:
    """Return a card that nobody has played."""
    return min(set(range(52)) - set(Play.objects.values_list("card", flat=True)))


def other_seat() -> int:
    """Return a seat that has not played to the running trick."""
    last = Play.objects.latest("id")
    there = Play.objects.filter(trick_number=last.trick_number).values_list("seat", flat=True)
    return min(set(range(4)) - set(there))


def time_of() -> Any:
    """Return some moment of the game."""
    return Event.objects.latest("id").at
