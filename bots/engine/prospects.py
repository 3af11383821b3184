"""The chance that each card of a hand takes a trick, and what that makes of the number of tricks to come.

A card's chance is a logistic regression on what a card counter looks at: which cards above it are still out, how many
of its suit, whether the others can follow or trump. `weights` has the numbers, for each scoring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, factorial
from operator import mul

from bots.engine.memory import Memory, higher
from bots.engine.weights import WEIGHTS
from games.rules.cards import SPADES, SUIT_CARDS, Card, Cards

SIDE_SUITS = range(3)
SHARPNESS = 1.6
"""How much closer to its middle the number of tricks is than if every card took its own independently."""

Kind = tuple[str, int]
Features = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """When a hand is looked at: in a trick, after one's own card, or between tricks."""

    leads_next: bool
    """Whether this seat leads the next trick."""
    led: int | None = None
    """The suit led to the running trick."""
    behind: int = 0
    """How many seats have still to play to it."""


def tricks_to_come(hand: Cards, memory: Memory, moment: Moment, scoring: str) -> list[float]:
    """Return the chances of taking no, one, two … more tricks with *hand*."""
    chances = [1.0]
    for p in (chance(kind, features, scoring) for _, kind, features in prospects(hand, memory, moment)):
        missed = [share * (1 - p) for share in chances] + [0.0]
        for number, share in enumerate(chances, start=1):
            missed[number] += share * p
        chances = missed
    return _sharpened(chances)


def chance(kind: Kind, features: Features, scoring: str) -> float:
    """Return the chance that a card of these features takes its trick."""
    weights = WEIGHTS[scoring][kind]
    return 1 / (1 + exp(-sum(map(mul, weights, features))))


def prospects(hand: Cards, memory: Memory, moment: Moment) -> Iterator[tuple[Card, Kind, Features]]:
    """Yield each card of *hand* with the row of weights that is for it and the features that these weigh."""
    unseen = memory.unseen
    trumps_out = (unseen & SUIT_CARDS[SPADES]).bit_count()
    trumps = (hand & SUIT_CARDS[SPADES]).bit_count()
    left = hand.bit_count() / 13
    lengths = [0] * 14
    for suit in SIDE_SUITS:
        suit_cards = SUIT_CARDS[suit]
        held = (hand & suit_cards).bit_count()
        out = (unseen & suit_cards).bit_count()
        lengths[held] += out > 0
        can_ruff = trumps_out > 0 and any(
            cards & SUIT_CARDS[SPADES] and not cards & suit_cards for cards in memory.could_hold
        )
        passing = _passing(moment, suit)
        for above, card in enumerate(_high_to_low(hand & suit_cards)):
            higher_out = (unseen & higher(card)).bit_count()
            yield card, ("side", min(higher_out, 3)), (
                1.0, above, out / 10, held / 5,
                _safety(out, above + 1, trumps_out, can_ruff),
                _safety(out, above + higher_out + 1, trumps_out, can_ruff),
                trumps_out / 10, trumps / 5, moment.leads_next, left, can_ruff, *passing,
            )  # fmt: skip
    passing = _passing(moment, SPADES)
    for above, card in enumerate(_high_to_low(hand & SUIT_CARDS[SPADES])):
        higher_out = (unseen & higher(card)).bit_count()
        yield card, ("trump", min(higher_out, 4)), (
            1.0, above, trumps_out / 10, trumps / 5, lengths[0], lengths[1], lengths[2], left, moment.leads_next,
            trumps > trumps_out, trumps_out * above / 10, *passing,
        )  # fmt: skip


@cache
def chance_all_follow(out: int, rounds: int) -> float:
    """Return the chance that each of three seats holds *rounds* or more of the *out* cards of a suit.

    >>> chance_all_follow(3, 1) == 6 / 27, chance_all_follow(2, 1)
    (True, 0.0)
    """
    ways = 0
    for first in range(rounds, out + 1):
        for second in range(rounds, out - first - rounds + 1):
            ways += factorial(out) // (factorial(first) * factorial(second) * factorial(out - first - second))
    return float(ways / 3**out)


def _safety(out: int, rounds: int, trumps_out: int, can_ruff: bool) -> float:
    """Return the chance that nobody can trump the suit in so many rounds of it."""
    if not trumps_out:
        return 1.0
    return 0.0 if can_ruff else chance_all_follow(out, rounds)


def _passing(moment: Moment, suit: int) -> tuple[float, float, float]:
    """Return what the seats behind do to *suit* in this trick (play high cards, or low ones), and how many they are."""
    behind = moment.behind / 3
    if moment.led != suit:
        return 0.0, 0.0, behind
    return (0.0, behind, behind) if moment.leads_next else (behind, 0.0, behind)


def _sharpened(chances: Sequence[float]) -> list[float]:
    powers = [share**SHARPNESS for share in chances]
    total = sum(powers)
    return [power / total for power in powers]


def _high_to_low(cards: Cards) -> Iterator[Card]:
    while cards:
        card = cards.bit_length() - 1
        yield card
        cards ^= 1 << card
