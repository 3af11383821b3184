"""Cards and sets of cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import (
    CLUBS,
    DIAMONDS,
    FULL_PACK,
    HEARTS,
    SPADES,
    SUIT_CARDS,
    card,
    cards,
    highest,
    lowest,
    members,
    name,
    names,
    pack,
    rank_of,
    show,
    suit_of,
)

sets_of_cards = st.integers(0, FULL_PACK)


def test_a_pack_has_52_cards_in_the_order_of_dealing() -> None:
    in_order = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    assert [name(number) for number in range(52)] == in_order
    assert [card(text) for text in in_order] == list(range(52))


def test_every_card_is_of_one_suit() -> None:
    assert sum(SUIT_CARDS) == FULL_PACK
    for number in range(52):
        assert [suit for suit in (CLUBS, DIAMONDS, HEARTS, SPADES) if SUIT_CARDS[suit] >> number & 1] == [
            suit_of(number)
        ]
        assert number == 13 * suit_of(number) + rank_of(number)


@pytest.mark.parametrize("text", ["", "A", "as", "10S", "1S", "SA", "AS ", " AS", "ASS", "A♠", "AE", "٢S", "0C"])
def test_what_is_not_rank_then_suit_is_not_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card(text)


def test_a_set_of_cards_is_read_in_any_order() -> None:
    assert cards("2H KH AS") == cards(" AS  2H KH ") == pack([card("KH"), card("AS"), card("2H")])
    assert cards("") == 0


@pytest.mark.parametrize(("text", "message"), [("AS AS", "twice"), ("AS 1H", "'1H' is not a card")])
def test_a_set_of_cards_names_each_card_once(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cards(text)


def test_a_hand_is_sorted_spades_hearts_clubs_diamonds_high_to_low() -> None:
    assert show(FULL_PACK) == " ".join(rank + suit for suit in "SHCD" for rank in "AKQJT98765432")
    assert names(cards("2D AD 2C AC 2H AH 2S AS")) == ["AS", "2S", "AH", "2H", "AC", "2C", "AD", "2D"]


@given(sets_of_cards)
def test_a_set_is_its_members(some: int) -> None:
    assert pack(members(some)) == cards(show(some)) == some
    assert len(members(some)) == some.bit_count()


@given(st.sampled_from(SUIT_CARDS), sets_of_cards)
def test_the_highest_and_lowest_of_a_suit_are_first_and_last_in_a_hand(suit: int, some: int) -> None:
    held = suit & some
    if held:
        assert highest(held) == members(held)[0]
        assert lowest(held) == members(held)[-1]
