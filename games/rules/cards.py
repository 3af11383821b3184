"""Cards are numbers, and a set of cards is one integer with a bit for each card.

The order of the numbers is that of an unopened pack, C D H S and 2 … A within a suit, so that every spade is higher
than every other card.

>>> name(0), name(51)
('2C', 'AS')
>>> show(cards("2H AS KH") & SUIT_CARDS[HEARTS])
'KH 2H'
"""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

Card: TypeAlias = int
Cards: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
FULL_PACK: Cards = (1 << 52) - 1
SUIT_CARDS: tuple[Cards, ...] = tuple(0b1_1111_1111_1111 << 13 * suit for suit in range(4))

_CARD_BY_NAME = {name: card for card, name in enumerate(NAMES)}


def card(text: str) -> Card:
    """Return the card that *text* names, rank then suit.

    >>> card("AS")
    51
    >>> card("10S")
    Traceback (most recent call last):
        ...
    ValueError: '10S' is not a card
    """
    try:
        return _CARD_BY_NAME[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card") from None


def name(card: Card) -> str:
    """Return the two characters that name *card*.

    >>> name(0)
    '2C'
    """
    return NAMES[card]


def cards(text: str) -> Cards:
    """Return the set of the cards named in *text*, which raises ValueError when one is named twice.

    >>> cards("2C 3C")
    3
    """
    named = [card(word) for word in text.split()]
    if len(set(named)) < len(named):
        raise ValueError(f"{text!r} names a card twice")
    return pack(named)


def pack(cards: Iterable[Card]) -> Cards:
    """Return *cards* as a set.

    >>> pack([0, 1])
    3
    """
    packed = 0
    for card in cards:
        packed |= 1 << card
    return packed


def members(cards: Cards) -> list[Card]:
    """Return *cards* one by one as players sort a hand: spades, hearts, clubs, diamonds, each high to low.

    >>> [name(card) for card in members(cards("2D 3C AS KS 4H"))]
    ['AS', 'KS', '4H', '3C', '2D']
    """
    clubs, diamonds, hearts, spades = SUIT_CARDS
    return [
        *_high_to_low(cards & spades),
        *_high_to_low(cards & hearts),
        *_high_to_low(cards & clubs),
        *_high_to_low(cards & diamonds),
    ]


@cache
def _high_to_low(cards_of_a_suit: Cards) -> tuple[Card, ...]:
    # A suit has only 8,192 sets of cards, so each is sorted once.
    return tuple(card for card in reversed(range(52)) if cards_of_a_suit >> card & 1)


def names(cards: Cards) -> list[str]:
    """Return the names of *cards*, sorted as `members` sorts them.

    >>> names(cards("2C AS"))
    ['AS', '2C']
    """
    return [NAMES[card] for card in members(cards)]


def show(cards: Cards) -> str:
    """Return the names of *cards* as one text, which `cards` reads back.

    >>> show(cards("2H KH AS"))
    'AS KH 2H'
    """
    return " ".join(names(cards))


def suit_of(card: Card) -> int:
    """Return the suit of *card*.

    >>> suit_of(card("2H")) == HEARTS
    True
    """
    return card // 13


def rank_of(card: Card) -> int:
    """Return the rank of *card*, 0 for a two and 12 for an ace.

    >>> rank_of(card("2H")), rank_of(card("AH"))
    (0, 12)
    """
    return card % 13


def highest(cards: Cards) -> Card:
    """Return the highest of *cards*, which are some of one suit.

    >>> name(highest(cards("2H KH 9H")))
    'KH'
    """
    return cards.bit_length() - 1


def lowest(cards: Cards) -> Card:
    """Return the lowest of *cards*, which are some of one suit.

    >>> name(lowest(cards("2H KH 9H")))
    '2H'
    """
    return (cards & -cards).bit_length() - 1
