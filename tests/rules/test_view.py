"""What a seat may see, and what it may not."""

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import Cards, members
from games.rules.ruleset import LITE, Ruleset
from games.rules.state import HandState, Phase, State, legal_bids, legal_cards
from games.rules.trick import Trick
from games.rules.view import View, view
from tests.rules.playing import (
    Chance,
    after_bids,
    after_plays,
    dealt,
    end_of_game,
    four,
    rulesets,
    seeds,
    states_of_game,
)

short_games = rulesets.map(lambda ruleset: replace(ruleset, rounds=1))
viewers = st.sampled_from([None, 0, 1, 2, 3])

SEEN_AS_THEY_ARE = {
    "ruleset",
    "round_number",
    "dealer",
    "phase",
    "turn",
    "trick",
    "trick_number",
    "tricks",
    "last_trick",
    "rounds",
    "totals_tenths",
    "is_final_round",
    "redeals",
}
PUBLIC_OF_HANDS = {"bids", "tricks_won", "cards_held"}
OWN = {"seat", "hand", "dealt", "legal_bids", "legal_plays"}


def test_a_view_has_these_fields_and_no_others() -> None:
    assert {field.name for field in fields(View)} == SEEN_AS_THEY_ARE | PUBLIC_OF_HANDS | OWN


def leaves(value: Any) -> list[Any]:
    """Return every plain value anywhere inside *value*."""
    if is_dataclass(value):
        return [leaf for field in fields(value) for leaf in leaves(getattr(value, field.name))]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


@settings(max_examples=20)
@given(short_games, seeds)
def test_a_view_is_made_of_plain_values_that_hold_no_hand_but_the_viewers(ruleset: Ruleset, seed: int) -> None:
    for state in states_of_game(ruleset, seed):
        for seat in (None, 0, 1, 2, 3):
            seen = view(state, seat)
            assert {type(leaf) for leaf in leaves(seen)} <= {int, str, bool, type(None), Phase}
            others = {hand.held for owner, hand in enumerate(state.hands) if owner != seat if hand.held}
            mine = {seen.hand, seen.dealt, seen.legal_plays}
            # Sets of cards are large numbers, so a hand of somebody else would be found among the leaves.
            hands_shown = {leaf for leaf in leaves(seen) if isinstance(leaf, int) and leaf >= 1 << 13} - mine
            assert not hands_shown
            assert not mine & {cards for cards in others if cards.bit_count() > 1}


def redealt(state: State, viewer: int | None, chance: Chance) -> State:
    """Return *state* with the cards that *viewer* cannot see given out anew among the seats that hold them."""
    others = [seat for seat in range(4) if seat != viewer]
    hidden = [card for seat in others for card in members(state.hands[seat].held)]
    hands = list(state.hands)
    for seat in others:
        held: Cards = 0
        for _ in range(state.hands[seat].held.bit_count()):
            held |= 1 << hidden.pop(chance.below(len(hidden)))
        played = state.hands[seat].dealt ^ state.hands[seat].held
        hands[seat] = hands[seat]._replace(held=held, dealt=held | played)
    return state._replace(hands=four(hands))


@settings(max_examples=30)
@given(short_games, seeds, viewers)
def test_giving_out_the_hidden_cards_anew_changes_nothing_in_a_view(
    ruleset: Ruleset, seed: int, viewer: int | None
) -> None:
    chance = Chance(f"redeal {seed}")
    is_changed = False
    for state in states_of_game(ruleset, seed):
        other = redealt(state, viewer, chance)
        is_changed |= other != state
        assert view(other, viewer) == view(state, viewer)
        assert repr(view(other, viewer)) == repr(view(state, viewer))
    assert is_changed


@settings(max_examples=20)
@given(short_games, seeds)
def test_a_seat_sees_its_own_cards_and_everybody_the_public_facts(ruleset: Ruleset, seed: int) -> None:
    for state in states_of_game(ruleset, seed):
        views = [view(state, seat) for seat in (0, 1, 2, 3, None)]
        for seen in views:
            hand = state.hands[seen.seat] if seen.seat is not None else HandState(0, 0, None, 0)
            assert (seen.hand, seen.dealt) == (hand.held, hand.dealt)
            assert seen.bids == tuple(hand.bid for hand in state.hands)
            assert seen.tricks_won == tuple(hand.tricks for hand in state.hands)
            assert seen.cards_held == tuple(len(members(hand.held)) for hand in state.hands)
            for name in SEEN_AS_THEY_ARE:
                assert getattr(seen, name) == getattr(state, name)


@settings(max_examples=20)
@given(short_games, seeds)
def test_what_may_be_done_is_told_to_the_seat_on_turn_alone(ruleset: Ruleset, seed: int) -> None:
    for state in states_of_game(ruleset, seed):
        for seat in (None, 0, 1, 2, 3):
            seen = view(state, seat)
            is_on_turn = seat is not None and seat == state.turn
            assert seen.legal_bids == (legal_bids(state) if is_on_turn and state.phase is Phase.BID else None)
            assert seen.legal_plays == (legal_cards(state) if is_on_turn and state.phase is Phase.PLAY else None)


def test_the_leader_of_a_trick_sees_the_whole_hand_as_legal() -> None:
    seen = view(after_bids(dealt(), 1, 1, 1, 1), 0)
    assert (seen.legal_bids, seen.legal_plays, seen.trick) == (None, seen.hand, Trick(0))


def test_a_bidder_sees_every_bid() -> None:
    assert view(dealt(), 0).legal_bids == tuple(range(1, 14))
    assert view(dealt(), 1).legal_bids is None


def test_a_spectator_sees_no_hand_but_every_card_on_the_table() -> None:
    seen = view(after_plays(after_bids(dealt(), 1, 1, 1, 1), "AC AD"), None)
    assert (seen.seat, seen.hand, seen.dealt, seen.legal_plays) == (None, 0, 0, None)
    assert [seat for seat, _ in seen.trick.plays()] == [0, 1]
    assert seen.cards_held == (12, 12, 13, 13)


def test_a_view_of_a_finished_game_has_no_turn() -> None:
    seen = view(end_of_game(LITE, 2), 1)
    assert (seen.phase, seen.turn, seen.hand, seen.legal_plays) == (Phase.OVER, None, 0, None)
    assert len(seen.rounds) == 5


def test_a_view_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        view(dealt(), 0).hand = 1  # type: ignore[misc]
    assert issubclass(Phase, Enum)
