"""A game from the first deal to the last card."""

import pytest

from games.rules.cards import FULL_PACK, SUIT_CARDS, card, cards, members, show
from games.rules.ruleset import LITE, MASTER, MAX_ROUNDS, RULESETS, Ruleset, customised
from games.rules.state import (
    NO_HANDS,
    IllegalAct,
    LastTrick,
    Phase,
    RoundScore,
    bid,
    deal_round,
    legal_bids,
    legal_cards,
    new_game,
    play,
    redeal_reason,
)
from games.rules.trick import Trick, next_seat, trick
from tests.rules.playing import (
    Chance,
    act,
    after_bids,
    after_plays,
    dealt,
    end_of_game,
    seat_on_turn,
    states_of_game,
    to_round,
)

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)


@pytest.mark.parametrize("dealer", range(4))
def test_a_new_game_waits_for_its_first_deal(dealer: int) -> None:
    state = new_game(LITE, dealer)
    assert (state.round_number, state.dealer, state.phase, state.turn) == (1, dealer, Phase.DEAL, None)
    assert (state.hands, state.rounds, state.totals_tenths) == (NO_HANDS, (), (0, 0, 0, 0))


@pytest.mark.parametrize("dealer", range(4))
def test_bids_go_once_round_from_the_seat_after_the_dealer_who_bids_last(dealer: int) -> None:
    state = dealt(dealer=dealer)
    bidders = []
    while state.phase is Phase.BID:
        bidders.append(state.turn)
        state = bid(state, seat_on_turn(state), 3)
    assert bidders == [(dealer + 1 + place) % 4 for place in range(4)]
    assert (state.phase, state.turn, state.trick) == (Phase.PLAY, next_seat(dealer), Trick(next_seat(dealer)))
    assert [hand.bid for hand in state.hands] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("ruleset", "bids"),
    [
        (LITE, range(1, 14)),
        (MASTER, range(2, 14)),
        (customised("lite", {"min_bid": 4, "max_bid": 8}), range(4, 9)),
    ],
)
def test_bids_are_whole_numbers_within_the_limits(ruleset: Ruleset, bids: range) -> None:
    state = dealt(ruleset)
    assert legal_bids(state) == tuple(bids)
    for n in bids:
        assert bid(state, 0, n).hands[0].bid == n
    for n in (-1, 0, bids[0] - 1, bids[-1] + 1, 52):
        with pytest.raises(IllegalAct, match="out of range"):
            bid(state, 0, n)


def test_no_bid_is_legal_when_a_play_is_due_and_no_card_when_a_bid_is() -> None:
    bidding = dealt()
    playing = after_bids(bidding, 1, 1, 1, 1)
    assert legal_cards(bidding) == 0
    assert legal_bids(playing) == ()
    with pytest.raises(IllegalAct, match="not a bid"):
        bid(playing, 0, 1)
    with pytest.raises(IllegalAct, match="not a play"):
        play(bidding, 0, card("AC"))


def test_nothing_is_due_before_the_deal_and_after_the_game() -> None:
    for state in (new_game(LITE, 3), end_of_game(customised("lite", {"rounds": 1}), 1)):
        assert (state.turn, legal_bids(state), legal_cards(state), redeal_reason(state)) == (None, (), 0, None)
        with pytest.raises(IllegalAct):
            bid(state, 0, 1)
        with pytest.raises(IllegalAct):
            play(state, 0, card("AC"))


@pytest.mark.parametrize(
    "hands",
    [
        SUIT_CARDS[:3],
        (*SUIT_CARDS, 0),
        (SUIT_CARDS[0], SUIT_CARDS[0], SUIT_CARDS[2], SUIT_CARDS[3]),
        (SUIT_CARDS[0] ^ 1, SUIT_CARDS[1], SUIT_CARDS[2], SUIT_CARDS[3]),
        (SUIT_CARDS[0] ^ 1, SUIT_CARDS[1] ^ 1, SUIT_CARDS[2], SUIT_CARDS[3]),
        (FULL_PACK, 0, 0, 0),
    ],
)
def test_only_a_whole_pack_can_be_dealt(hands: tuple[int, ...]) -> None:
    with pytest.raises(IllegalAct, match="not a pack"):
        deal_round(new_game(LITE, 0), hands)


def test_a_round_is_dealt_once() -> None:
    with pytest.raises(IllegalAct, match="has to be dealt"):
        deal_round(dealt(), SUIT_CARDS)


def test_only_the_seat_on_turn_acts() -> None:
    bidding, playing = dealt(), after_bids(dealt(), 1, 1, 1, 1)
    for seat in (1, 2, 3):
        with pytest.raises(IllegalAct, match=f"turn of seat {seat}"):
            bid(bidding, seat, 1)
        with pytest.raises(IllegalAct, match=f"turn of seat {seat}"):
            play(playing, seat, members(playing.hands[seat].held)[0])


@pytest.mark.parametrize("played", [card("AS"), card("AD"), -1, 52, 1000])
def test_a_card_not_held_cannot_be_played(played: int) -> None:
    state = after_bids(dealt(), 1, 1, 1, 1)
    with pytest.raises(IllegalAct, match="not held"):
        play(state, 0, played)


def test_a_card_against_the_rules_cannot_be_played() -> None:
    swapped = (SUIT_CARDS[0] ^ cards("2C 2S"), SUIT_CARDS[1], SUIT_CARDS[2], SUIT_CARDS[3] ^ cards("2C 2S"))
    state = after_plays(after_bids(dealt(hands=swapped), 1, 1, 1, 1), "AC AD AH")
    assert show(legal_cards(state)) == "2C"
    with pytest.raises(IllegalAct):
        play(state, 3, card("AS"))


def test_a_played_card_leaves_the_hand_and_lies_on_the_table() -> None:
    state = after_plays(after_bids(dealt(), 1, 1, 1, 13), "AC")
    assert (state.turn, state.trick, state.trick_number) == (1, trick("AC", leader=0), 1)
    assert show(state.hands[0].held) == "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"
    assert state.hands[0].dealt == SUIT_CARDS[0]


def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    state = after_plays(after_bids(dealt(), 1, 1, 1, 13), "AC AD AH 2S")
    assert (state.turn, state.trick, state.trick_number) == (3, Trick(leader=3), 2)
    assert [hand.tricks for hand in state.hands] == [0, 0, 0, 1]
    assert state.last_trick == LastTrick(1, 1, trick("AC AD AH 2S"))
    assert state.tricks == (trick("AC AD AH 2S"),)


def test_the_thirteenth_trick_scores_the_round_and_the_next_seat_deals() -> None:
    state = after_bids(dealt(), 1, 2, 3, 13)
    while state.phase is Phase.PLAY:
        state = act(state, Chance(1))
    assert state.rounds == (RoundScore((1, 2, 3, 13), (0, 0, 0, 13), (-10, -20, -30, 130)),)
    assert (state.round_number, state.dealer, state.phase, state.turn) == (2, 0, Phase.DEAL, None)
    assert (state.hands, state.trick, state.trick_number, state.tricks) == (NO_HANDS, Trick(1), 1, ())
    assert state.last_trick is not None
    assert (state.last_trick.round_number, state.last_trick.number) == (1, 13)
    assert state.totals_tenths == (-10, -20, -30, 130)


def test_the_last_trick_stays_until_the_next_one_ends() -> None:
    chance = Chance(2)
    state = to_round(new_game(LITE, 0), 2, chance)
    first = state.last_trick
    while not state.tricks:
        assert state.last_trick == first
        state = act(state, chance)
    assert state.last_trick == LastTrick(2, 1, state.tricks[0])


def test_a_state_read_without_its_finished_tricks_goes_on_as_well() -> None:
    for state in states_of_game(LITE, 5):
        if state.phase is Phase.PLAY:
            each = members(legal_cards(state))[0]
            whole, lean = (play(before, seat_on_turn(state), each) for before in (state, state._replace(tricks=())))
            assert lean._replace(tricks=()) == whole._replace(tricks=())


@every_ruleset
def test_the_deal_passes_on_each_round(ruleset: Ruleset) -> None:
    dealers = {state.round_number: state.dealer for state in states_of_game(ruleset, 7)}
    assert list(dealers.values()) == [(dealers[1] + number) % 4 for number in range(len(dealers))]


@pytest.mark.parametrize("rounds", [1, 2, 5, 20])
def test_a_game_is_over_after_its_last_round(rounds: int) -> None:
    states = list(states_of_game(customised("lite", {"rounds": rounds}), 3))
    end = states[-1]
    assert len(end.rounds) == end.round_number == rounds
    assert {state.round_number for state in states if state.is_final_round} == {rounds}
    assert (end.phase, end.turn, end.trick_number) == (Phase.OVER, None, 13)
    assert end.last_trick is not None
    assert end.trick == Trick(end.last_trick.trick.winner)
    assert [hand.held for hand in end.hands] == [0, 0, 0, 0]
    assert sum(hand.dealt for hand in end.hands) == FULL_PACK
    assert tuple(hand.bid for hand in end.hands) == end.rounds[-1].bids
    assert tuple(hand.tricks for hand in end.hands) == end.rounds[-1].tricks
    assert sum(trick.winner == 0 for trick in end.tricks) == end.rounds[-1].tricks[0]


def test_an_open_ended_game_ends_by_itself_after_250_rounds() -> None:
    chance = Chance(4)
    state = to_round(new_game(MASTER, 1), 2, chance)
    state = state._replace(round_number=MAX_ROUNDS - 1, rounds=state.rounds * (MAX_ROUNDS - 2))
    assert not state.is_final_round
    state = to_round(state, MAX_ROUNDS, chance)
    assert state.is_final_round
    while state.phase is not Phase.OVER:
        state = act(state, chance)
    assert len(state.rounds) == state.round_number == 250
