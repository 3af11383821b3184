"""What a sceptic needs: all commitments at once, and each round's secret as soon as that round is over."""

import uuid
from dataclasses import dataclass
from typing import Any

from games.presenters.table import Table
from games.rules.cards import name
from games.rules.shuffle import SCHEME, commitment, deal_key, deck

NO_SEED = bytes(32)
SECRET_BYTES = 32


@dataclass(frozen=True)
class Secrets:
    """The 32-byte secrets by round; number 0 is the draw's."""

    by_round: tuple[bytes, ...]

    @classmethod
    def from_bytes(cls, joined: bytes) -> "Secrets":
        """Split what `to_bytes` joined.

        >>> len(Secrets.from_bytes(bytes(96)).by_round)
        3
        """
        return cls(tuple(joined[at : at + SECRET_BYTES] for at in range(0, len(joined), SECRET_BYTES)))

    def to_bytes(self) -> bytes:
        """Join the secrets for their row."""
        return b"".join(self.by_round)


def commitments(game_id: uuid.UUID, secrets: Secrets) -> list[dict[str, Any]]:
    """Return the published hash of every secret, the draw's first."""
    return [
        {"round": number, "hash": commitment(game_id.bytes, number, secret).hex()}
        for number, secret in enumerate(secrets.by_round)
    ]


def promise(game_id: uuid.UUID, secrets: Secrets) -> dict[str, Any]:
    """Return all commitments of a game in which nobody sits yet."""
    return {
        "scheme": SCHEME,
        "game_id": game_id.hex,
        "commitments": commitments(game_id, secrets),
        "seat_seeds": None,
        "seeded": [False] * 4,
    }


def fairness(table: Table, secrets: Secrets) -> dict[str, Any]:
    """Return all commitments of a game and the seats' own seeds, which are shown from the start on."""
    seeds = [seed.hex() for seed in seeds_by_seat(table)]
    return promise(uuid.UUID(table.id), secrets) | {
        "seat_seeds": None if table.started_at is None else seeds,
        "seeded": [bool(seat and seat.client_seed) for seat in table.seats],
    }


def seeds_by_seat(table: Table) -> list[bytes]:
    """Return the four seats' 32 bytes, zero where a seat brought none."""
    return [seat.client_seed or NO_SEED if seat else NO_SEED for seat in table.seats]


def seeds_by_joining(table: Table) -> list[bytes]:
    """Return the same in the order of joining, for the draw."""
    seats = sorted((seat for seat in table.seats if seat), key=lambda seat: seat.joined_order)
    return [seat.client_seed or NO_SEED for seat in seats]


def draw_proof(table: Table, secret: bytes) -> dict[str, Any]:
    """Return the proof of the draw or of the first dealer (round 0): before the start the commitment alone."""
    game_id = uuid.UUID(table.id)
    proof = _proof(game_id, 0, None, 0, secret)
    if table.started_at is None:
        return proof | {"joined": None}
    seeds = seeds_by_joining(table)
    key = deal_key(secret, game_id.bytes, 0, seeds)
    seats = sorted((seat for seat in table.seats if seat), key=lambda seat: seat.joined_order)
    return proof | {
        "server_seed": secret.hex(),
        "seat_seeds": [seed.hex() for seed in seeds],
        "deck": [name(card) for card in deck(key)],
        "joined": [seat.number for seat in seats],
    }


def round_proof(
    table: Table, number: int, dealer: int, redeals: int, is_finished: bool, secret: bytes
) -> dict[str, Any]:
    """Return the proof of one round; its secret and deck only once it *is_finished*."""
    game_id = uuid.UUID(table.id)
    seeds = seeds_by_seat(table)
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
