"""A turn runs out by the database's clock alone, once, and only while it is the same turn."""

import random
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from callbreak_site.errors import Code, ServiceError
from games.models import Event, Game
from games.presenters.state import game_state
from games.presenters.table import Table
from games.selectors.turns import bot_turn, due_bot_turns, overdue_turns
from games.services.actors import HouseBot, Person
from games.services.deadlines import expire_overdue
from games.services.lobby import Clock, Plan, create_game
from games.services.moves import GRACE
from games.services.table import expire_turn, place_bid
from tests.games.tables import act, four_at_a_table, person, play_on, reread, ruleset

pytestmark = pytest.mark.django_db


def let_end(table: Table, ago: timedelta) -> None:
    Game.objects.filter(id=table.id).update(turn_ends_at=Now() - ago)


def test_a_call_of_the_clock_that_comes_early_does_nothing() -> None:
    table, _ = four_at_a_table()
    let_end(table, timedelta(seconds=1))
    assert overdue_turns(GRACE) == []
    assert expire_turn(game_id=table.id) is False
    assert reread(table).version == table.version


def test_within_the_grace_a_late_bid_still_counts() -> None:
    table, _ = four_at_a_table()
    let_end(table, timedelta(seconds=1))
    assert act(table, random.Random(1)).version == table.version + 1


def test_after_the_grace_it_is_refused_even_before_the_clock_has_called() -> None:
    table, _ = four_at_a_table()
    let_end(table, timedelta(seconds=3))
    with pytest.raises(ServiceError) as refusal:
        act(table, random.Random(1))
    assert refusal.value.code is Code.NOT_YOUR_TURN


def test_five_calls_of_the_clock_miss_the_turn_once() -> None:
    table, _ = four_at_a_table()
    let_end(table, timedelta(hours=5))
    assert overdue_turns(GRACE) == [table.id]
    assert [expire_turn(game_id=table.id) for _ in range(5)] == [True] + [False] * 4
    missed = Event.objects.get(game=table.id, type="turn.missed")
    assert (missed.seat, missed.version) == (table.state.turn, table.version + 1)
    assert overdue_turns(GRACE) == []


def test_a_missed_turn_is_the_bots_and_its_owner_waits() -> None:
    table, _ = four_at_a_table()
    owner = table.seats[table.state.turn].player_id
    let_end(table, timedelta(hours=5))
    expire_overdue()
    shown = game_state(reread(table), owner)
    assert shown["turn"]["seat"] == shown["you"]["seat"]
    assert shown["turn"]["seconds_left"] == 0
    with pytest.raises(ServiceError) as refusal:
        place_bid(game_id=table.id, by=Person(owner), bid=2)
    assert refusal.value.code is Code.NOT_YOUR_TURN
    assert due_bot_turns(idle_s=0) == [table.id]
    turn = bot_turn(table.id)
    after = place_bid(game_id=table.id, by=HouseBot(turn.seat), bid=3, expected_version=turn.version)
    assert after.is_bots_turn is False and after.seats[turn.seat].player_id == owner
    bid = Event.objects.get(game=table.id, type="bid.made")
    assert (bid.seat, bid.public["by"]) == (turn.seat, "bot")


def test_a_call_for_an_earlier_turn_leaves_the_running_one_alone() -> None:
    rng = random.Random(1)
    table, _ = four_at_a_table()
    let_end(table, timedelta(hours=5))
    expire_turn(game_id=table.id)
    table = act(reread(table), rng)
    assert expire_turn(game_id=table.id) is False
    table = play_on(table, rng)
    assert expire_turn(game_id=table.id) is False


def test_each_turn_has_the_whole_time_of_the_table() -> None:
    table, _ = four_at_a_table(clock=Clock("live", 30))
    for _ in range(6):
        assert table.turn_ends_at - table.now == timedelta(seconds=30)
        table = act(table, random.Random(1))


def test_an_untimed_turn_never_ends() -> None:
    plan = Plan(ruleset=ruleset(), clock=Clock("untimed", None), bots=["easy"] * 3)
    table = create_game(player_id=person().id, plan=plan)
    Game.objects.filter(id=table.id).update(is_bots_turn=False)
    assert table.turn_ends_at is None
    assert expire_turn(game_id=table.id) is False
