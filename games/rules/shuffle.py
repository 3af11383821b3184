"""Dealing that anyone can check: scheme `callbreak-deal/1`.

A round's deck follows from a secret of the server, to which it is committed beforehand, and from what each seat
brought. This module holds the arithmetic only; who draws the secrets, and when they are shown, is decided elsewhere.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from games.rules.cards import NAMES, Card, Cards, rank_of, suit_of

SCHEME = "callbreak-deal/1"
COMMITMENT_SCHEME = "callbreak-commit/1"

SECRET_BYTES = 32
NO_SEED = bytes(SECRET_BYTES)
"""What a seat brings that brings nothing."""

Deal = tuple[Cards, Cards, Cards, Cards]


def commitment(game_id: bytes, round_number: int, secret: bytes) -> bytes:
    """Return the hash that binds the server to *secret* for a round of the game; round 0 is the draw.

    >>> commitment(bytes(range(16)), 1, bytes(range(32))).hex()[:16]
    '8d8a5821fa08fc21'
    """
    return hashlib.sha256(_joined(COMMITMENT_SCHEME.encode(), game_id, bytes([round_number]), secret)).digest()


def deal_key(secret: bytes, game_id: bytes, round_number: int, seat_seeds: Sequence[bytes], redeal: int = 0) -> bytes:
    """Return the key from which a round's deck follows; *redeal* counts the redeals of the round, 0 for its first deal.

    *seat_seeds* are in order of seats, but for round 0 in order of joining.
    """
    fields = [SCHEME.encode(), game_id, bytes([round_number]), *seat_seeds]
    if redeal:
        fields.append(bytes([redeal]))
    return hmac.digest(secret, _joined(*fields), "sha256")


def deck(key: bytes) -> tuple[Card, ...]:
    """Return the 52 cards as *key* shuffles them, in order of dealing.

    >>> from games.rules.cards import name
    >>> seat_seeds = [bytes([k + 1]) * 32 for k in range(4)]
    >>> key = deal_key(bytes(range(32)), bytes(range(16)), 1, seat_seeds)
    >>> " ".join(name(card) for card in deck(key)[:13])
    '6H 5D KS 9D 6D 8H 5C QD KH 2H TD QC 5H'
    """
    shuffled = list(range(len(NAMES)))
    words = _words(key)
    for top in range(51, 0, -1):
        index = _below(top + 1, words)
        shuffled[top], shuffled[index] = shuffled[index], shuffled[top]
    return tuple(shuffled)


def deal(deck: Sequence[Card], dealer: int) -> Deal:
    """Return the hands by seat when *deck* is dealt one by one from the seat after *dealer*.

    >>> [hand.bit_count() for hand in deal(range(52), dealer=3)]
    [13, 13, 13, 13]
    """
    hands = [0, 0, 0, 0]
    for place, card in enumerate(deck):
        hands[(dealer + 1 + place) % 4] |= 1 << card
    return hands[0], hands[1], hands[2], hands[3]


def split(secrets: bytes) -> tuple[bytes, ...]:
    """Return the secrets of a game by round, from all of them one after the other.

    >>> len(split(bytes(96)))
    3
    """
    return tuple(secrets[at : at + SECRET_BYTES] for at in range(0, len(secrets), SECRET_BYTES))


def first_word(key: bytes) -> int:
    """Return the first 32-bit word that *key* yields."""
    return next(_words(key))


def first_dealer(key: bytes) -> int:
    """Return the seat that deals first, from the key of round 0, where seats are not drawn."""
    return first_word(key) % 4


def draw_order(deck: Sequence[Card]) -> tuple[int, int, int, int]:
    """Return the seat that each joiner gets when they draw the first cards of *deck* in order of joining.

    The highest card sits at 0 and deals first: rank decides, then suit in the order S H D C.

    >>> from games.rules.cards import card
    >>> draw_order([card("2S"), card("AH"), card("AS"), card("2C")])
    (2, 1, 0, 3)
    """
    drawn = deck[:4]
    best_first = sorted(drawn, key=lambda card: (rank_of(card), suit_of(card)), reverse=True)
    first, second, third, fourth = (best_first.index(card) for card in drawn)
    return first, second, third, fourth


def _joined(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """Return a number below *limit*; words that would favour the small numbers are left out."""
    fair = 2**32 - 2**32 % limit
    return next(word for word in words if word < fair) % limit
