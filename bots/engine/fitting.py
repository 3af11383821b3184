"""Where `weights` come from: rounds that card counters play among themselves, and a logistic regression on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp
from operator import mul
from random import Random

from bots.engine.levels import choose
from bots.engine.memory import Memory, remember
from bots.engine.prospects import Features, Kind, Moment, prospects
from games.rules.cards import Card, Cards, pack, suit_of
from games.rules.ruleset import Ruleset
from games.rules.shuffle import deal
from games.rules.state import Phase, State, bid, deal_round, new_game, play
from games.rules.trick import Trick
from games.rules.view import View, view

RIDGE = 1.0
"""How strongly weights are held near nothing; of account only where there are few samples."""
STEPS = 12

Sample = tuple[Features, bool]


@dataclass(frozen=True)
class Look:
    """What a seat held after an act of the trick *number*, 0 for its bid; the trick's end tells who leads next."""

    seat: int
    number: int
    hand: Cards
    memory: Memory
    led: int | None = None
    behind: int = 0


def samples(ruleset: Ruleset, rounds: int, rng: Random) -> dict[Kind, list[Sample]]:
    """Return for each kind of card its features at each look of its seat, and whether it took its trick."""
    found: dict[Kind, list[Sample]] = {}
    for _ in range(rounds):
        state = deal_round(new_game(ruleset, rng.randrange(4)), deal(rng.sample(range(52), 52), 0))
        looks, ended = _play_round(state, rng)
        leaders = [trick.leader for trick in ended] + [ended[-1].winner]
        taking = pack(trick.best for trick in ended)
        for look in looks:
            moment = Moment(leaders[look.number] == look.seat, look.led, look.behind)
            for card, kind, features in prospects(look.hand, look.memory, moment):
                found.setdefault(kind, []).append((features, bool(taking >> card & 1)))
    return found


def fit(samples: Sequence[Sample]) -> list[float]:
    """Return the weights under which *samples* are likeliest, by Newton's method.

    >>> [round(weight, 1) for weight in fit([((1.0, 0.0), True)] * 300 + [((1.0, 1.0), False)] * 100)]
    [3.4, -6.1]
    """
    size = len(samples[0][0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        bend = [[RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
        for features, took in samples:
            p = 1 / (1 + exp(-sum(map(mul, weights, features))))
            for row, feature in enumerate(features):
                if feature:
                    slope[row] += (took - p) * feature
                    factor, line = p * (1 - p) * feature, bend[row]
                    for column in range(size):
                        line[column] += factor * features[column]
        weights = [weight + step for weight, step in zip(weights, solve(bend, slope), strict=True)]
    return weights


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the vector that *matrix*, symmetric and positive, takes to *right*.

    >>> solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0])
    [1.0, 0.5]
    """
    lines = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for column, pivot in enumerate(lines):
        for line in lines[column + 1 :]:
            factor = line[column] / pivot[column]
            line[column:] = [value - factor * other for value, other in zip(line[column:], pivot[column:], strict=True)]
    solved = [0.0] * len(lines)
    for column in reversed(range(len(lines))):
        line = lines[column]
        known = sum(map(mul, line[column + 1 : -1], solved[column + 1 :]))
        solved[column] = (line[-1] - known) / line[column]
    return solved


def _play_round(state: State, rng: Random) -> tuple[list[Look], Sequence[Trick]]:
    """Return what the seats held after each act of the round that *state* begins, and its thirteen tricks."""
    looks = []
    choice_of = partial(choose, "medium", rng=rng)
    while True:
        seat = state.turn
        assert seat is not None
        seen = view(state, seat)
        choice = choice_of(view=seen)
        looks.append(_look(seen, choice))
        if state.phase is Phase.BID:
            state = bid(state, seat, choice)
            continue
        before, state = state, play(state, seat, choice)
        if state.rounds:
            assert state.last_trick is not None
            return looks, (*before.tricks, state.last_trick.trick)


def _look(seen: View, choice: Card) -> Look:
    assert seen.seat is not None
    memory = remember(seen)
    if seen.phase is Phase.BID:
        return Look(seen.seat, 0, seen.hand, memory)
    led = suit_of((*seen.trick.cards, choice)[0])
    return Look(seen.seat, seen.trick_number, seen.hand & ~(1 << choice), memory, led, 3 - len(seen.trick.cards))
