"""The dealing scheme, against the vector published with it and by its own arithmetic."""

import ast
import hashlib
import hmac
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import shuffle
from games.rules.cards import card, cards, name, show
from games.rules.examples import DRAW
from games.rules.shuffle import SCHEME, commitment, deal, deal_key, deck, draw_order, first_dealer, first_word

GAME_ID = bytes(range(16))
SECRET = bytes(range(32))
SEAT_SEEDS = [bytes([place + 1]) * 32 for place in range(4)]
KEY = deal_key(SECRET, GAME_ID, 1, SEAT_SEEDS)

keys = st.binary(min_size=32, max_size=32)


def test_the_scheme_has_a_name() -> None:
    assert SCHEME == "callbreak-deal/1"


def test_the_commitment_of_the_published_vector() -> None:
    expected = "8d8a5821fa08fc21ada08dc740ada2d295f157163d9e25a707fa5ea1f10b254e"
    assert commitment(GAME_ID, 1, SECRET).hex() == expected


def test_the_deck_of_the_published_vector() -> None:
    assert [name(dealt) for dealt in deck(KEY)[:13]] == "6H 5D KS 9D 6D 8H 5C QD KH 2H TD QC 5H".split()


def test_the_hand_of_the_published_vector() -> None:
    assert show(deal(deck(KEY), dealer=3)[0]) == show(cards("7C AC 3D 4D 6D KD 5H 6H 9H QH KH 4S 9S"))


def test_the_key_is_a_keyed_hash_of_the_fields_each_with_its_length() -> None:
    fields = [b"callbreak-deal/1", GAME_ID, b"\x01", *SEAT_SEEDS]
    joined = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    assert hmac.new(SECRET, joined, hashlib.sha256).digest() == KEY
    again = hmac.new(SECRET, joined + b"\x00\x00\x00\x01\x02", hashlib.sha256).digest()
    assert again == deal_key(SECRET, GAME_ID, 1, SEAT_SEEDS, redeal=2)


@given(keys)
def test_the_deck_is_the_fisher_yates_shuffle_of_the_words(key: bytes) -> None:
    blocks = b"".join(hmac.new(key, n.to_bytes(8, "big"), hashlib.sha256).digest() for n in range(20))
    words = [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, len(blocks), 4)]
    assert first_word(key) == words[0]
    pile = list(range(52))
    for top in range(51, 0, -1):
        while words[0] >= 2**32 // (top + 1) * (top + 1):
            words.pop(0)
        index = words.pop(0) % (top + 1)
        pile[top], pile[index] = pile[index], pile[top]
    assert deck(key) == tuple(pile)


def test_words_that_would_favour_small_numbers_are_left_out() -> None:
    assert shuffle._below(52, iter([2**32 - 1, 2**32 // 52 * 52, 53])) == 1
    assert shuffle._below(52, iter([2**32 // 52 * 52 - 1, 53])) == 51
    assert shuffle._below(32, iter([2**32 - 1])) == 31


@given(keys)
def test_a_deck_has_every_card_once(key: bytes) -> None:
    assert sorted(deck(key)) == list(range(52))


@given(keys, st.integers(0, 3))
def test_cards_go_round_one_by_one_from_the_seat_after_the_dealer(key: bytes, dealer: int) -> None:
    dealt = deck(key)
    hands = deal(dealt, dealer)
    assert [hand.bit_count() for hand in hands] == [13] * 4
    for place, each in enumerate(dealt):
        assert hands[(dealer + 1 + place) % 4] >> each & 1


def test_every_part_of_the_proof_changes_the_deal() -> None:
    other = b"\xff" * 32
    all_keys = [
        KEY,
        deal_key(other, GAME_ID, 1, SEAT_SEEDS),
        deal_key(SECRET, other[:16], 1, SEAT_SEEDS),
        deal_key(SECRET, GAME_ID, 2, SEAT_SEEDS),
        *(deal_key(SECRET, GAME_ID, 1, [*SEAT_SEEDS[:k], other, *SEAT_SEEDS[k + 1 :]]) for k in range(4)),
        deal_key(SECRET, GAME_ID, 1, SEAT_SEEDS[::-1]),
        *(deal_key(SECRET, GAME_ID, 1, SEAT_SEEDS, redeal) for redeal in (1, 2, 3)),
    ]
    assert len({deck(key) for key in all_keys}) == len(all_keys)
    assert len({commitment(GAME_ID, round_number, SECRET) for round_number in range(251)}) == 251


@given(keys)
def test_the_first_dealer_is_the_first_word_modulo_four(key: bytes) -> None:
    block = hmac.new(key, bytes(8), hashlib.sha256).digest()
    assert first_word(key) == int.from_bytes(block[:4], "big")
    assert first_dealer(key) == block[3] % 4


@pytest.mark.parametrize("drawn", list(permutations(["AS", "AH", "AD", "AC"])))
def test_of_equal_ranks_spades_come_first_then_hearts_diamonds_clubs(drawn: tuple[str, ...]) -> None:
    assert draw_order([card(text) for text in drawn]) == tuple("SHDC".index(text[1]) for text in drawn)


@pytest.mark.parametrize(
    ("drawn", "seats"),
    [("2C 3C 4C 5C", (3, 2, 1, 0)), ("2S AC KS 3S", (3, 0, 1, 2)), ("TC 9S JD TS", (2, 3, 0, 1))],
)
def test_the_highest_card_drawn_sits_first_whatever_its_suit(drawn: str, seats: tuple[int, ...]) -> None:
    assert draw_order([card(text) for text in drawn.split()]) == seats


def test_the_draw_that_the_pages_show_gives_the_seats_that_they_tell() -> None:
    assert draw_order([card(text) for text, _ in DRAW]) == tuple(seat for _, seat in DRAW)


@given(keys)
def test_only_the_first_four_cards_are_drawn_and_each_joiner_gets_a_seat(key: bytes) -> None:
    order = draw_order(deck(key))
    assert sorted(order) == [0, 1, 2, 3]
    assert order == draw_order(deck(key)[:4])


FORBIDDEN = {
    "random",
    "secrets",
    "os",
    "time",
    "datetime",
    "logging",
    "uuid",
    "django",
    "rest_framework",
    "celery",
    "redis",
}


def test_the_rules_import_no_chance_no_clock_and_no_service() -> None:
    for path in Path(shuffle.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                imported = [node.module or ""]
            assert FORBIDDEN.isdisjoint(module.split(".")[0] for module in imported), f"{path.name}: {imported}"
