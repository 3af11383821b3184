"""Cards and secrets are found wherever they hide."""

import pytest

from . import deal, leaks
from .shapes import Wrong

GAME_ID = bytes(16)


@pytest.mark.parametrize(
    "text",
    [
        '"AS"',
        "hand=AS",
        "/cards/AS.png",
        "AS,KD",
        "A♠",
        "♠A",
        "A ♠",
        "the Ace of Spades",
        "ace of spades.",
        "[AS]",
        "-AS-",
    ],
)
def test_a_card_is_found_in_any_spelling(text):
    assert "AS" in leaks.cards_in_text(text)


@pytest.mark.parametrize("text", ["10H", "10♥", "ten of hearts", "TH", "10 of hearts"])
def test_a_ten_is_a_ten_however_it_is_written(text):
    assert leaks.cards_in_text(text) == {"TH"}


@pytest.mark.parametrize(
    "text", ["LAST", "abASc", "cursor=cD0y%3D%2C", "0a2c4d", "2026-11-30T08:55:51Z", "cb_xAS9", "ASD"]
)
def test_what_is_no_card_is_not_taken_for_one(text):
    assert leaks.cards_in_text(text) == set()


def test_cards_are_found_in_the_names_of_fields_too():
    assert leaks.cards_in({"a": [{"KD": 1}], "b": "2C"}) == {"KD", "2C"}


@pytest.mark.parametrize("number", [1 << 51, 10**7, -(10**9), 0.5])
def test_a_number_that_may_be_a_hand_is_found(number):
    with pytest.raises(Wrong):
        leaks.check_no_number_is_a_hand({"seats": [{"x": number}]})


def test_small_numbers_and_flags_are_no_hands():
    leaks.check_no_number_is_a_hand({"version": 14000, "seconds_left": 1209600, "flag": True})


def test_a_secret_is_known_by_its_commitment():
    secrets = [bytes([number]) * 32 for number in range(3)]
    rows = [{"round": number, "hash": deal.commitment(GAME_ID, number, secrets[number])} for number in range(3)]
    watch = leaks.Secrets({"game_id": GAME_ID.hex(), "commitments": rows})
    text = f'{{"a": "{secrets[1].hex()}", "b": "{rows[2]["hash"]}", "c": "{"0f" * 32}"}}'
    assert watch.rounds_shown(text) == {1}
    watch.check(text, {0, 1})
    with pytest.raises(Wrong, match="before its time"):
        watch.check(text.upper(), {0})
