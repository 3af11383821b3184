"""Finished games as text, and games that were written down once and must come out the same for ever."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import card, cards
from games.rules.notation import RecordError
from games.rules.record import Record, read, replay, write
from games.rules.ruleset import CALL_BREAK_2, LITE, MASTER, Ruleset, customised
from games.rules.scoring import places
from games.rules.state import IllegalAct, Phase
from tests.rules.playing import end_of_game, four, record_of_game, rulesets, seeds

GOLDEN = Path(__file__).parent / "golden"
ALL_HOUSE_RULES = customised(
    "custom",
    {
        "rounds": None,
        "min_bid": 2,
        "max_bid": 12,
        "must_head": False,
        "bonus_bid": True,
        "overtrick_tenths": 0,
        "seating": "draw",
        "redeal_no_spade": True,
        "redeal_no_honour": True,
        "redeal_low_bids": True,
    },
)
GOLDEN_GAMES = [("call-break-2", CALL_BREAK_2), ("master", MASTER), ("lite", LITE), ("house-rules", ALL_HOUSE_RULES)]
golden_games = pytest.mark.parametrize(("file", "ruleset"), GOLDEN_GAMES, ids=[file for file, _ in GOLDEN_GAMES])
SEED = 182

ONE_ROUND = customised("call-break-2", {"rounds": 1, "redeal_no_spade": True})


@golden_games
def test_a_golden_game_is_played_the_same_way_again(file: str, ruleset: Ruleset) -> None:
    assert write(record_of_game(ruleset, SEED)) == (GOLDEN / f"{file}.txt").read_text("utf-8")


@golden_games
def test_a_golden_game_is_read_and_ends_as_it_says(file: str, ruleset: Ruleset) -> None:
    record = read((GOLDEN / f"{file}.txt").read_text("utf-8"))
    assert record.ruleset == ruleset
    assert replay(record).totals_tenths == end_of_game(ruleset, SEED).totals_tenths


@settings(max_examples=30)
@given(rulesets, seeds)
def test_a_game_is_read_back_exactly_as_it_was_written(ruleset: Ruleset, seed: int) -> None:
    record = record_of_game(ruleset, seed)
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text


@settings(max_examples=30)
@given(rulesets, seeds)
def test_a_replay_ends_where_the_game_ended(ruleset: Ruleset, seed: int) -> None:
    end, again = end_of_game(ruleset, seed), replay(record_of_game(ruleset, seed))
    assert (again.phase, again.rounds, again.totals_tenths) == (Phase.OVER, end.rounds, end.totals_tenths)
    assert (again.round_number, again.dealer, again.last_trick) == (end.round_number, end.dealer, end.last_trick)
    if ruleset.rounds is not None:
        assert again == end


@given(
    st.lists(st.text(), min_size=4, max_size=4),
    st.dictionaries(st.from_regex("[A-Z][a-z]{9}", fullmatch=True), st.text()),
)
def test_names_and_tags_may_be_any_text(names: list[str], tags: dict[str, str]) -> None:
    record = replace(record_of_game(ONE_ROUND, 1), names=four(names), tags=tuple(tags.items()))
    assert read(write(record)) == record


def test_windows_line_ends_and_indents_are_read_as_well() -> None:
    text = write(record_of_game(LITE, 1))
    assert read(text.replace("\n", "\r\n")) == read(text.replace("\n", "\n  ")) == read(text)


@pytest.mark.parametrize("reasons", [[], ["no_spade 2"], ["no_spade 0", "no_spade 0", "no_spade 3"]])
def test_the_reasons_of_redeals_are_kept(reasons: list[str]) -> None:
    record = record_of_game(ONE_ROUND, 1)
    redeals = tuple((reason.split()[0], int(reason.split()[1])) for reason in reasons)
    text = write(replace(record, rounds=(replace(record.rounds[0], redeals=redeals),)))
    assert [line for line in text.split("\n") if "redealt" in line] == [f"redealt: {reason}" for reason in reasons]
    assert replay(read(text)).redeals == len(reasons)


def test_a_bot_in_place_of_the_owner_is_marked() -> None:
    record = record_of_game(ONE_ROUND, 1)
    played = replace(record.rounds[0], stand_ins=frozenset({3, 4, 55}))
    lines = write(replace(record, rounds=(played,))).split("\n")
    starred = [line for line in lines if "*" in line]
    assert [line.split(":")[0] for line in starred] == ["bids", "trick 1, led by 1", lines[-4].split(":")[0]]
    assert starred[0].split()[1].endswith("*")  # seat 0 deals, so the fourth bid is its own
    assert starred[1].split()[5].endswith("*")
    assert starred[2].endswith("*")


# Texts that are no record

TEXT = write(record_of_game(ONE_ROUND, 1))


def line_of(start: str) -> int:
    return next(number for number, line in enumerate(TEXT.split("\n"), 1) if line.startswith(start))


def test_the_text_that_the_next_tests_spoil_is_a_record() -> None:
    assert read(TEXT).ruleset == ONE_ROUND


@pytest.mark.parametrize(
    ("start", "spoilt", "message"),
    [
        ('[Rules "1"]', '[Rules "2"]', "Only rules version 1"),
        ('[Rules "1"]', "", "the header Rules is missing"),
        ('[Ruleset "call-break-2"]', '[Ruleset "spades"]', "Must be one of"),
        ('[Ruleset "call-break-2"]', '[Ruleset "lite"]', "No cards are drawn"),
        ('[Options "rounds=1', '[Options "rounds=99', "Must be a whole number"),
        ('[Options "rounds=1', '[Options "rounds=2', "not over"),
        ("[Seat2", "[Seat0", "the header Seat0 is there twice"),
        ("[Drawn", "[Drown", "cards drawn for seats are missing"),
        ('[Drawn "', '[Drawn "AS ', "Four cards are drawn"),
        ('[Drawn "', '[Drawn "X', "is not a card"),
        ('[Totals "', '[Totals "1', "expected '.Totals"),
        ('[Places "', '[Places "1', "expected '.Places"),
        ("round 1,", "round 2,", "expected 'round 1, dealt by 0'"),
        ("round 1, dealt by 0", "round 1, dealt by 1", "may not be played"),
        ("round 1, dealt by 0", "round 1, dealt by 4", "expected 'round …, dealt by …'"),
        ("hand 0: ", "redealt: low_bids\nhand 0: ", "no reason to deal again"),
        ("hand 0: ", "redealt: no_spade 1\n" * 4 + "hand 0: ", "3 times at most"),
        ("hand 0: ", "hand 1: ", "expected 'hand 0: …'"),
        ("hand 1: ", "hand 1: X", "is not a card"),
        ("hand 2: ", "hand 2: AS KS QS ", "twice|not a pack"),
        ("bids: ", "bids: 3 ", "expected 'bids: … … … …'"),
        ("bids: ", "bids: 9", "out of range"),
        ("trick 1, led by 1:", "trick 2, led by 1:", "expected 'trick 1"),
        ("trick 1, led by 1:", "trick 1, led by 2:", "expected 'trick 1, led by 1: "),
        ("trick 1, led by 1: ", "trick 1, led by 1: AS ", "expected 'trick 1, led by …: … … … …'"),
        ("tricks: ", "tricks: 1", "expected 'tricks: "),
        ("scores: ", "scores: 1", "expected 'scores: "),
        ("scores: ", "score: ", "expected 'scores: …'"),
    ],
)  # fmt: skip
def test_a_spoilt_line_is_refused_with_its_number(start: str, spoilt: str, message: str) -> None:
    assert TEXT.count("\n" + start) == 1
    with pytest.raises(RecordError, match=rf"^Line \d+: .*({message})"):
        read(TEXT.replace("\n" + start, "\n" + spoilt))


@pytest.mark.parametrize("start", ["[Places", "hand 3", "bids", "trick 7", "trick 13", "tricks", "scores"])
def test_a_missing_line_is_named_by_the_line_that_stands_there(start: str) -> None:
    lines = TEXT.split("\n")
    number = line_of(start)
    del lines[number - 1]
    with pytest.raises(RecordError, match=r"^Line \d+: ") as refusal:
        read("\n".join(lines))
    assert abs(int(str(refusal.value).split(":")[0].removeprefix("Line ")) - number) <= 1


def test_an_illegal_card_is_named_by_the_line_of_its_trick() -> None:
    lines = TEXT.split("\n")
    number = line_of("trick 2")
    words = lines[number - 1].split(" ")
    words[-1] = lines[line_of("trick 1") - 1].split(" ")[-1].removesuffix("*")
    lines[number - 1] = " ".join(words)
    with pytest.raises(RecordError, match=f"Line {number}: The card is not held"):
        read("\n".join(lines))


def test_a_round_dealt_out_of_turn_is_named_by_its_first_line() -> None:
    lines = write(record_of_game(LITE, 1)).split("\n")
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("round 2"))
    lines[number - 1] = f"round 2, dealt by {(int(lines[number - 1][-1]) + 1) % 4}"
    with pytest.raises(RecordError, match=f"Line {number}: It is for seat . to deal"):
        read("\n".join(lines))


def test_a_second_game_in_the_same_text_is_refused() -> None:
    with pytest.raises(RecordError, match="expected 'round"):
        read(TEXT + TEXT)


def test_a_round_too_many_is_refused() -> None:
    played = TEXT[TEXT.index("round 1") :]
    with pytest.raises(RecordError, match="No round has to be dealt"):
        read(TEXT + "\n" + played.replace("round 1", "round 2"))


@settings(max_examples=200)
@given(st.data())
def test_whatever_is_done_to_a_text_it_is_read_or_refused_by_line(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT)))
    end = data.draw(st.integers(start, min(len(TEXT), start + 30)))
    spoilt = TEXT[:start] + data.draw(st.text(alphabet=st.sampled_from(sorted(set(TEXT))), max_size=10)) + TEXT[end:]
    try:
        record = read(spoilt)
    except RecordError as error:
        assert str(error).startswith("Line ")
    else:
        assert read(write(record)) == record


@given(st.text())
def test_no_text_crashes_the_reader(text: str) -> None:
    with pytest.raises(RecordError, match="Line"):
        read(text)


# Records that cannot have been played


GOOD = record_of_game(ONE_ROUND, 1)
ROUND = GOOD.rounds[0]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (replace(GOOD, rounds=()), "has a round"),
        (replace(GOOD, rounds=(ROUND, ROUND)), "deal"),
        (replace(GOOD, ruleset=LITE), "No cards are drawn"),
        (replace(GOOD, ruleset=LITE, drawn=None), "not over"),
        (replace(GOOD, drawn=None), "missing"),
        (replace(GOOD, drawn=(card("AS"), card("AS"), card("2C"), card("3C"))), "drawn twice"),
        (replace(GOOD, drawn=(card("AS"), card("2C"), card("3C"), card("4C"))), "highest first"),
        (replace(GOOD, rounds=(replace(ROUND, dealer=1),)), "deals first"),
        (replace(GOOD, rounds=(replace(ROUND, bids=(0, 1, 1, 1)),)), "out of range"),
        (replace(GOOD, rounds=(replace(ROUND, plays=ROUND.plays[:-1]),)), "52 plays"),
        (replace(GOOD, rounds=(replace(ROUND, plays=ROUND.plays[::-1]),)), "not held or may not"),
        (replace(GOOD, rounds=(replace(ROUND, plays=(*ROUND.plays[:-1], 99)),)), "not held or may not"),
        (replace(GOOD, rounds=(replace(ROUND, dealt=(*ROUND.dealt[:3], cards("AS"))),)), "not a pack"),
        (replace(GOOD, rounds=(replace(ROUND, redeals=(("low_bids", None),)),)), "no reason"),
    ],
)
def test_what_cannot_have_been_played_is_neither_replayed_nor_written(record: Record, message: str) -> None:
    with pytest.raises(IllegalAct, match=message):
        replay(record)
    with pytest.raises(IllegalAct, match=message):
        write(record)


@pytest.mark.parametrize("tags", [(("Seat0", "eve"),), (("Game", "1"), ("Game", "2"))])
def test_a_tag_cannot_stand_in_for_another_header(tags: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="same name"):
        write(replace(GOOD, tags=tags))


def test_equal_totals_share_a_place_in_the_text() -> None:
    text = write(GOOD)
    totals = replay(GOOD).totals_tenths
    assert f'[Places "{" ".join(map(str, places(totals)))}"]' in text
