"""Finishing an open-ended game by agreement."""

import pytest

from games.rules.cards import SUIT_CARDS
from games.rules.ruleset import LITE, MASTER
from games.rules.state import (
    NO_HANDS,
    IllegalAct,
    Phase,
    agree_to_finish,
    deal_round,
    new_game,
)
from tests.rules.playing import (
    Chance,
    act,
    after_bids,
    after_plays,
    dealt,
    end_of_game,
    to_round,
)


def test_agreeing_with_a_card_down_ends_the_game_with_that_round() -> None:
    chance = Chance(8)
    state = after_plays(after_bids(dealt(MASTER), 2, 2, 2, 13), "AC")
    agreed = agree_to_finish(state)
    assert agreed == state._replace(is_finish_agreed=True)
    assert agreed.is_final_round
    while agreed.phase is not Phase.OVER:
        agreed = act(agreed, chance)
    assert [score.bids for score in agreed.rounds] == [(2, 2, 2, 13)]


def test_agreeing_between_two_tricks_ends_the_game_with_that_round() -> None:
    state = agree_to_finish(after_plays(after_bids(dealt(MASTER), 2, 2, 2, 13), "AC AD AH 2S"))
    assert (state.phase, state.round_number, state.is_final_round) == (Phase.PLAY, 1, True)


@pytest.mark.parametrize("bids", [0, 1, 3, 4])
def test_agreeing_with_no_card_down_drops_that_round(bids: int) -> None:
    chance = Chance(10)
    state = to_round(new_game(MASTER, 1), 3, chance)
    scored, last, totals = state.rounds, state.last_trick, state.totals_tenths
    state = agree_to_finish(after_bids(deal_round(state, SUIT_CARDS), *[2] * bids))
    assert (state.phase, state.turn, state.rounds, state.totals_tenths) == (Phase.OVER, None, scored, totals)
    assert (state.round_number, state.dealer, state.trick_number, state.last_trick) == (2, 2, 13, last)
    assert [(hand.held, hand.bid, hand.tricks) for hand in state.hands] == [
        (0, scored[-1].bids[seat], scored[-1].tricks[seat]) for seat in range(4)
    ]


def test_agreeing_before_a_round_is_dealt_ends_the_game_at_once() -> None:
    state = to_round(new_game(MASTER, 1), 2, Chance(11))
    assert agree_to_finish(state).phase is Phase.OVER
    assert agree_to_finish(state).rounds == state.rounds


@pytest.mark.parametrize("bids", [0, 2, 4])
def test_agreeing_before_any_round_is_over_and_any_card_is_down_leaves_no_result(bids: int) -> None:
    state = agree_to_finish(after_bids(dealt(MASTER), *[2] * bids))
    assert (state.phase, state.turn, state.rounds, state.hands) == (Phase.OVER, None, (), NO_HANDS)


def test_finishing_is_agreed_once_and_only_in_a_running_open_ended_game() -> None:
    with pytest.raises(IllegalAct, match="open-ended"):
        agree_to_finish(dealt(LITE))
    with pytest.raises(IllegalAct, match="agreed already"):
        agree_to_finish(agree_to_finish(after_plays(after_bids(dealt(MASTER), 2, 2, 2, 2), "AC")))
    with pytest.raises(IllegalAct, match="over"):
        agree_to_finish(end_of_game(MASTER, 1))
