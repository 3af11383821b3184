"""The verifier of deals accepts what the scheme gives and nothing else."""

import json

import pytest

from . import deal

GAME_ID = bytes(range(16))
SECRET = bytes(range(32))
SEEDS = [bytes([seat + 1]) * 32 for seat in range(4)]


@pytest.fixture
def proof():
    deck = deal.shuffled(deal.key_of(SECRET, GAME_ID, 1, SEEDS))
    return {
        "scheme": "callbreak-deal/1", "game_id": GAME_ID.hex(), "round": 1, "dealer": 3, "redeals": 0,
        "commitment": deal.commitment(GAME_ID, 1, SECRET), "server_seed": SECRET.hex(),
        "seat_seeds": [seed.hex() for seed in SEEDS], "deck": deck,
    }  # fmt: skip


@pytest.fixture
def fairness(proof):
    commitments = [{"round": 1, "hash": proof["commitment"]}]
    return {"game_id": proof["game_id"], "commitments": commitments, "seat_seeds": proof["seat_seeds"]}


def test_the_published_vector_holds(proof):
    assert proof["commitment"] == "8d8a5821fa08fc21ada08dc740ada2d295f157163d9e25a707fa5ea1f10b254e"
    assert proof["deck"][:13] == "6H 5D KS 9D 6D 8H 5C QD KH 2H TD QC 5H".split()
    hand = sorted(deal.hands_of(proof["deck"], 3)[0], key=deal.PACK.index)
    assert hand == "7C AC 3D 4D 6D KD 5H 6H 9H QH KH 4S 9S".split()


def test_a_true_proof_has_no_fault(proof, fairness):
    assert deal.faults_of(proof) == []
    assert deal.faults_of(proof, fairness) == []


def test_hex_is_read_in_either_case(proof):
    for field in ("game_id", "commitment", "server_seed"):
        proof[field] = proof[field].upper()
    assert deal.faults_of(proof) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("server_seed", "00" * 32), ("round", 2), ("redeals", 1), ("commitment", "00" * 32), ("game_id", "00" * 16),
     ("deck", deal.PACK), ("seat_seeds", ["00" * 32] * 4)],
)  # fmt: skip
def test_a_proof_changed_anywhere_is_found_out(proof, field, value):
    assert deal.faults_of(proof | {field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [("game_id", "00" * 16), ("commitments", [{"round": 1, "hash": "00" * 32}]), ("commitments", []),
     ("seat_seeds", [f"0{digit}" * 32 for digit in "2134"])],
)  # fmt: skip
def test_commitments_of_another_kind_are_found_out(proof, fairness, field, value):
    assert deal.faults_of(proof, fairness | {field: value})


def test_a_redeal_is_another_deck():
    decks = {tuple(deal.shuffled(deal.key_of(SECRET, GAME_ID, 1, SEEDS, redeals))) for redeals in range(4)}
    assert len(decks) == 4
    assert all(sorted(deck) == sorted(deal.PACK) for deck in decks)


def test_the_seat_after_the_dealer_gets_the_first_card(proof):
    for dealer in range(4):
        hands = deal.hands_of(proof["deck"], dealer)
        assert hands[(dealer + 1) % 4][0] == "6H"
        assert [len(hand) for hand in hands] == [13] * 4


def test_as_a_script_it_tells_the_hands_and_its_verdict(proof, fairness, tmp_path, capsys):
    paths = [tmp_path / "proof.json", tmp_path / "fairness.json"]
    for path, content in zip(paths, (proof, fairness), strict=True):
        path.write_text(json.dumps(content))
    assert deal.main(paths) == 0
    assert "seat 0: 7C AC 3D 4D 6D KD 5H 6H 9H QH KH 4S 9S" in capsys.readouterr().out
    paths[0].write_text(json.dumps(proof | {"deck": deal.PACK}))
    assert deal.main(paths[:1]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_as_a_script_it_says_when_a_secret_is_still_kept(proof, tmp_path, capsys):
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(proof | {"server_seed": None, "deck": None}))
    assert deal.main([path]) == 1
    assert "not over" in capsys.readouterr().out
