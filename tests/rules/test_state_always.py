"""What holds in every state of every game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import SPADES, SUIT_CARDS, cards, members
from games.rules.ruleset import Ruleset
from games.rules.scoring import score_tenths
from games.rules.state import (
    IllegalAct,
    Phase,
    State,
    legal_bids,
    legal_cards,
    play,
    redeal_reason,
)
from tests.rules.playing import (
    rulesets,
    seat_on_turn,
    seeds,
    states_of_game,
)


@settings(max_examples=40)
@given(rulesets, seeds)
def test_every_game_under_every_house_rule_goes_to_its_end(ruleset: Ruleset, seed: int) -> None:
    for state in states_of_game(ruleset, seed):
        assert_whole_pack(state)
        assert_somebody_can_act(state)
        assert_totals_agree(state)
        assert state.redeals <= 3
    assert state.phase is Phase.OVER
    assert len(state.rounds) == (ruleset.rounds or len(state.rounds)) > 0


def assert_whole_pack(state: State) -> None:
    if state.phase not in (Phase.BID, Phase.PLAY):
        return
    on_table = [each for trick in (*state.tricks, state.trick) for each in trick.cards]
    everywhere = on_table + [each for hand in state.hands for each in members(hand.held)]
    assert sorted(everywhere) == list(range(52))
    counts = [hand.held.bit_count() for hand in state.hands]
    assert max(counts) - min(counts) <= 1
    for hand in state.hands:
        assert hand.held & hand.dealt == hand.held
    assert sum(hand.tricks for hand in state.hands) == len(state.tricks) == state.trick_number - 1


def assert_somebody_can_act(state: State) -> None:
    assert (state.turn is None) == (state.phase in (Phase.DEAL, Phase.OVER))
    assert bool(legal_bids(state)) == (state.phase is Phase.BID)
    assert bool(legal_cards(state)) == (state.phase is Phase.PLAY)


def assert_totals_agree(state: State) -> None:
    for seat in range(4):
        scores = [score_tenths(each.bids[seat], each.tricks[seat], state.ruleset) for each in state.rounds]
        assert [each.scores_tenths[seat] for each in state.rounds] == scores
        assert state.totals_tenths[seat] == sum(scores)
    assert all(sum(each.tricks) == 13 for each in state.rounds)
    assert all(type(total) is int for total in state.totals_tenths)


@settings(max_examples=20)
@given(rulesets, seeds, st.integers(0, 51))
def test_whatever_is_not_legal_is_refused_and_whatever_is_legal_is_accepted(
    ruleset: Ruleset, seed: int, any_card: int
) -> None:
    for state in states_of_game(ruleset, seed):
        if state.phase is not Phase.PLAY or redeal_reason(state):
            continue
        if legal_cards(state) >> any_card & 1:
            assert play(state, seat_on_turn(state), any_card) != state
        else:
            with pytest.raises(IllegalAct):
                play(state, seat_on_turn(state), any_card)


def test_spades_are_trumps_whatever_else_changes() -> None:
    assert SUIT_CARDS[SPADES] == cards("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S")
