"""Whole games played at random, as values and as records."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from games.rules.cards import Card, members, pack
from games.rules.record import Record, RoundRecord
from games.rules.ruleset import OPTIONS, RULESETS, Ruleset, customised
from games.rules.shuffle import Deal, deal
from games.rules.state import (
    Phase,
    State,
    agree_to_finish,
    bid,
    call_redeal,
    deal_round,
    legal_bids,
    legal_cards,
    new_game,
    play,
    redeal_reason,
)


def shuffled_deal(dealer: int, rng: random.Random) -> Deal:
    """Return four random hands."""
    deck = list(range(52))
    rng.shuffle(deck)
    return deal(deck, dealer)


def act(state: State, rng: random.Random) -> State:
    """Return the state after whatever is due next, chosen at random."""
    if redeal_reason(state):
        return call_redeal(state)
    if state.phase is Phase.DEAL:
        return deal_round(state, shuffled_deal(state.dealer, rng))
    assert state.turn is not None
    if state.phase is Phase.BID:
        return bid(state, state.turn, rng.choice(legal_bids(state)))
    return play(state, state.turn, rng.choice(members(legal_cards(state))))


def states_of_game(ruleset: Ruleset, seed: int, *, last_round: int = 3) -> Iterator[State]:
    """Yield every state of a random game; an open-ended one ends by agreement in *last_round*."""
    rng = random.Random(seed)
    state = new_game(ruleset, 0 if ruleset.seating == "draw" else rng.randrange(4))
    yield state
    while state.phase is not Phase.OVER:
        is_due = ruleset.rounds is None and state.round_number == last_round and not state.is_finish_agreed
        if is_due and state.trick_number > rng.randrange(13):
            state = agree_to_finish(state)
        else:
            state = act(state, rng)
        yield state


def hand_of_seat_on_turn(state: State) -> int:
    """Return the cards that the seat on turn holds."""
    assert state.turn is not None
    return state.hands[state.turn].held


def record_of_game(ruleset: Ruleset, seed: int, *, last_round: int = 3) -> Record:
    """Return the record of `states_of_game`, with some acts marked at random as a bot's."""
    rng = random.Random(f"record {seed}")
    rounds: list[RoundRecord] = []
    redeals: list[tuple[str, int | None]] = []
    drawn = sorted(rng.sample(range(52), 4), key=lambda card: (card % 13, card), reverse=True)
    before = None
    for state in states_of_game(ruleset, seed, last_round=last_round):
        if reason := redeal_reason(state):
            redeals.append(reason)
        if before is not None and len(state.rounds) > len(before.rounds):
            assert state.last_trick is not None
            rounds.append(
                RoundRecord(
                    dealer=before.dealer,
                    dealt=tuple(hand.dealt for hand in before.hands),
                    bids=state.rounds[-1].bids,
                    plays=tuple(card for trick in (*before.tricks, state.last_trick.trick) for card in trick.cards),
                    redeals=tuple(redeals),
                    stand_ins=frozenset(rng.sample(range(56), rng.randrange(5))),
                )
            )
            redeals = []
        before = state
    return Record(
        ruleset=ruleset,
        names=("ann", "bob", "Easy bot", "dora_4"),
        rounds=tuple(rounds),
        drawn=tuple(drawn) if ruleset.seating == "draw" else None,
        tags=(("Game", f"{seed:032x}"),),
    )


NO_AND_YES = st.booleans()
OPTION_VALUES = {
    "rounds": st.none() | st.integers(1, 3),
    "min_bid": st.integers(1, 4),
    "max_bid": st.integers(8, 13),
    "must_head": NO_AND_YES,
    "scoring": st.sampled_from(["overtricks", "exact-or-one-over"]),
    "overtrick_tenths": st.integers(0, 1),
    "bonus_bid": NO_AND_YES,
    "seating": st.sampled_from(["draw", "random"]),
    "redeal_no_spade": NO_AND_YES,
    "redeal_no_honour": NO_AND_YES,
    "redeal_low_bids": NO_AND_YES,
    "forced_cards": st.sampled_from(["off", "at_once"]),
}
names = st.sampled_from([*RULESETS, "custom"])
house_rules = st.builds(customised, names, st.fixed_dictionaries({}, optional=OPTION_VALUES))
rulesets = st.sampled_from(list(RULESETS.values())) | house_rules
seeds = st.integers(0, 2**32)
