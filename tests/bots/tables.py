"""Tables with bots, and bots that misbehave on purpose."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from random import Random
from typing import Any

from django.db.models.functions import Now

from bots.engine import LEVELS, Level, fallback
from bots.models import Claim
from bots.services import take_turns
from games.models import Game
from games.presenters.table import Table
from games.rules.cards import members
from games.rules.state import Phase
from games.rules.view import View, view
from games.services.actors import Person
from games.services.lobby import Plan, create_game, take_seat
from games.services.table import place_bid, play_card
from tests.games.tables import person, reread, ruleset


def with_three_bots(level: str = "easy", name: str = "lite", **options: Any) -> Table:
    """Start a game of one person and three bots of *level*."""
    return create_game(player_id=person().id, plan=Plan(ruleset=ruleset(name, **options), bots=[level] * 3))


def two_people_and_two_bots(name: str) -> Table:
    """Start a game of two people and two easy bots."""
    plan = Plan(ruleset=ruleset(name), bots=["easy"] * 2)
    table = create_game(player_id=person().id, plan=plan)
    return take_seat(game_id=table.id, player_id=person().id)


def waiting_for_a_bot(level: str = "easy", **options: Any) -> Table:
    """Start games until one begins with a bot's turn; three in four do."""
    while not (table := with_three_bots(level, **options)).is_bots_turn:
        pass
    return table


def act_as_person(table: Table, rng: Random) -> Table:
    """Let the person on turn do something legal."""
    state = table.state
    assert state is not None and state.turn is not None and not table.is_bots_turn
    seat = table.seats[state.turn]
    assert seat is not None and seat.player_id is not None
    by, seen = Person(seat.player_id), view(state, state.turn)
    if state.phase is Phase.BID:
        return place_bid(game_id=table.id, by=by, bid=rng.choice((seen.legal_bids or ())[:4]))
    return play_card(game_id=table.id, by=by, card=rng.choice(members(seen.legal_plays or 0)))


def play_out(table: Table, rng: Random) -> Table:
    """Play to the end: the person by chance, the bots by their tasks."""
    while table.status == "active":
        if table.is_bots_turn:
            take_turns(table.id)
            table = reread(table)
        else:
            table = act_as_person(table, rng)
    return table


class Poison:
    """A level whose bots do *choose* on every turn, and how often they were asked."""

    def __init__(self, choose: Any) -> None:
        self.asked = 0
        self._choose = choose

    def __call__(self, seen: View, rng: Random) -> Any:
        self.asked += 1
        return self._choose(seen)


@contextmanager
def level_that(choose: Any, level: str = "easy") -> Iterator[Poison]:
    """Let the bots of *level* do *choose*."""
    poison, sound = Poison(choose), LEVELS[level]
    LEVELS[level] = Level(sound.name, sound.description, poison, poison)
    try:
        yield poison
    finally:
        LEVELS[level] = sound


def raise_an_error(seen: View) -> int:
    raise RuntimeError("AS KH")


def choose_what_is_illegal(seen: View) -> int:
    return 14 if seen.legal_bids else next(card for card in range(52) if not (seen.legal_plays or 0) >> card & 1)


def choose_no_number(seen: View) -> str:
    return "AS"


def think_for_ever(seen: View) -> int:
    """Think for a minute, and catch what may be caught."""
    ends_at = time.monotonic() + 60
    while time.monotonic() < ends_at:
        with suppress(Exception):
            time.sleep(0.001)
    return fallback(seen)


def eat_memory(seen: View) -> int:
    eaten = [bytearray(64 << 20) for _ in range(32)]
    assert len(eaten) == 32
    return fallback(seen)


def recurse(seen: View) -> int:
    return recurse(seen)


def end_leases() -> None:
    """Let every claim be one of the dead."""
    Claim.objects.update(leased_until=Now() - timedelta(seconds=1))


def been_waiting(table: Table) -> None:
    """Let a game have waited for a minute."""
    Game.objects.filter(id=table.id).update(changed_at=Now() - timedelta(minutes=1))
