"""What a hand scores, and who wins."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import examples, scoring
from games.rules.ruleset import CALL_BREAK_2, LITE, MASTER, Ruleset, customised
from games.rules.scoring import gaps, places, points, score_tenths
from tests.rules.playing import rulesets

bids = st.integers(1, 13)
tricks = st.integers(0, 13)
totals = st.lists(st.integers(-3000, 3000) | st.integers(-2, 2), min_size=4, max_size=4)


@pytest.mark.parametrize("ruleset", [CALL_BREAK_2, LITE])
@pytest.mark.parametrize(
    ("bid", "taken", "score"),
    [(4, 3, "-4.0"), (4, 4, "4.0"), (5, 5, "5.0"), (5, 7, "5.2"), (1, 13, "2.2"), (1, 0, "-1.0"), (13, 13, "13.0"),
     (13, 12, "-13.0"), (8, 8, "8.0"), (3, 13, "4.0")],
)  # fmt: skip
def test_overtricks_add_a_tenth_each(ruleset: Ruleset, bid: int, taken: int, score: str) -> None:
    assert points(score_tenths(bid, taken, ruleset)) == score


@pytest.mark.parametrize(
    ("bid", "taken", "score"),
    [(4, 4, "4.0"), (4, 5, "4.0"), (4, 3, "-4.0"), (4, 6, "-4.0"), (9, 9, "13.0"), (9, 10, "13.0"), (9, 8, "-9.0"),
     (9, 11, "-9.0"), (7, 7, "7.0"), (7, 8, "7.0"), (8, 8, "13.0"), (8, 9, "13.0"), (8, 10, "-8.0"), (13, 13, "13.0"),
     (13, 12, "-13.0"), (2, 0, "-2.0"), (2, 13, "-2.0")],
)  # fmt: skip
def test_exact_or_one_over_pays_the_bid_and_the_bonus(bid: int, taken: int, score: str) -> None:
    assert points(score_tenths(bid, taken, MASTER)) == score


@pytest.mark.parametrize("example", examples.SCORES, ids=str)
def test_the_examples_of_scores_that_the_pages_show(example: examples.ScoreExample) -> None:
    rules = customised(example.ruleset, example.options)
    assert points(score_tenths(example.bid, example.tricks, rules)) == example.points


@pytest.mark.parametrize(
    ("options", "bid", "taken", "score"),
    [
        ({"bonus_bid": True}, 8, 8, "13.0"),
        ({"bonus_bid": True}, 8, 12, "13.0"),
        ({"bonus_bid": True}, 8, 7, "-8.0"),
        ({"bonus_bid": True}, 7, 9, "7.2"),
        ({"overtrick_tenths": 0}, 5, 7, "5.0"),
        ({"overtrick_tenths": 0}, 5, 4, "-5.0"),
        ({"overtrick_tenths": 0, "bonus_bid": True}, 10, 13, "13.0"),
        ({"scoring": "exact-or-one-over"}, 9, 10, "9.0"),
        ({"scoring": "exact-or-one-over"}, 9, 11, "-9.0"),
        ({"scoring": "exact-or-one-over", "overtrick_tenths": 1}, 4, 5, "4.0"),
    ],
)
def test_house_rules_change_what_a_bid_is_worth(options: dict[str, object], bid: int, taken: int, score: str) -> None:
    assert points(score_tenths(bid, taken, customised("custom", options))) == score


@given(bids, tricks, rulesets)
def test_a_score_is_a_whole_number_of_tenths_and_loses_the_bid_or_wins_it(
    bid: int, taken: int, ruleset: Ruleset
) -> None:
    score = score_tenths(bid, taken, ruleset)
    assert type(score) is int
    assert score == -10 * bid or 10 * bid <= score <= 130
    if taken < bid:
        assert score == -10 * bid
    if taken == bid:
        assert score > 0


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([40, 30, 20, 10], (1, 2, 3, 4)),
        ([10, 20, 30, 40], (4, 3, 2, 1)),
        ([52, 13, 13, -40], (1, 2, 2, 4)),
        ([5, 5, 5, 5], (1, 1, 1, 1)),
        ([0, 7, 7, 0], (3, 1, 1, 3)),
        ([-10, -10, -10, -20], (1, 1, 1, 4)),
        ([9, 9, 8, 7], (1, 1, 3, 4)),
    ],
)
def test_equal_totals_share_a_place(scores: list[int], expected: tuple[int, ...]) -> None:
    assert places(scores) == expected


@given(totals)
def test_places_follow_the_totals(scores: list[int]) -> None:
    found = places(scores)
    assert min(found) == 1
    for one in range(4):
        assert found[one] == 1 + sum(score > scores[one] for score in scores)
        for other in range(4):
            assert (found[one] < found[other]) == (scores[one] > scores[other])


@given(totals, st.integers(0, 3))
def test_a_gap_is_what_a_rival_has_more(scores: list[int], seat: int) -> None:
    found = gaps(scores, seat)
    assert found[seat] == 0
    assert [scores[seat] + gap for gap in found] == scores


@pytest.mark.parametrize(
    ("tenths", "text"),
    [(0, "0.0"), (1, "0.1"), (-1, "-0.1"), (52, "5.2"), (-40, "-4.0"), (1300, "130.0"), (-9, "-0.9")],
)
def test_points_have_exactly_one_decimal(tenths: int, text: str) -> None:
    assert points(tenths) == text


@given(st.integers(-(10**6), 10**6))
def test_points_say_the_same_number(tenths: int) -> None:
    whole, decimal = points(tenths).split(".")
    sign = -1 if whole.startswith("-") else 1
    assert len(decimal) == 1
    assert sign * (10 * abs(int(whole)) + int(decimal)) == tenths


def test_no_floating_point_anywhere_in_the_rules() -> None:
    for path in Path(scoring.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            where = f"{path.name}:{getattr(node, 'lineno', '')}"
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
            assert not (isinstance(node, ast.Name) and node.id in {"float", "Decimal", "round"}), where
            assert not isinstance(node, ast.Div), where
