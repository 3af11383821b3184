"""Random legal rounds: by our rules, and by OpenSpiel's `spades` driven from Python in the same way."""

import random
import time
from collections.abc import Callable
from typing import Any

from games.rules.cards import members, pack
from games.rules.ruleset import LITE
from games.rules.state import Phase, bid, deal_round, legal_bids, legal_cards, new_game, play

PACK = list(range(52))


def play_our_round(rng: random.Random) -> None:
    """Deal, bid and play one round to its score, each act one of those that are legal."""
    rng.shuffle(PACK)
    state = new_game(LITE, dealer=rng.randrange(4))
    state = deal_round(state, [pack(PACK[at : at + 13]) for at in (0, 13, 26, 39)])
    while state.phase is Phase.BID:
        assert state.turn is not None
        state = bid(state, state.turn, rng.choice(legal_bids(state)))
    while state.phase is Phase.PLAY:
        assert state.turn is not None
        state = play(state, state.turn, rng.choice(members(legal_cards(state))))
    assert len(state.rounds) == 1


def play_their_round(game: Any, rng: random.Random) -> None:
    """Deal, bid and play one round of OpenSpiel's to its returns."""
    rng.shuffle(PACK)
    state = game.new_initial_state()
    for card in PACK:
        state.apply_action(card)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(state.returns()) == 4


def rate_of(play_round: Callable[[], None], seconds: float) -> float:
    """Return how many times *play_round* runs in a second of one core's time."""
    count, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(10):
            play_round()
        count += 10
    return count / spent
