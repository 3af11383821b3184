"""What may be played to a trick, and who takes it."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.rules import examples
from games.rules.cards import SPADES, Card, Cards, card, cards, members, show, suit_of
from games.rules.ruleset import CALL_BREAK_2, LITE, MASTER, Ruleset
from games.rules.trick import Rule, Trick, broken_rule, legal_plays, next_seat, trick

heads = st.sampled_from([LITE, MASTER])
hands = st.sets(st.integers(0, 51), min_size=1, max_size=13).map(lambda some: sum(1 << each for each in some))
tricks = st.builds(
    lambda leader, played: Trick(leader, tuple(played)),
    st.integers(0, 3),
    st.lists(st.integers(0, 51), unique=True, max_size=3),
)


@pytest.mark.parametrize("example", examples.PLAYS, ids=lambda each: f"{each.hand} to {each.so_far}")
def test_the_examples_of_what_may_be_played_that_the_pages_draw(example: examples.PlayExample) -> None:
    hand, so_far = cards(example.hand), trick(example.so_far)
    for ruleset in (LITE, CALL_BREAK_2):
        assert show(legal_plays(hand, so_far, ruleset)) == example.with_must_head
    assert show(legal_plays(hand, so_far, MASTER)) == example.without


@pytest.mark.parametrize(
    ("hand", "so_far", "with_must_head", "without"),
    [
        ("2H KH AS", "QH", "KH", "2H KH"),
        ("2H KH AS", "QH 3S", "2H KH", "2H KH"),
        ("9S JS AD", "TS", "JS", "9S JS"),
        ("2D 3S AS", "QH 4S", "AS", "AS"),
        ("2D 3S", "QH 4S", "2D 3S", "2D 3S"),
        ("2D 3S", "QH", "3S", "3S"),
        ("2H JH AH", "9H QH", "AH", "2H JH AH"),
    ],
)
def test_the_table_of_what_may_be_played(hand: str, so_far: str, with_must_head: str, without: str) -> None:
    for ruleset in (LITE, CALL_BREAK_2):
        assert show(legal_plays(cards(hand), trick(so_far), ruleset)) == show(cards(with_must_head))
    assert show(legal_plays(cards(hand), trick(so_far), MASTER)) == show(cards(without))


@pytest.mark.parametrize(
    ("hand", "so_far", "with_must_head", "without"),
    [
        ("2C 3D 4H 5S", "", "2C 3D 4H 5S", "2C 3D 4H 5S"),
        ("AS", "", "AS", "AS"),
        ("2H KH AH", "QH", "KH AH", "2H KH AH"),
        ("2H 3H", "QH", "2H 3H", "2H 3H"),
        ("2H AH AS", "QH 2D 3C", "AH", "2H AH"),
        ("2H AH AS", "QH 2S 3S", "2H AH", "2H AH"),
        ("3S 5S AD", "4S 6S", "3S 5S", "3S 5S"),
        ("3S 7S AD", "4S AH 6S", "7S", "3S 7S"),
        ("2D 3C", "QH", "2D 3C", "2D 3C"),
        ("2D 3S 4S", "QH AH", "3S 4S", "3S 4S"),
        ("2D 5S 6S 8S", "QH 4S 7S", "8S", "8S"),
        ("2D 5S 6S", "QH 4S 7S", "2D 5S 6S", "2D 5S 6S"),
        ("5S 6S", "QH 4S 7S", "5S 6S", "5S 6S"),
        ("AH AD AC", "2S", "AH AD AC", "AH AD AC"),
        ("AH AD", "2C KD", "AH AD", "AH AD"),
    ],
)
def test_more_of_what_may_be_played(hand: str, so_far: str, with_must_head: str, without: str) -> None:
    assert show(legal_plays(cards(hand), trick(so_far), LITE)) == show(cards(with_must_head))
    assert show(legal_plays(cards(hand), trick(so_far), MASTER)) == show(cards(without))


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        ("2H 3H 4H 5H", 3),
        ("AH 3H 4H 5H", 0),
        ("9H AD AC KD", 0),
        ("9H 2S AH KH", 1),
        ("9H 2S 3S AH", 2),
        ("9H 4S 3S AH", 1),
        ("2S AH AD AC", 0),
        ("2S 3S AD 4S", 3),
        ("TC JC 9C AD", 1),
        *((each.played, each.winner) for each in examples.TRICKS),
    ],
)
@pytest.mark.parametrize("leader", range(4))
def test_the_highest_spade_wins_else_the_highest_of_the_suit_led(played: str, winner: int, leader: int) -> None:
    whole = trick(played, leader=leader)
    assert whole.winner == (leader + winner) % 4
    assert whole.best == card(played.split()[winner])
    assert whole.is_complete


def test_a_trick_goes_round_from_its_leader() -> None:
    begun = Trick(leader=2)
    assert (begun.seat_to_play, begun.is_complete, begun.plays()) == (2, False, [])
    third = begun.add(card("KH")).add(card("2H")).add(card("AS"))
    assert third == trick("KH 2H AS", leader=2)
    assert third.plays() == [(2, card("KH")), (3, card("2H")), (0, card("AS"))]
    assert (third.led_suit, third.seat_to_play, third.winner, third.is_complete) == (2, 1, 0, False)
    assert [next_seat(seat) for seat in range(4)] == [1, 2, 3, 0]


def suit_patterns(length: int) -> Iterator[tuple[int, ...]]:
    return product(range(4), repeat=length)


def takes(challenger: Card, best: Card) -> bool:
    """Say the rule in other words: a card takes the trick by rank within a suit, or by being the first trump."""
    same_suit = suit_of(challenger) == suit_of(best)
    return (same_suit and challenger > best) or (suit_of(challenger) == SPADES != suit_of(best))


@pytest.mark.parametrize("ranks", [(0, 5, 9, 12), (12, 9, 5, 0), (5, 12, 0, 9), (9, 0, 12, 5)])
def test_winners_of_all_suit_patterns(ranks: tuple[int, ...]) -> None:
    for pattern in suit_patterns(4):
        played = [13 * suit + rank for suit, rank in zip(pattern, ranks, strict=True)]
        trumps = [each for each in played if suit_of(each) == SPADES]
        following = [each for each in played if suit_of(each) == pattern[0]]
        assert Trick(0, tuple(played)).best == max(trumps or following)


@given(hands, tricks, heads)
def test_there_is_always_a_card_to_play_and_it_is_held(hand: Cards, so_far: Trick, ruleset: Ruleset) -> None:
    legal = legal_plays(hand, so_far, ruleset)
    assert legal
    assert legal & hand == legal


@given(hands, tricks, heads)
def test_legal_plays_are_those_that_break_no_rule(hand: Cards, so_far: Trick, ruleset: Ruleset) -> None:
    assume(so_far.cards)
    held = members(hand)
    following = [each for each in held if suit_of(each) == so_far.led_suit]
    winning = [each for each in held if takes(each, so_far.best)]
    legal = legal_plays(hand, so_far, ruleset)
    for each in held:
        must_follow = bool(following) and each not in following
        must_head = ruleset.must_head and set(following) & set(winning) and each not in winning
        must_trump = not following and bool(winning) and each not in winning
        is_legal = bool(legal >> each & 1)
        assert is_legal == (not (must_follow or must_head or must_trump))
        if not is_legal:
            expected = Rule.MUST_FOLLOW if must_follow else Rule.MUST_HEAD if following else Rule.MUST_TRUMP
            assert broken_rule(each, hand, so_far, ruleset) is expected


@given(hands, tricks)
def test_without_must_head_no_card_is_forbidden_that_must_head_allows(hand: Cards, so_far: Trick) -> None:
    strict, loose = legal_plays(hand, so_far, LITE), legal_plays(hand, so_far, MASTER)
    assert strict & loose == strict


@given(st.lists(st.integers(0, 51), unique=True, min_size=4, max_size=4), st.integers(0, 3))
def test_the_winner_does_not_depend_on_who_leads_but_on_the_place(played: list[Card], leader: int) -> None:
    assert Trick(leader, tuple(played)).winner == (leader + Trick(0, tuple(played)).winner) % 4


@pytest.mark.parametrize(
    ("text", "hand", "so_far", "ruleset", "rule"),
    [
        ("AS", "2H KH AS", "QH", LITE, "must_follow"),
        ("2H", "2H KH AS", "QH", LITE, "must_head"),
        ("9S", "9S JS AD", "TS", LITE, "must_head"),
        ("AD", "9S JS AD", "TS", LITE, "must_follow"),
        ("2D", "2D 3S AS", "QH 4S", LITE, "must_trump"),
        ("3S", "2D 3S AS", "QH 4S", MASTER, "must_trump"),
        ("AS", "2H KH AS", "QH", MASTER, "must_follow"),
    ],
)
def test_a_refusal_says_which_rule(text: str, hand: str, so_far: str, ruleset: Ruleset, rule: str) -> None:
    assert broken_rule(card(text), cards(hand), trick(so_far), ruleset) == rule


def test_a_legal_card_breaks_no_rule() -> None:
    with pytest.raises(ValueError, match="may be played"):
        broken_rule(card("KH"), cards("2H KH AS"), trick("QH"), LITE)


def lines_of_play(held: list[Cards], so_far: Trick, ruleset: Ruleset) -> int:
    """Return in how many ways the cards held can be played to the end, as chess programs count moves."""
    if so_far.is_complete:
        so_far = Trick(so_far.winner)
    seat = so_far.seat_to_play
    if not held[seat]:
        return 1
    count = 0
    for each in members(legal_plays(held[seat], so_far, ruleset)):
        rest = [cards ^ (1 << each) if owner == seat else cards for owner, cards in enumerate(held)]
        count += lines_of_play(rest, so_far.add(each), ruleset)
    return count


@pytest.mark.parametrize(
    ("held", "with_must_head", "without"),
    [
        # All follow with their only card of each suit: the leader's choice is the only one.
        (["AH AD", "KH KD", "QH QD", "JH JD"], 2, 2),
        # Nobody can follow or trump: each seat chooses once.
        (["AH KH", "AD KD", "AC KC", "QD QC"], 16, 16),
        # Led a king, the second seat has to head it, or is free to keep the ace.
        (["KH 2D", "AH 3H", "QH 4D", "JH 5D"], 3, 4),
        # 3 × 1 × 3 × 3 ways in the first trick (only the ace heads) and 2 × 2 × 2 × 2 in the second; else 3⁴ and 2⁴.
        (["KH QH JH", "AH 3H 2H", "TH 9H 8H", "7H 6H 5H"], 432, 1296),
        (["KS QH 2D", "AS AH 3D", "JS TH 4D", "9S 8H 5D"], 6, 6),
        (["2H 3H 4H", "5H 6S 7D", "8C 9S TD", "JS QS KD"], 36, 36),
        (["9S TS 2D", "JS 8S 3D", "7S QS 4D", "6S AS KD"], 14, 48),
        (["3H 9H 5S 2C", "TH 4H 8S 3C", "JH 5H 2S 4C", "6H QH AC 9S"], 84, 192),
        (["AS KH QD JC", "KS QH JD TC", "QS JH TD 9C", "JS TH 9D 8C"], 24, 24),
        (["2S 3H 4D 5C", "3S 4H 5D 6C", "AH KH 2C 9S", "AD KD 7H 8S"], 136, 136),
    ],
)
def test_the_number_of_ways_to_play_an_ending(held: list[str], with_must_head: int, without: int) -> None:
    hands = [cards(text) for text in held]
    assert [lines_of_play(hands, Trick(0), ruleset) for ruleset in (LITE, MASTER)] == [with_must_head, without]
