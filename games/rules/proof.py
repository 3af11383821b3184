"""Checking a round's proof from the proof alone, as anybody may."""

from collections.abc import Mapping
from typing import Any

from games.rules.cards import card, name, show
from games.rules.shuffle import SCHEME, commitment, deal, deal_key, deck, first_dealer


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
    made = deck(deal_key(secret, game_id, proof["round"], _seeds(proof), proof["redeals"]))
    if [name(card) for card in made] != proof["deck"]:
        return "the secrets do not make this deck"
    if proof["round"] == 0 and sorted(proof["joined"]) != [0, 1, 2, 3]:
        return "the joiners do not sit on four seats"
    return None


def told_by_proof(proof: Mapping[str, Any]) -> list[str]:
    """Return in sentences what a proof that holds says, for a player to compare with what he saw."""
    sentences = [f"promised as {proof['commitment']}: compare with what /fairness said when you joined"]
    if proof["round"] == 0:
        key = deal_key(bytes.fromhex(proof["server_seed"]), bytes.fromhex(proof["game_id"]), 0, _seeds(proof))
        seats = zip(proof["joined"], proof["deck"], strict=False)
        drawn = ", ".join(f"seat {seat}: {card}" for seat, card in seats)
        return [
            *sentences,
            f"where seats are drawn the cards are {drawn}",
            f"elsewhere seat {first_dealer(key)} deals first",
        ]
    hands = deal([card(text) for text in proof["deck"]], proof["dealer"])
    return [*sentences, *(f"seat {seat} holds {show(hand)}" for seat, hand in enumerate(hands))]


def _seeds(proof: Mapping[str, Any]) -> list[bytes]:
    return [bytes.fromhex(seed) for seed in proof["seat_seeds"]]
