"""What one seat may know of a game."""

from dataclasses import dataclass

from games.rules.cards import Cards
from games.rules.ruleset import Ruleset
from games.rules.state import FourInts, LastTrick, Phase, RoundScore, State, legal_bids, legal_cards
from games.rules.trick import Trick


@dataclass(frozen=True, slots=True)
class View:
    """Public facts, and the cards of *seat* alone; *seat* is None for a spectator, who sees no cards.

    *legal_bids* and *legal_plays* are None unless it is this seat's turn and that act is due.
    """

    seat: int | None
    ruleset: Ruleset
    round_number: int
    dealer: int
    phase: Phase
    turn: int | None
    hand: Cards
    dealt: Cards
    bids: tuple[int | None, int | None, int | None, int | None]
    tricks_won: FourInts
    cards_held: FourInts
    trick: Trick
    trick_number: int
    tricks: tuple[Trick, ...]
    last_trick: LastTrick | None
    rounds: tuple[RoundScore, ...]
    totals_tenths: FourInts
    is_final_round: bool
    redeals: int
    legal_bids: tuple[int, ...] | None
    legal_plays: Cards | None


def view(state: State, seat: int | None) -> View:
    """Return *state* as *seat* may see it; this names all that may be seen, so what is not named here stays hidden.

    >>> from games.rules.ruleset import LITE
    >>> from games.rules.shuffle import deal
    >>> from games.rules.state import deal_round, new_game
    >>> state = deal_round(new_game(LITE, dealer=3), deal(range(52), dealer=3))
    >>> view(state, 0).hand == state.hands[0].held, view(state, None).hand
    (True, 0)
    """
    first, second, third, fourth = state.hands
    is_on_turn = seat is not None and seat == state.turn
    return View(
        seat=seat,
        ruleset=state.ruleset,
        round_number=state.round_number,
        dealer=state.dealer,
        phase=state.phase,
        turn=state.turn,
        hand=0 if seat is None else state.hands[seat].held,
        dealt=0 if seat is None else state.hands[seat].dealt,
        bids=(first.bid, second.bid, third.bid, fourth.bid),
        tricks_won=(first.tricks, second.tricks, third.tricks, fourth.tricks),
        cards_held=(
            first.held.bit_count(),
            second.held.bit_count(),
            third.held.bit_count(),
            fourth.held.bit_count(),
        ),
        trick=state.trick,
        trick_number=state.trick_number,
        tricks=state.tricks,
        last_trick=state.last_trick,
        rounds=state.rounds,
        totals_tenths=state.totals_tenths,
        is_final_round=state.is_final_round,
        redeals=state.redeals,
        legal_bids=legal_bids(state) if is_on_turn and state.phase is Phase.BID else None,
        legal_plays=legal_cards(state) if is_on_turn and state.phase is Phase.PLAY else None,
    )
