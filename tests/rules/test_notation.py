"""The parts of a written record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.notation import Headers, Lines, RecordError, at_line, header, options_text, ruleset_of
from games.rules.ruleset import RULESETS, OptionErrors, Ruleset
from tests.rules.playing import house_rules, rulesets


def test_blank_lines_are_passed_over_but_counted() -> None:
    lines = Lines("\n  one 1\r\n\n\ttwo 2  \n\n")
    assert (lines.take("one …", "one (.)"), lines.number) == (("1",), 2)
    assert (lines.take_if("three (.)"), lines.number) == (None, 2)
    assert lines.are_left
    assert (lines.take_if("two (.)"), lines.number) == (("2",), 4)
    assert not lines.are_left


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "Line 1: expected 'one', not the end"), ("\n\ntwo", "Line 3: expected 'one', not 'two'")],
)
def test_a_line_that_is_not_the_expected_one_is_named(text: str, message: str) -> None:
    with pytest.raises(RecordError) as refusal:
        Lines(text).take("one", "one")
    assert str(refusal.value) == message


def test_the_end_comes_after_the_last_line_read() -> None:
    lines = Lines("one\n\n")
    lines.take("one", "one")
    with pytest.raises(RecordError, match="Line 2: expected 'two', not the end"):
        lines.take("two", "two")


def test_a_text_is_checked_line_by_line() -> None:
    Lines("one\n\ntwo\n").check("one\ntwo")
    with pytest.raises(RecordError, match="Line 3: expected 'three', not 'two'"):
        Lines("one\n\ntwo\n").check("one\nthree")


def test_an_error_about_a_line_names_it() -> None:
    with pytest.raises(RecordError, match="Line 7: no good"), at_line(7):
        raise ValueError("no good")


def test_headers_are_found_by_name_in_their_order() -> None:
    lines = Lines('[Game "1"]\n[Seat0 "ann \\"the ace\\""]\nround 1')
    headers = Headers(lines)
    assert headers.values == {"Game": "1", "Seat0": 'ann "the ace"'}
    assert headers["Seat0"] == 'ann "the ace"'
    assert lines.are_left


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Game "1"]\n[Game "2"]', "Line 2: the header Game is there twice"),
        ('[Game "1" "2"]', "Line 1: Extra data"),
        ('[Game "\\x"]', "Line 1: Invalid"),
        ('[Game "1"]\nround 1', "Line 2: the header Seat0 is missing"),
        ("[Game 1]", "Line 1: the header Seat0 is missing"),
        ("", "Line 1: the header Seat0 is missing"),
    ],
)
def test_a_wrong_header_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        assert Headers(Lines(text))["Seat0"]


@given(st.text())
def test_any_text_can_stand_in_a_header(value: str) -> None:
    assert Headers(Lines(header("Game", value)))["Game"] == value


@pytest.mark.parametrize("name", ["", "game", "Two words", 'Game "1"] [Seat0', "Spiel-Nr", "G\n"])
def test_a_header_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a header"):
        header(name, "1")


@given(rulesets)
def test_a_ruleset_in_a_few_words_is_read_back(ruleset: Ruleset) -> None:
    assert ruleset_of(ruleset.name, options_text(ruleset)) == ruleset


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_a_published_ruleset_needs_no_options(ruleset: Ruleset) -> None:
    assert options_text(ruleset) == ""


@given(house_rules)
def test_only_what_differs_is_written(ruleset: Ruleset) -> None:
    for word in options_text(ruleset).split():
        option, _ = word.split("=")
        assert getattr(ruleset, option) != getattr(ruleset_of(ruleset.name, ""), option)


@pytest.mark.parametrize(
    "options", ["rounds", "rounds=3 rounds=3", "rounds=[3]", "rounds=21", "rounds=three", "jokers=2", "rounds=NaN"]
)
def test_options_that_mean_nothing_are_refused(options: str) -> None:
    with pytest.raises(ValueError, match=r"rounds|jokers"):
        ruleset_of("lite", options)


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(OptionErrors, match="Must be one of"):
        ruleset_of("spades", "")
