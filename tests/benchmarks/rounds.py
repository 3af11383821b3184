"""Random legal rounds: by our rules, and by OpenSpiel's `spades` driven from Python in the same way."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.rules.cards import Card, Cards, pack
from games.rules.ruleset import LITE
from games.rules.state import Phase, bid, deal_round, legal_bids, legal_cards, new_game, play

PACK = list(range(52))


def play_our_round(rng: random.Random) -> None:
    """Deal, bid and play one round to its score, each act one of those that are legal."""
    rng.shuffle(PACK)
    state = new_game(LITE, dealer=rng.randrange(4))
    state = deal_round(state, [pack(PACK[at : at + 13]) for at in (0, 13, 26, 39)])
    while state.phase is Phase.BID:
        state = bid(state, state.turn, rng.choice(legal_bids(state)))
    while state.phase is Phase.PLAY:
        state = play(state, state.turn, one_of(legal_cards(state), rng))
    assert len(state.rounds) == 1


def one_of(cards: Cards, rng: random.Random) -> Card:
    """Return one of *cards*, each as likely as any other.

    >>> one_of(0b100, random.Random(1))
    2
    """
    if cards & cards - 1:
        for _ in range(int(rng.random() * cards.bit_count())):
            cards &= cards - 1
        cards &= -cards
    return cards.bit_length() - 1


def play_their_round(game: Any, rng: random.Random) -> None:
    """Deal, bid and play one round of OpenSpiel's to its returns."""
    rng.shuffle(PACK)
    state = game.new_initial_state()
    for card in PACK:
        state.apply_action(card)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
    assert len(state.returns()) == 4


def rates_of(plays: Sequence[Callable[[], None]], seconds: float) -> list[float]:
    """Return how many times each of *plays* runs in a second of one core's time, a few of each after the other.

    In turns so short that a core which is slower for a while is so for all of them.
    """
    counts, spent = [0] * len(plays), [0.0] * len(plays)
    while min(spent) < seconds:
        for place, play_one in enumerate(plays):
            began = time.process_time()
            for _ in range(10):
                play_one()
            spent[place] += time.process_time() - began
            counts[place] += 10
    return [count / time_spent for count, time_spent in zip(counts, spent, strict=True)]
