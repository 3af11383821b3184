"""When a round is dealt again, and when it stands."""

import pytest

from games.rules.cards import SUIT_CARDS, cards, members, show
from games.rules.examples import REDEALS
from games.rules.ruleset import RULESETS, Ruleset, customised
from games.rules.state import (
    HONOURS,
    NO_HANDS,
    IllegalAct,
    Phase,
    State,
    bid,
    call_redeal,
    deal_round,
    legal_cards,
    play,
    redeal_reason,
)
from tests.rules.playing import (
    Chance,
    after_bids,
    after_plays,
    dealt,
    hands_of_others,
    seat_on_turn,
    to_round,
)

NO_SPADE = customised("lite", {"redeal_no_spade": True})
NO_HONOUR = customised("lite", {"redeal_no_honour": True})
LOW_BIDS = customised("lite", {"redeal_low_bids": True})
ALL_REDEALS = customised(
    "lite", {"redeal_no_spade": True, "redeal_no_honour": True, "redeal_low_bids": True, "rounds": 2}
)
LOW_CARDS = cards("2S 3S 4S 5S TC 9C 8C TD 9D 8D TH 9H 8H")
ONE_SPADE_EACH = ["2C 2S", "2D 3S", "2H 4S", "2C 2D 2H 2S 3S 4S"]
SEAT_2_HAS_NO_HONOUR = hands_of_others(LOW_CARDS)


def test_the_honours_are_ace_king_queen_and_jack() -> None:
    assert show(HONOURS) == " ".join(rank + suit for suit in "SHCD" for rank in "AKQJ")


@pytest.mark.parametrize(("dealer", "seat"), [(3, 0), (0, 1), (1, 2), (2, 0)])
def test_a_hand_without_a_spade_is_dealt_again(dealer: int, seat: int) -> None:
    assert redeal_reason(dealt(NO_SPADE, dealer)) == ("no_spade", seat)


@pytest.mark.parametrize("dealer", range(4))
def test_a_hand_without_an_honour_is_dealt_again(dealer: int) -> None:
    assert redeal_reason(dealt(NO_HONOUR, dealer, SEAT_2_HAS_NO_HONOUR)) == ("no_honour", 2)


@pytest.mark.parametrize("honour", ["JC", "QD", "KH", "AS"])
def test_one_honour_is_enough(honour: str) -> None:
    hands = hands_of_others(LOW_CARDS ^ cards(f"TH {honour}"))
    assert redeal_reason(dealt(NO_HONOUR, 3, hands)) is None


def test_one_spade_is_enough() -> None:
    hands = tuple(held ^ cards(swapped) for held, swapped in zip(SUIT_CARDS, ONE_SPADE_EACH, strict=True))
    assert redeal_reason(dealt(NO_SPADE, 3, hands)) is None


@pytest.mark.parametrize(("bids", "is_low"), [((2, 2, 2, 3), True), ((1, 1, 1, 1), True), ((2, 2, 2, 4), False)])
def test_four_bids_that_sum_to_less_than_ten_are_dealt_again(bids: tuple[int, ...], is_low: bool) -> None:
    state = dealt(LOW_BIDS)
    for n in bids:
        assert redeal_reason(state) is None
        state = bid(state, seat_on_turn(state), n)
    assert redeal_reason(state) == (("low_bids", None) if is_low else None)


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), customised("custom", {})], ids=lambda ruleset: ruleset.name)
def test_no_hand_is_dealt_again_where_the_switches_are_off(ruleset: Ruleset) -> None:
    for hands in (SUIT_CARDS, SEAT_2_HAS_NO_HONOUR):
        state = dealt(ruleset, 3, hands)
        assert redeal_reason(state) is None
        assert redeal_reason(after_bids(state, 2, 2, 2, 2)) is None
        with pytest.raises(IllegalAct, match="no reason"):
            call_redeal(state)


@pytest.mark.parametrize(("ruleset", "bids"), [(NO_SPADE, ()), (LOW_BIDS, (1, 1, 1, 1))])
def test_nobody_acts_while_a_redeal_is_due(ruleset: Ruleset, bids: tuple[int, ...]) -> None:
    state = after_bids(dealt(ruleset), *bids)
    with pytest.raises(IllegalAct, match="dealt again"):
        act_anyway(state)


def act_anyway(state: State) -> State:
    if state.phase is Phase.BID:
        return bid(state, seat_on_turn(state), 1)
    return play(state, seat_on_turn(state), members(legal_cards(state))[0])


@pytest.mark.parametrize(("ruleset", "bids"), [(NO_SPADE, ()), (LOW_BIDS, (1, 2, 1, 1))])
def test_the_same_dealer_deals_again_with_bids_cleared(ruleset: Ruleset, bids: tuple[int, ...]) -> None:
    state = call_redeal(after_bids(dealt(ruleset, dealer=1), *bids))
    assert (state.phase, state.round_number, state.dealer, state.redeals, state.turn) == (Phase.DEAL, 1, 1, 1, None)
    assert state.hands == NO_HANDS
    again = deal_round(state, SUIT_CARDS)
    assert (again.turn, again.redeals, [hand.bid for hand in again.hands]) == (2, 1, [None] * 4)


@pytest.mark.parametrize(("ruleset", "bids"), [(NO_SPADE, ()), (LOW_BIDS, (1, 1, 1, 1))])
def test_after_three_redeals_the_hand_stands(ruleset: Ruleset, bids: tuple[int, ...]) -> None:
    state = dealt(ruleset)
    for count in range(3):
        assert state.redeals == count
        state = deal_round(call_redeal(after_bids(state, *bids)), SUIT_CARDS)
    state = after_bids(state, *bids)
    assert (state.redeals, redeal_reason(state)) == (3, None)
    assert act_anyway(state) != state


def test_redeals_of_different_kinds_count_together() -> None:
    even = tuple(held ^ cards(swapped) for held, swapped in zip(SUIT_CARDS, ONE_SPADE_EACH, strict=True))
    state = call_redeal(dealt(ALL_REDEALS))
    state = call_redeal(after_bids(deal_round(state, even), 1, 1, 1, 1))
    state = call_redeal(deal_round(state, SEAT_2_HAS_NO_HONOUR))
    state = after_bids(deal_round(state, SUIT_CARDS), 1, 1, 1, 1)
    assert (state.redeals, redeal_reason(state)) == (3, None)


def test_the_next_round_counts_its_redeals_from_none() -> None:
    state = call_redeal(dealt(customised("lite", {"redeal_no_spade": True, "rounds": 2})))
    assert state.redeals == 1
    assert to_round(state, 2, Chance(9)).redeals == 0


def test_low_bids_no_longer_matter_once_a_card_is_down() -> None:
    state = after_plays(after_bids(dealt(), 1, 1, 1, 1), "AC")
    assert redeal_reason(state._replace(ruleset=LOW_BIDS)) is None
    later = after_plays(state, "AD AH 2S")
    assert redeal_reason(later._replace(ruleset=LOW_BIDS)) is None


@pytest.mark.parametrize(("switch", "hand"), REDEALS)
def test_the_hands_that_the_pages_show_are_dealt_again_where_their_switch_is_on(switch: str, hand: str) -> None:
    for is_on in (True, False):
        state = dealt(customised("lite", {switch: is_on}), hands=hands_of_others(cards(hand)))
        assert redeal_reason(state) == ((switch.removeprefix("redeal_"), 2) if is_on else None)
