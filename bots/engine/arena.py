"""Bots against bots on duplicate deals: every line-up plays the same cards from every seat."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean, stdev

from games.rules.ruleset import Ruleset
from games.rules.scoring import TRICKS_OVER_ALLOWED, places
from games.rules.shuffle import deal
from games.rules.state import Phase, State, bid, call_redeal, deal_round, new_game, play, redeal_reason
from games.rules.view import View, view

OPEN_ENDED_ROUNDS = 5
"""How many rounds are played of a game that has no last one."""

Player = Callable[[View, Random], int]


@dataclass
class Tally:
    """What the seats of one line-up name did; points are per round, one figure for each set of deals."""

    points: list[float] = field(default_factory=list)
    lead: list[float] = field(default_factory=list)
    """Its points less the mean of those of all other seats."""
    bids: list[int] = field(default_factory=list)
    made: int = 0
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


def compete(
    line_up: Sequence[str], players: dict[str, Player], ruleset: Ruleset, games: int, seed: int
) -> dict[str, Tally]:
    """Return what each name of *line_up* did in *games* sets of deals, each played from every rotation of the seats."""
    tallies = {name: Tally() for name in line_up}
    rotations = sorted({(*line_up[turned:], *line_up[:turned]) for turned in range(4)})
    for game in range(games):
        points: dict[str, list[float]] = {name: [] for name in line_up}
        for seats in rotations:
            ended = _play_game([players[name] for name in seats], ruleset, f"{seed}:{game}")
            _count(ended, seats, tallies, points)
        for name, tally in tallies.items():
            others = [p for other in points if other != name for p in points[other]]
            tally.points.append(fmean(points[name]))
            tally.lead.append(fmean(points[name]) - fmean(others or points[name]))
    return tallies


def standard_error(figures: Sequence[float]) -> float:
    """Return the standard error of the mean of *figures*, 0 for a single one.

    >>> standard_error([1.0, 3.0])
    1.0
    """
    return float(stdev(figures) / len(figures) ** 0.5) if len(figures) > 1 else 0.0


def run(players: Sequence[Player], state: State, deals: Iterator[Sequence[int]], rng: Random) -> State:
    """Return *state* played to its end by *players*, one a seat; each round is dealt from the next of *deals*."""
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL:
            state = deal_round(state, deal(next(deals), state.dealer))
        if redeal_reason(state):
            state = call_redeal(state)
            continue
        assert state.turn is not None
        choice = players[state.turn](view(state, state.turn), rng)
        act = bid if state.phase is Phase.BID else play
        state = act(state, state.turn, choice)
    return state


def shuffled_packs(rng: Random) -> Iterator[list[int]]:
    """Yield one shuffled pack after another."""
    while True:
        yield rng.sample(range(52), 52)


def _play_game(players: Sequence[Player], ruleset: Ruleset, seed: str) -> State:
    deals = Random(f"deals {seed}")
    rounds = ruleset.rounds or OPEN_ENDED_ROUNDS
    state = new_game(_ending_after(ruleset, rounds), dealer=deals.randrange(4))
    return run(players, state, shuffled_packs(deals), Random(f"bots {seed}"))


def _ending_after(ruleset: Ruleset, rounds: int) -> Ruleset:
    return replace(ruleset, rounds=rounds)


def _count(ended: State, seats: Sequence[str], tallies: dict[str, Tally], points: dict[str, list[float]]) -> None:
    ranking = places(ended.totals_tenths)
    for seat, name in enumerate(seats):
        tally = tallies[name]
        tally.places[ranking[seat] - 1] += 1
        for played in ended.rounds:
            over = played.tricks[seat] - played.bids[seat]
            tally.bids.append(played.bids[seat])
            tally.made += 0 <= over <= TRICKS_OVER_ALLOWED[ended.ruleset.scoring]
            points[name].append(played.scores_tenths[seat] / 10)
