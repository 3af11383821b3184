"""A game in progress is a value: an act takes a state and returns the next.

Here each seat was dealt one suit, so the seat with the spades takes the first trick, and leads to the second:

>>> from games.rules.cards import card
>>> from games.rules.ruleset import LITE
>>> state = deal_round(new_game(LITE, dealer=3), SUIT_CARDS)
>>> for seat, n in enumerate([1, 1, 1, 13]):
...     state = bid(state, seat, n)
>>> for seat, led in enumerate(["AC", "AD", "AH", "2S"]):
...     state = play(state, seat, card(led))
>>> state.turn, state.hands[3].tricks, state.trick_number
(3, 1, 2)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NamedTuple, TypeVar

from games.rules.cards import FULL_PACK, SPADES, SUIT_CARDS, Card, Cards, cards
from games.rules.ruleset import MAX_ROUNDS, Ruleset
from games.rules.scoring import score_tenths
from games.rules.trick import SEATS, TRICKS_A_ROUND, Trick, legal_plays, next_seat

MAX_REDEALS = 3
LOW_BIDS_BELOW = 10
HONOURS: Cards = cards("AS KS QS JS AH KH QH JH AC KC QC JC AD KD QD JD")

FourInts = tuple[int, int, int, int]
T = TypeVar("T")


class IllegalAct(ValueError):
    """The act is against the rules in this state."""


class Phase(StrEnum):
    """What has to happen next."""

    BID = "bid"
    PLAY = "play"
    DEAL = "deal"
    OVER = "over"


class HandState(NamedTuple):
    """What a seat was dealt and still holds in this round, its bid (None until it is made) and its tricks so far."""

    dealt: Cards
    held: Cards
    bid: int | None
    tricks: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A finished round, by seat."""

    bids: FourInts
    tricks: FourInts
    scores_tenths: FourInts


class LastTrick(NamedTuple):
    """The trick that ended last, with the round that it was in and its number there."""

    round_number: int
    number: int
    trick: Trick


Hands = tuple[HandState, HandState, HandState, HandState]

NO_HANDS: Hands = (HandState(dealt=0, held=0, bid=None, tricks=0),) * 4


class State(NamedTuple):
    """A game that has started; rounds and tricks are numbered from 1.

    While a round waits to be dealt its hands are empty. A game that is over stays as its last scored round ended.
    What changes with each card comes first. `_state((…))` takes a third of the time of `_replace`.
    """

    turn: int | None
    hands: Hands
    trick: Trick
    """The cards on the table; after a fourth card none, led by the winner."""
    ruleset: Ruleset
    round_number: int
    dealer: int
    phase: Phase
    trick_number: int = 1
    tricks: tuple[Trick, ...] = ()
    """This round's finished tricks, oldest first. Nothing here depends on them: they may be left out."""
    last_trick: LastTrick | None = None
    redeals: int = 0
    """How often this round has been dealt again."""
    rounds: tuple[RoundScore, ...] = ()
    """The finished rounds, oldest first."""
    is_finish_agreed: bool = False

    @property
    def totals_tenths(self) -> FourInts:
        """The sum of each seat's scores in the finished rounds."""
        return _by_seat(sum(score.scores_tenths[seat] for score in self.rounds) for seat in range(SEATS))

    @property
    def is_final_round(self) -> bool:
        """Whether the game ends with this round."""
        return self.is_finish_agreed or self.round_number == (self.ruleset.rounds or MAX_ROUNDS)


_state = partial(tuple.__new__, State)
_hand = partial(tuple.__new__, HandState)
_trick = partial(tuple.__new__, Trick)
"""What the classes themselves call in the end, from all their fields in order: half of the time goes into names."""


def new_game(ruleset: Ruleset, dealer: int) -> State:
    """Return a game whose first round *dealer* has to deal."""
    trick = Trick(leader=next_seat(dealer))
    return State(None, NO_HANDS, trick, ruleset, round_number=1, dealer=dealer, phase=Phase.DEAL)


def deal_round(state: State, hands: Sequence[Cards]) -> State:
    """Return the state in which each seat holds its 13 of *hands*, and the seat after the dealer is to bid."""
    _check(state.phase is Phase.DEAL, "No round has to be dealt.")
    is_pack = [hand.bit_count() for hand in hands] == [TRICKS_A_ROUND] * SEATS and sum(hands) == FULL_PACK
    _check(is_pack, "The hands are not a pack dealt to four seats.")
    return state._replace(
        phase=Phase.BID,
        turn=next_seat(state.dealer),
        hands=_by_seat(HandState(dealt=hand, held=hand, bid=None, tricks=0) for hand in hands),
    )


def redeal_reason(state: State) -> tuple[str, int | None] | None:
    """Return why the round must be dealt again, with the seat whose hand is the reason, or None when it stands.

    A hand is a reason (`no_spade`, `no_honour`) as soon as it is dealt, four bids (`low_bids`) until the first card.
    """
    ruleset = state.ruleset
    if state.redeals == MAX_REDEALS:
        return None
    if state.phase is Phase.BID:
        if ruleset.redeal_no_spade and (seat := _seat_without(SUIT_CARDS[SPADES], state)) is not None:
            return "no_spade", seat
        if ruleset.redeal_no_honour and (seat := _seat_without(HONOURS, state)) is not None:
            return "no_honour", seat
    if state.phase is Phase.PLAY and ruleset.redeal_low_bids and not _is_card_down(state):
        return ("low_bids", None) if sum(_bids(state)) < LOW_BIDS_BELOW else None
    return None


def call_redeal(state: State) -> State:
    """Return the state in which the same dealer has to deal the round again."""
    _check(redeal_reason(state) is not None, "There is no reason to deal again.")
    return state._replace(phase=Phase.DEAL, turn=None, hands=NO_HANDS, redeals=state.redeals + 1)


def legal_bids(state: State) -> tuple[int, ...]:
    """Return the bids that the seat on turn may make, none when no bid is due."""
    ruleset = state.ruleset
    return tuple(range(ruleset.min_bid, ruleset.max_bid + 1)) if state.phase is Phase.BID else ()


def legal_cards(state: State) -> Cards:
    """Return the cards that the seat on turn may play, none when no play is due."""
    if state.phase is not Phase.PLAY or state.turn is None:
        return 0
    return legal_plays(state.hands[state.turn].held, state.trick, state.ruleset)


def bid(state: State, seat: int, n: int) -> State:
    """Return the state after *seat* bids *n*; after the dealer's bid the seat after the dealer leads."""
    _check_turn(state, seat, Phase.BID)
    _, before, trick, ruleset, number, dealer, phase, *rest = state
    if not ruleset.min_bid <= n <= ruleset.max_bid:
        raise IllegalAct(f"A bid of {n} is out of range.")
    dealt, held, _, tricks = before[seat]
    hands = _with_hand(before, seat, _hand((dealt, held, n, tricks)))
    phase = Phase.PLAY if seat == dealer else phase
    return _state(((seat + 1) % SEATS, hands, trick, ruleset, number, dealer, phase, *rest))


def play(state: State, seat: int, card: Card) -> State:
    """Return the state after *seat* plays *card*; the thirteenth trick ends the round, and the last round the game."""
    # All by name: a starred rest costs more than the play itself.
    turn, before, trick, ruleset, number, dealer, phase, trick_number, finished, last, redeals, rounds, ends = state
    if turn != seat or phase is not Phase.PLAY or trick_number == 1:
        _check_turn(state, seat, Phase.PLAY)
    dealt, held, bid, tricks = before[seat]
    if card < 0 or not legal_plays(held, trick, ruleset) >> card & 1:
        raise IllegalAct("The card is not held or may not be played.")
    hands = _with_hand(before, seat, _hand((dealt, held ^ 1 << card, bid, tricks)))
    leader, played = trick
    trick = _trick((leader, (*played, card)))
    if len(played) == SEATS - 1:
        return _end_trick(state, hands, trick)
    turn = (seat + 1) % SEATS
    return _state(
        (turn, hands, trick, ruleset, number, dealer, phase, trick_number, finished, last, redeals, rounds, ends)
    )


def agree_to_finish(state: State) -> State:
    """Return the state after all seats agree to finish an open-ended game.

    The game ends with the round that is being played, or at once, without that round, when no card of it is down. Then
    it stays as its last scored round ended, except that what was dealt there is not known any more (`dealt` is 0).
    When no round was scored, *rounds* is empty and there is no result.
    """
    _check(state.ruleset.rounds is None, "Only an open-ended game can be finished by agreement.")
    _check(state.phase is not Phase.OVER, "The game is over.")
    _check(not state.is_finish_agreed, "To finish is agreed already.")
    if _is_card_down(state):
        return state._replace(is_finish_agreed=True)
    return _without_round(state)


def _end_trick(state: State, hands: Hands, trick: Trick) -> State:
    dealt, held, bid, tricks = hands[winner := trick.winner]
    hands = _with_hand(hands, winner, _hand((dealt, held, bid, tricks + 1)))
    _, _, _, ruleset, round_number, dealer, phase, number, finished, _, *rest = state
    following = min(number + 1, TRICKS_A_ROUND)
    last_trick, finished = LastTrick(round_number, number, trick), (*finished, trick)
    ended = _state(
        (winner, hands, Trick(winner), ruleset, round_number, dealer, phase, following, finished, last_trick, *rest)
    )
    return _end_round(ended) if number == TRICKS_A_ROUND else ended


def _end_round(state: State) -> State:
    bids = _bids(state)
    tricks = _by_seat(hand.tricks for hand in state.hands)
    scores = _by_seat(score_tenths(bids[seat], tricks[seat], state.ruleset) for seat in range(SEATS))
    rounds = (*state.rounds, RoundScore(bids, tricks, scores))
    if state.is_final_round:
        return state._replace(phase=Phase.OVER, turn=None, rounds=rounds)
    return new_game(state.ruleset, next_seat(state.dealer))._replace(
        round_number=state.round_number + 1,
        last_trick=state.last_trick,
        rounds=rounds,
    )


def _without_round(state: State) -> State:
    over = new_game(state.ruleset, state.dealer)._replace(phase=Phase.OVER, rounds=state.rounds, is_finish_agreed=True)
    if state.last_trick is None:
        return over
    scored = state.rounds[-1]
    return over._replace(
        round_number=state.round_number - 1,
        dealer=(state.dealer - 1) % SEATS,
        hands=_by_seat(HandState(0, 0, scored.bids[seat], scored.tricks[seat]) for seat in range(SEATS)),
        trick=Trick(leader=state.last_trick.trick.winner),
        trick_number=TRICKS_A_ROUND,
        last_trick=state.last_trick,
    )


def _is_card_down(state: State) -> bool:
    return state.trick_number > 1 or bool(state.trick.cards)


def _seat_without(cards: Cards, state: State) -> int | None:
    in_order = ((state.dealer + 1 + place) % SEATS for place in range(SEATS))
    return next((seat for seat in in_order if not state.hands[seat].dealt & cards), None)


def _bids(state: State) -> FourInts:
    return _by_seat(hand.bid or 0 for hand in state.hands)


def _by_seat(values: Iterable[T]) -> tuple[T, T, T, T]:
    first, second, third, fourth = values
    return first, second, third, fourth


def _with_hand(hands: Hands, seat: int, hand: HandState) -> Hands:
    changed = list(hands)
    changed[seat] = hand
    return changed[0], changed[1], changed[2], changed[3]


def _check_turn(state: State, seat: int, phase: Phase) -> None:
    if state.phase is not phase:
        raise IllegalAct(f"What is due is not a {phase}.")
    if state.turn != seat:
        raise IllegalAct(f"It is not the turn of seat {seat}.")
    if not state.trick.cards and state.trick_number == 1 and redeal_reason(state) is not None:
        raise IllegalAct("The round must be dealt again.")


def _check(is_met: bool, refusal: str) -> None:
    if not is_met:
        raise IllegalAct(refusal)
