"""Bots take the turns that wait for one: each once, whatever the bot or its worker does."""

import logging
import time
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from bots.models import Claim
from bots.services import take_turns, turns
from bots.services.claims import claim_turn
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.services import deliver
from games.models import Event, Game
from games.presenters.table import Table
from games.rules.state import Phase
from games.rules.view import View
from games.services import plain_moves
from games.services.table import expire_turn, resign_seat, vote_to_finish
from tests.bots import tables
from tests.bots.tables import (
    act_as_person,
    end_leases,
    level_that,
    play_out,
    two_people_and_two_bots,
    waiting_for_a_bot,
    with_three_bots,
)
from tests.games.tables import four_at_a_table, reread
from tests.games.threads import race

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)

POISONS = [
    tables.raise_an_error, tables.choose_what_is_illegal, tables.choose_no_number, tables.eat_memory, tables.recurse,
]  # fmt: skip


def acts(table: Table) -> int:
    return Event.objects.filter(game_id=table.id, type__in=("bid.made", "card.played")).count()


def acts_by_bots(table: Table) -> int:
    return Event.objects.filter(game_id=table.id, public__by="bot").count()


def claim(table: Table) -> Claim:
    return Claim.objects.get(game_id=UUID(table.id))


@pytest.mark.parametrize("name", ["call-break-2", "master", "lite"])
def test_one_person_plays_a_whole_game_with_three_bots(name: str) -> None:
    options = {"rounds": 2}
    ended = play_out(with_three_bots("medium", name, **options), Random(5))
    assert ended.status == "finished"
    assert acts(ended) == 2 * 56


def test_a_run_of_bot_turns_is_one_call() -> None:
    table = waiting_for_a_bot()
    take_turns(table.id)
    table = reread(table)
    assert not table.is_bots_turn
    assert acts_by_bots(table) >= 1


def test_a_game_of_bots_alone_is_played_to_its_end_in_one_call() -> None:
    table = with_three_bots(rounds=1)
    (me,) = (seat.player_id for seat in table.seats if seat and seat.player_id)
    resign_seat(game_id=table.id, player_id=me)
    take_turns(table.id)
    assert reread(table).status == "finished"


def test_a_call_for_a_persons_turn_does_nothing() -> None:
    table, _ = four_at_a_table()
    take_turns(table.id)
    assert reread(table).version == table.version


def test_a_call_for_a_game_that_is_not_there_does_nothing() -> None:
    take_turns("0" * 32)


def test_five_calls_one_after_the_other_have_the_effect_of_one() -> None:
    table = waiting_for_a_bot()
    take_turns(table.id)
    after = reread(table).version
    for _ in range(4):
        take_turns(table.id)
    assert reread(table).version == after


@committed
def test_five_calls_at_once_take_each_turn_once() -> None:
    table = waiting_for_a_bot()
    with level_that(lambda seen: time.sleep(0.02) or turns.fallback(seen)) as bot:
        race(*[lambda: take_turns(table.id)] * 5)
    table = reread(table)
    assert not table.is_bots_turn
    assert bot.asked == acts_by_bots(table), "nobody thought about a turn that another had claimed"


@committed
def test_the_fact_that_a_turn_started_brings_the_bot() -> None:
    table = waiting_for_a_bot()
    deliver(Fact.objects.get(kind="turn.started", subject=table.id).id)
    assert not reread(table).is_bots_turn
    assert not Fact.objects.filter(handled_at=None).exists()


@committed
@pytest.mark.parametrize("poison", POISONS)
def test_after_three_failures_the_fallback_plays(poison: object) -> None:
    table = waiting_for_a_bot("easy")
    with level_that(poison) as bot:
        take_turns(table.id)
    table = reread(table)
    assert not table.is_bots_turn
    assert bot.asked == 3 * acts_by_bots(table)


def test_what_failed_is_logged_without_what_the_error_says(caplog: pytest.LogCaptureFixture) -> None:
    table = waiting_for_a_bot()
    with caplog.at_level(logging.ERROR), level_that(tables.raise_an_error):
        take_turns(table.id)
    assert "RuntimeError" in caplog.text
    assert "AS" not in caplog.text


@committed
def test_a_bot_that_thinks_for_ever_is_cut_short_and_the_fallback_plays(settings: Settings) -> None:
    settings.BOT_SECONDS_TO_THINK = 0.2
    table = waiting_for_a_bot()
    with level_that(tables.think_for_ever) as bot:
        began = time.perf_counter()
        take_turns(table.id)
        seconds = time.perf_counter() - began
    table = reread(table)
    assert not table.is_bots_turn
    assert bot.asked == acts_by_bots(table), "it is not asked again"
    assert seconds < 0.2 * bot.asked + 2


def test_one_bots_failing_does_not_touch_other_tables() -> None:
    poisoned, sound = waiting_for_a_bot("easy"), waiting_for_a_bot("medium")
    with level_that(tables.raise_an_error, "easy"), level_that(turns.fallback, "medium") as medium:
        take_turns(poisoned.id)
        take_turns(sound.id)
    assert medium.asked == acts_by_bots(reread(sound))


@pytest.mark.parametrize("deaths", [3, 7])
def test_a_turn_at_which_workers_died_three_times_is_played_by_the_fallback(deaths: int) -> None:
    table = waiting_for_a_bot()
    for _ in range(deaths):
        assert claim_turn(game_id=table.id, version=table.version, holder="dead")
        end_leases()
    with level_that(turns.fallback) as bot:
        take_turns(table.id)
    assert bot.asked == acts_by_bots(reread(table)) - 1


def test_a_turn_that_does_not_pass_is_an_error_not_a_loop() -> None:
    table = waiting_for_a_bot()
    for _ in range(turns.TOO_OFTEN):
        claim_turn(game_id=table.id, version=table.version, holder="dead")
        end_leases()
    with pytest.raises(RuntimeError):
        take_turns(table.id)


@committed
def test_a_turn_that_ended_while_the_bot_was_thinking_is_let_go() -> None:
    table = waiting_for_a_bot()

    def dawdle(seen: View) -> int:
        if bot.asked == 1:
            # Another worker, which took this one for dead.
            end_leases()
            with level_that(turns.fallback):
                race(lambda: take_turns(table.id))
        return turns.fallback(seen)

    with level_that(dawdle) as bot:
        take_turns(table.id)
    table = reread(table)
    assert not table.is_bots_turn
    assert bot.asked == 1
    numbers = Event.objects.filter(game_id=table.id).order_by("version").values_list("version", flat=True)
    assert list(numbers) == list(range(1, table.version + 1))


@committed
def test_a_game_that_moved_on_without_changing_what_the_bot_sees_is_not_thought_about_twice() -> None:
    while not (table := two_people_and_two_bots("master")).is_bots_turn:
        pass
    voter = next(seat.player_id for seat in table.seats if seat and seat.player_id)

    def be_outvoted(seen: View) -> int:
        if bot.asked == 1:
            vote_to_finish(game_id=table.id, player_id=voter, wants_to_finish=True)
        return turns.fallback(seen)

    with level_that(be_outvoted) as bot:
        take_turns(table.id)
    assert Event.objects.filter(game_id=table.id, type="vote.changed").count() == 1
    assert bot.asked == acts_by_bots(reread(table)) > 0


def test_a_missed_turn_is_played_by_a_bot_of_the_level_that_fills_places() -> None:
    table, _ = four_at_a_table(fill_with="medium")
    Game.objects.filter(id=table.id).update(turn_ends_at=Now() - timedelta(minutes=1))
    assert expire_turn(game_id=table.id)
    with level_that(turns.fallback, "medium") as bot:
        take_turns(table.id)
    after = reread(table)
    assert bot.asked == 1
    assert after.state is not None and table.state is not None
    assert after.state.turn == (table.state.turn + 1) % 4  # type: ignore[operator]
    assert not after.is_bots_turn


@committed
def test_a_refusal_that_nobody_foresaw_leaves_the_turn_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    table = waiting_for_a_bot()
    with monkeypatch.context() as broken, pytest.raises(Broken):
        broken.setattr(plain_moves, "write_row", refuse)
        take_turns(table.id)
    assert (claim(table).holder, claim(table).attempts) == ("", 0)
    take_turns(table.id)
    assert not reread(table).is_bots_turn


class Broken(Exception):
    """The database said no."""


def refuse(*_: object) -> None:
    raise Broken


def test_a_run_that_takes_too_long_goes_on_in_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SECONDS_PER_RUN", -1.0)
    table = waiting_for_a_bot()
    before = Fact.objects.count()
    take_turns(table.id)
    assert reread(table).version == table.version
    assert Fact.objects.filter(subject=table.id).count() == before + 1


def test_a_person_who_plays_at_once_finds_the_next_bot_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claim of the run before is still leased, to a task that is over; a later turn is not bound by it."""
    table, rng = waiting_for_a_bot(), Random(1)
    for name in ("task-1", "task-2", "task-3"):
        monkeypatch.setattr(turns, "holder", lambda name=name: name)
        take_turns(table.id)
        table = reread(table)
        assert not table.is_bots_turn
        while not table.is_bots_turn:
            table = act_as_person(table, rng)
        assert table.state is not None and table.state.phase in (Phase.BID, Phase.PLAY)
