"""Whole games played by chance, as values and as records."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar

from hypothesis import strategies as st

from games.rules.cards import SUIT_CARDS, Cards, card, members, pack, rank_of, suit_of
from games.rules.record import Record, RoundRecord
from games.rules.ruleset import LITE, RULESETS, Ruleset, customised
from games.rules.shuffle import Deal, deal, deck
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

T = TypeVar("T")


class Chance:
    """Chance that comes out the same for the same seed, on every version of Python."""

    def __init__(self, seed: object) -> None:
        self._seed = seed
        self._drawn = 0

    def _digest(self) -> bytes:
        self._drawn += 1
        return sha256(f"{self._seed} {self._drawn}".encode()).digest()

    def below(self, limit: int) -> int:
        """Return a whole number from 0, below *limit*."""
        return int.from_bytes(self._digest()[:8], "big") % limit

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of *choices*."""
        return choices[self.below(len(choices))]

    def deal(self, dealer: int) -> Deal:
        """Return four hands."""
        return deal(deck(self._digest()), dealer)


def hands_of_others(held: Cards) -> Deal:
    """Return a deal in which seat 2 holds the 13 cards *held* and the rest goes round the others."""
    rest = [each for each in range(52) if not held >> each & 1]
    first, second, third = (pack(rest[start::3]) for start in range(3))
    return first, second, held, third


def four(values: Iterable[T]) -> tuple[T, T, T, T]:
    """Return four values as what they are for mypy: four."""
    first, second, third, fourth = values
    return first, second, third, fourth


def seat_on_turn(state: State) -> int:
    """Return the seat on turn, when there is one."""
    assert state.turn is not None
    return state.turn


def dealt(ruleset: Ruleset = LITE, dealer: int = 3, hands: Sequence[Cards] = SUIT_CARDS) -> State:
    """Return a first round just dealt, each seat a suit unless *hands* says otherwise."""
    return deal_round(new_game(ruleset, dealer), hands)


def after_bids(state: State, *bids: int) -> State:
    """Return the state after *bids* by whoever is on turn."""
    for n in bids:
        state = bid(state, seat_on_turn(state), n)
    return state


def after_plays(state: State, text: str) -> State:
    """Return the state after the cards named in *text*, played by whoever is on turn."""
    for word in text.split():
        state = play(state, seat_on_turn(state), card(word))
    return state


def to_round(state: State, number: int, chance: Chance) -> State:
    """Return the state in which round *number* has to be dealt."""
    while state.round_number < number:
        state = act(state, chance)
    return state


def act(state: State, chance: Chance) -> State:
    """Return the state after whatever is due next, chosen by chance; low bids are likelier than high ones."""
    if redeal_reason(state):
        return call_redeal(state)
    if state.phase is Phase.DEAL:
        return deal_round(state, chance.deal(state.dealer))
    if state.phase is Phase.BID:
        return bid(state, seat_on_turn(state), min(chance.one_of(legal_bids(state)) for _ in range(4)))
    return play(state, seat_on_turn(state), chance.one_of(members(legal_cards(state))))


def states_of_game(ruleset: Ruleset, seed: int, *, last_round: int = 3) -> Iterator[State]:
    """Yield every state of a game; an open-ended one ends by agreement somewhere in *last_round*, or just before it."""
    chance = Chance(seed)
    state = new_game(ruleset, 0 if ruleset.seating == "draw" else chance.below(4))
    agreed_at_trick = chance.below(14)
    yield state
    while state.phase is not Phase.OVER:
        is_agreed_now = (
            (ruleset.rounds, state.round_number, state.is_finish_agreed) == (None, last_round, False)
            and state.phase is Phase.PLAY
            and state.trick_number >= agreed_at_trick
        )
        state = agree_to_finish(state) if is_agreed_now else act(state, chance)
        yield state


def end_of_game(ruleset: Ruleset, seed: int) -> State:
    """Return the state in which a game of `states_of_game` ends."""
    *_, end = states_of_game(ruleset, seed)
    return end


def record_of_game(ruleset: Ruleset, seed: int) -> Record:
    """Return the record of a game of `states_of_game`, with some acts marked as a bot's."""
    chance = Chance(f"record {seed}")
    rounds: list[RoundRecord] = []
    redeals: list[tuple[str, int | None]] = []
    states = list(states_of_game(ruleset, seed))
    for before, after in pairwise(states):
        if reason := redeal_reason(after):
            redeals.append(reason)
        if len(after.rounds) > len(before.rounds):
            assert after.last_trick is not None
            rounds.append(
                RoundRecord(
                    dealer=before.dealer,
                    dealt=four(hand.dealt for hand in before.hands),
                    bids=after.rounds[-1].bids,
                    plays=tuple(card for trick in (*before.tricks, after.last_trick.trick) for card in trick.cards),
                    redeals=tuple(redeals),
                    stand_ins=frozenset(chance.below(56) for _ in range(chance.below(5))),
                )
            )
            redeals = []
    drawn = sorted(deck(chance._digest())[:4], key=lambda card: (rank_of(card), suit_of(card)), reverse=True)
    return Record(
        ruleset=ruleset,
        names=("ann", "bob", "Easy bot", "dora_4"),
        rounds=tuple(rounds),
        drawn=four(drawn) if ruleset.seating == "draw" else None,
        tags=(("Game", f"{seed:032x}"),),
    )


OPTION_VALUES = {
    "rounds": st.none() | st.integers(1, 3),
    "min_bid": st.integers(1, 4),
    "max_bid": st.integers(8, 13),
    "must_head": st.booleans(),
    "scoring": st.sampled_from(["overtricks", "exact-or-one-over"]),
    "overtrick_tenths": st.integers(0, 1),
    "bonus_bid": st.booleans(),
    "seating": st.sampled_from(["draw", "random"]),
    "redeal_no_spade": st.booleans(),
    "redeal_no_honour": st.booleans(),
    "redeal_low_bids": st.booleans(),
    "forced_cards": st.sampled_from(["off", "at_once"]),
}
published = st.sampled_from(list(RULESETS.values()))
house_rules = st.builds(
    customised, st.sampled_from([*RULESETS, "custom"]), st.fixed_dictionaries({}, optional=OPTION_VALUES)
)
rulesets = published | house_rules
seeds = st.integers(0, 2**32)
deals = seeds.map(lambda seed: Chance(f"deal {seed}").deal(dealer=3))
