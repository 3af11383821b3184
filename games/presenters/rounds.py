"""One round in full: other hands only once it is over."""

from dataclasses import dataclass
from typing import Any

from games.rules.cards import Card, Cards, name, names
from games.rules.scoring import points


@dataclass(frozen=True)
class HandRecord:
    """One seat's hand in one round."""

    dealt: Cards
    bid: int | None
    tricks: int
    score_tenths: int | None


@dataclass(frozen=True)
class TrickRecord:
    """One trick; *plays* are (seat, card) in order, *winner* is None while it runs."""

    number: int
    leader: int
    plays: tuple[tuple[int, Card], ...]
    winner: int | None


@dataclass(frozen=True)
class RoundRecord:
    """A round as the rows have it."""

    number: int
    dealer: int
    is_finished: bool
    redeals: tuple[dict[str, Any], ...]
    hands: tuple[HandRecord, ...]
    tricks: tuple[TrickRecord, ...]


def round_in_full(record: RoundRecord, seat: int | None) -> dict[str, Any]:
    """Return *record* for the holder of *seat* (None: a spectator); until it is over only one's own hand is shown."""
    return {
        "number": record.number,
        "dealer": record.dealer,
        "finished": record.is_finished,
        "redeals": list(record.redeals),
        "hands": [
            {
                "seat": number,
                "dealt": names(hand.dealt) if record.is_finished or number == seat else None,
                "bid": hand.bid,
                "tricks": hand.tricks,
                "score": None if hand.score_tenths is None else points(hand.score_tenths),
            }
            for number, hand in enumerate(record.hands)
        ],
        "tricks": [_trick(trick) for trick in record.tricks],
    }


def _trick(trick: TrickRecord) -> dict[str, Any]:
    return {
        "number": trick.number,
        "leader": trick.leader,
        "plays": [{"seat": seat, "card": name(card)} for seat, card in trick.plays],
        "winner": trick.winner,
    }
