"""A proof holds or is caught, and tells what a player can compare."""

from typing import Any

import pytest

from games.rules.cards import name
from games.rules.proof import told_by_proof, wrong_in_proof
from games.rules.shuffle import SCHEME, commitment, deal_key, deck

GAME_ID, SECRET = bytes(range(16)), bytes(range(32))
SEEDS = [bytes([k + 1]) * 32 for k in range(4)]


def proof(number: int = 1, redeals: int = 0) -> dict[str, Any]:
    made = deck(deal_key(SECRET, GAME_ID, number, SEEDS, redeals))
    return {
        "scheme": SCHEME,
        "game_id": GAME_ID.hex(),
        "round": number,
        "dealer": 3 if number else None,
        "redeals": redeals,
        "commitment": commitment(GAME_ID, number, SECRET).hex(),
        "server_seed": SECRET.hex(),
        "seat_seeds": [seed.hex() for seed in SEEDS],
        "deck": [name(card) for card in made],
        "joined": None if number else [2, 0, 1, 3],
    }


@pytest.mark.parametrize(("number", "redeals"), [(0, 0), (1, 0), (1, 3), (250, 1)])
def test_a_true_proof_holds(number: int, redeals: int) -> None:
    assert wrong_in_proof(proof(number, redeals)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"server_seed": bytes(32).hex()},
        {"server_seed": None},
        {"commitment": bytes(32).hex()},
        {"seat_seeds": [bytes(32).hex()] * 4},
        {"deck": proof()["deck"][::-1]},
        {"redeals": 1},
        {"round": 2},
        {"game_id": bytes(16).hex()},
        {"scheme": "another/1"},
    ],
    ids=str,
)
def test_a_changed_proof_does_not(change: dict[str, Any]) -> None:
    assert wrong_in_proof(proof() | change)


def test_joiners_on_one_seat_are_caught() -> None:
    assert wrong_in_proof(proof(0) | {"joined": [0, 0, 1, 2]})


def test_it_tells_the_hand_of_the_test_vector() -> None:
    told = told_by_proof(proof())
    assert "seat 0 holds 9S 4S KH QH 9H 6H 5H AC 7C KD 6D 4D 3D" in told
    assert proof()["commitment"] in told[0]


def test_it_tells_who_drew_what() -> None:
    told = told_by_proof(proof(0))
    first = proof(0)["deck"][0]
    assert f"seat 2: {first}" in told[1]
