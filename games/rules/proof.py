"""Checking a round's proof from the proof alone, as anybody may."""

from collections.abc import Mapping
from typing import Any

from games.rules.cards import name
from games.rules.shuffle import SCHEME, commitment, deal_key, deck


def wrong_in_proof(proof: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the proof of a round that is over, or None when it holds.

    Raises KeyError, TypeError or ValueError when it is no proof at all.
    """
    if proof["scheme"] != SCHEME:
        return f"the scheme is {proof['scheme']}, not {SCHEME}"
    if proof["server_seed"] is None:
        return "the server's secret is not shown yet: the round is not over"
    game_id, secret = bytes.fromhex(proof["game_id"]), bytes.fromhex(proof["server_seed"])
    if commitment(game_id, proof["round"], secret).hex() != proof["commitment"].lower():
        return "the server's secret is not the one that it committed to"
    seat_seeds = [bytes.fromhex(seed) for seed in proof["seat_seeds"]]
    made = deck(deal_key(secret, game_id, proof["round"], seat_seeds, proof["redeals"]))
    if [name(card) for card in made] != proof["deck"]:
        return "the secrets do not make this deck"
    return None
