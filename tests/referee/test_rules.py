"""The second rules say what the rule text says."""

import itertools

import pytest

from . import rules

ON, OFF = rules.LITE, rules.LITE | {"must_head": False}

WHAT_MAY_BE_PLAYED = [
    ("2H KH AS", "QH", "KH", "KH 2H"),
    ("2H KH AS", "QH 3S", "KH 2H", "KH 2H"),
    ("9S JS AD", "TS", "JS", "JS 9S"),
    ("2D 3S AS", "QH 4S", "AS", "AS"),
    ("2D 3S", "QH 4S", "3S 2D", "3S 2D"),
    ("2D 3S", "QH", "3S", "3S"),
    ("2H JH AH", "9H QH", "AH", "AH JH 2H"),
]


@pytest.mark.parametrize(("hand", "trick", "on", "off"), WHAT_MAY_BE_PLAYED)
def test_what_may_be_played_is_what_the_table_says(hand, trick, on, off):
    assert rules.legal_plays(hand.split(), trick.split(), ON) == on.split()
    assert rules.legal_plays(hand.split(), trick.split(), OFF) == off.split()


def test_any_card_may_be_led_a_trump_too():
    assert rules.legal_plays(["2C", "AS", "KD"], [], ON) == ["AS", "2C", "KD"]


def test_any_of_those_that_head_will_do():
    assert rules.legal_plays(["KH", "AH", "2H"], ["TH", "QH"], ON) == ["AH", "KH"]


def test_who_cannot_head_follows_with_any_card_of_the_suit():
    assert rules.legal_plays(["3H", "2H", "AS"], ["TH", "QH"], ON) == ["3H", "2H"]


def test_who_is_void_need_not_overtrump_what_cannot_be_beaten():
    assert rules.legal_plays(["5S", "2C"], ["QH", "6S"], ON) == ["5S", "2C"]


def test_who_is_void_in_suit_and_trumps_plays_anything():
    assert rules.legal_plays(["5D", "2C"], ["QH"], ON) == ["2C", "5D"]


@pytest.mark.parametrize("ruleset", [ON, OFF])
def test_of_every_small_hand_something_may_be_played_to_every_small_trick(ruleset):
    pack = [rank + suit for suit in "CHS" for rank in "29A"]
    for cards in itertools.permutations(pack, 3):
        trick, hand = list(cards[:2]), [cards[2], *(card for card in pack if card not in cards)][:3]
        legal = rules.legal_plays(hand, trick, ruleset)
        assert legal
        assert set(legal) <= set(hand)
        winners = [card for card in hand if rules.winning_card([*trick, card]) == card]
        if trick[0][1] not in [card[1] for card in hand] and winners:
            assert set(legal) == set(winners)


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("2H 3H 4H AD", 2), ("2H 2S AH KH", 1), ("2H 2S AS KS", 2), ("KD AC AH QD", 0), ("3S 2S KS AS", 3)],
)
def test_the_highest_spade_wins_else_the_highest_of_the_suit_led(trick, winner):
    assert rules.trick_winner(0, trick.split()) == winner
    assert rules.trick_winner(3, trick.split()) == (3 + winner) % 4


@pytest.mark.parametrize(
    ("bid", "taken", "tenths"), [(4, 3, -40), (4, 4, 40), (5, 5, 50), (5, 7, 52), (1, 13, 22), (13, 13, 130)]
)
def test_overtricks_score_a_tenth_each(bid, taken, tenths):
    assert rules.score_tenths(bid, taken, rules.LITE) == tenths
    assert rules.score_tenths(bid, taken, rules.CALL_BREAK_2) == tenths


@pytest.mark.parametrize(
    ("bid", "taken", "tenths"),
    [(4, 3, -40), (4, 4, 40), (4, 5, 40), (4, 6, -40), (9, 8, -90), (9, 9, 130), (9, 10, 130), (9, 11, -90),
     (8, 8, 130), (7, 8, 70)],
)  # fmt: skip
def test_exact_or_one_over_with_its_bonus(bid, taken, tenths):
    assert rules.score_tenths(bid, taken, rules.MASTER) == tenths


def test_house_rules_of_scoring():
    bonus, worthless = rules.LITE | {"bonus_bid": True}, rules.LITE | {"overtrick_tenths": 0}
    assert rules.score_tenths(8, 10, bonus) == 130
    assert rules.score_tenths(7, 10, bonus) == 73
    assert rules.score_tenths(8, 7, bonus) == -80
    assert rules.score_tenths(5, 9, worthless) == 50
    assert rules.score_tenths(9, 9, rules.MASTER | {"bonus_bid": False}) == 90


def test_the_three_rulesets_are_the_published_ones():
    published = {
        name: (each["rounds"], each["min_bid"], each["max_bid"], each["must_head"], each["seating"], each["scoring"])
        for name, each in rules.RULESETS.items()
    }
    assert published == {
        "call-break-2": (5, 1, 13, True, "draw", "overtricks"),
        "master": (None, 2, 13, False, "random", "exact-or-one-over"),
        "lite": (5, 1, 13, True, "random", "overtricks"),
    }
    assert rules.legal_bids(rules.MASTER) == list(range(2, 14))
    assert [rules.last_round_number(each) for each in (rules.LITE, rules.MASTER)] == [5, 250]


def test_equal_totals_share_a_place():
    assert rules.places([30, 20, 20, 10]) == [1, 2, 2, 4]
    assert rules.places([5, 5, 5, 5]) == [1, 1, 1, 1]
    assert rules.places([-10, 0, 7, -10]) == [3, 2, 1, 3]


def test_the_gaps_are_each_rivals_total_minus_ones_own():
    sides = rules.sides_of_final_round([52, -40, 0, 3])
    assert sides[1] == {"seat": 1, "total": "-4.0", "gaps": ["9.2", "0.0", "4.0", "4.3"]}


def test_the_draw_goes_by_rank_then_spades_hearts_diamonds_clubs():
    assert rules.seats_by_draw(["9C", "9S", "9D", "9H"]) == [3, 0, 2, 1]
    assert rules.seats_by_draw(["2S", "AC", "AD", "KS"]) == [3, 1, 0, 2]


def test_redeals_are_owed_for_what_the_table_switched_on():
    no_spade = ["AH", *(rank + "C" for rank in rules.RANKS[:12])]
    no_honour = ["2S", *(rank + suit for suit in "HD" for rank in "345678")]
    hands = [["AS"], no_spade, no_honour, ["KS"]]
    both = rules.LITE | {"redeal_no_spade": True, "redeal_no_honour": True}
    assert rules.redeals_owed(hands, both) == [("no_spade", 1), ("no_honour", 2)]
    assert rules.redeals_owed(hands, rules.LITE) == []


def test_bids_are_low_below_ten_together():
    low = rules.LITE | {"redeal_low_bids": True}
    assert rules.is_redeal_for_low_bids([1, 2, 3, 3], low)
    assert not rules.is_redeal_for_low_bids([1, 2, 3, 4], low)
    assert not rules.is_redeal_for_low_bids([1, 1, 1, 1], rules.LITE)


@pytest.mark.parametrize("text", ["5", "5.20", "-0.0", "+5.0", "05.0", "5,0", " 5.0", ""])
def test_a_score_has_exactly_one_decimal(text):
    with pytest.raises(ValueError, match=r".*"):
        rules.tenths(text)


def test_scores_are_read_as_they_are_written():
    assert [rules.tenths(rules.points(number)) for number in range(-133, 700)] == list(range(-133, 700))
