"""What a sceptic needs: all commitments at once, and each round's secret as soon as that round is over."""

import uuid
from collections.abc import Sequence
from typing import Any

from games.presenters.table import Table
from games.rules.cards import name
from games.rules.shuffle import SCHEME, commitment, deal_key, deck


def commitments(game_id: uuid.UUID, secrets: Sequence[bytes]) -> list[dict[str, Any]]:
    """Return the published hash of every secret, the draw's first."""
    return [
        {"round": number, "hash": commitment(game_id.bytes, number, secret).hex()}
        for number, secret in enumerate(secrets)
    ]


def promise(game_id: uuid.UUID, secrets: Sequence[bytes]) -> dict[str, Any]:
    """Return all commitments of a game in which nobody sits yet."""
    return {
        "scheme": SCHEME,
        "game_id": game_id.hex,
        "commitments": commitments(game_id, secrets),
        "seat_seeds": None,
        "seeded": [False] * 4,
    }


def fairness(table: Table, secrets: Sequence[bytes]) -> dict[str, Any]:
    """Return all commitments of a game and the seats' own seeds, which are shown from the start on."""
    seeds = [seat.seed.hex() for seat in table.seats if seat]
    return promise(uuid.UUID(table.id), secrets) | {
        "seat_seeds": None if table.started_at is None else seeds,
        "seeded": [bool(seat and seat.client_seed) for seat in table.seats],
    }


def draw_proof(table: Table, secret: bytes) -> dict[str, Any]:
    """Return the proof of the draw or of the first dealer (round 0): before the start the commitment alone."""
    game_id = uuid.UUID(table.id)
    proof = _proof(game_id, 0, None, 0, secret)
    if table.started_at is None:
        return proof | {"joined": None}
    seats = sorted((seat for seat in table.seats if seat), key=lambda seat: seat.joined_order)
    key = deal_key(secret, game_id.bytes, 0, [seat.seed for seat in seats])
    return proof | {
        "server_seed": secret.hex(),
        "seat_seeds": [seat.seed.hex() for seat in seats],
        "deck": [name(card) for card in deck(key)],
        "joined": [seat.number for seat in seats],
    }


def round_proof(
    table: Table, number: int, dealer: int, redeals: int, is_finished: bool, secret: bytes
) -> dict[str, Any]:
    """Return the proof of one round; its secret and deck only once it *is_finished*."""
    game_id = uuid.UUID(table.id)
    seeds = [seat.seed for seat in table.seats if seat]
    proof = _proof(game_id, number, dealer, redeals, secret) | {"seat_seeds": [seed.hex() for seed in seeds]}
    if not is_finished:
        return proof
    key = deal_key(secret, game_id.bytes, number, seeds, redeals)
    return proof | {"server_seed": secret.hex(), "deck": [name(card) for card in deck(key)]}


def _proof(game_id: uuid.UUID, number: int, dealer: int | None, redeals: int, secret: bytes) -> dict[str, Any]:
    return {
        "scheme": SCHEME,
        "game_id": game_id.hex,
        "round": number,
        "dealer": dealer,
        "redeals": redeals,
        "commitment": commitment(game_id.bytes, number, secret).hex(),
        "server_seed": None,
        "seat_seeds": None,
        "deck": None,
    }
