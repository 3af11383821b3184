"""A trick, who wins it, and what may be played to it."""

from enum import StrEnum
from typing import NamedTuple

from games.rules.cards import FULL_PACK, SPADES, SUIT_CARDS, Card, Cards, card, suit_of
from games.rules.ruleset import Ruleset

SEATS = 4
TRICKS_A_ROUND = 13


def next_seat(seat: int) -> int:
    """Return the seat whose turn follows that of *seat*.

    >>> next_seat(3)
    0
    """
    return (seat + 1) % SEATS


def _beating(best: Card) -> Cards:
    higher = FULL_PACK >> best + 1 << best + 1
    return higher & (SUIT_CARDS[suit_of(best)] | SUIT_CARDS[SPADES])


FOLLOWING: tuple[Cards, ...] = tuple(SUIT_CARDS[suit_of(led)] for led in range(52))
"""For each card that is led those that follow suit."""

BEATING: tuple[Cards, ...] = tuple(_beating(best) for best in range(52))
"""For each card those that would take the trick from it: the higher ones of its suit, and trumps."""

IS_BEATEN: tuple[bytes, ...] = tuple(bytes(cards >> by & 1 for by in range(52)) for cards in BEATING)
"""For each card whether another one would take the trick from it, by that one's number."""


class Trick(NamedTuple):
    """The cards played so far, in order, the first of them by the seat *leader*.

    >>> trick("QH 3S AH", leader=2).winner
    3
    """

    leader: int
    cards: tuple[Card, ...] = ()

    @property
    def led_suit(self) -> int:
        """The suit of the first card."""
        return suit_of(self.cards[0])

    @property
    def best(self) -> Card:
        """The card that is winning so far: the highest spade, else the highest of the suit led."""
        best = self.cards[0]
        for played in self.cards:
            if IS_BEATEN[best][played]:
                best = played
        return best

    @property
    def winner(self) -> int:
        """The seat that played the best card."""
        return (self.leader + self.cards.index(self.best)) % SEATS

    @property
    def seat_to_play(self) -> int:
        """The seat whose card is next."""
        return (self.leader + len(self.cards)) % SEATS

    @property
    def is_complete(self) -> bool:
        """Whether all four seats have played."""
        return len(self.cards) == SEATS

    def plays(self) -> list[tuple[int, Card]]:
        """Return each card with the seat that played it, in order."""
        return [((self.leader + place) % SEATS, card) for place, card in enumerate(self.cards)]

    def add(self, card: Card) -> "Trick":
        """Return the trick with *card* played by the next seat."""
        leader, cards = self
        return tuple.__new__(Trick, (leader, (*cards, card)))


def trick(text: str, leader: int = 0) -> Trick:
    """Return the trick of the cards named in *text*, in order of play.

    >>> trick("QH 3S").seat_to_play
    2
    """
    return Trick(leader, tuple(card(word) for word in text.split()))


def legal_plays(hand: Cards, trick: Trick, ruleset: Ruleset) -> Cards:
    """Return the cards of *hand* that may be played to *trick*.

    A seat follows suit, and heads the trick if it can and the ruleset asks for it. A seat void in the suit led trumps
    if that would win. Otherwise any card will do.

    >>> from games.rules.cards import cards, show
    >>> from games.rules.ruleset import LITE, MASTER
    >>> show(legal_plays(cards("2H KH AS"), trick("QH"), LITE))
    'KH'
    >>> show(legal_plays(cards("2H KH AS"), trick("QH"), MASTER))
    'KH 2H'
    >>> show(legal_plays(cards("2D 3S AS"), trick("QH 4S"), LITE))
    'AS'
    """
    if not trick.cards:
        return hand
    following = hand & FOLLOWING[trick.cards[0]]
    if following and not ruleset.must_head:
        return following
    winning = hand & BEATING[trick.best]
    if following:
        return following & winning or following
    return winning or hand


class Rule(StrEnum):
    """The rules that a card may break."""

    MUST_FOLLOW = "must_follow"
    MUST_HEAD = "must_head"
    MUST_TRUMP = "must_trump"


def broken_rule(card: Card, hand: Cards, trick: Trick, ruleset: Ruleset) -> Rule:
    """Return the rule that *card*, which *hand* holds, breaks when played to *trick*; ValueError if it is legal.

    >>> from games.rules.cards import cards
    >>> from games.rules.cards import card as named
    >>> from games.rules.ruleset import LITE
    >>> str(broken_rule(named("AS"), cards("2H KH AS"), trick("QH"), LITE))
    'must_follow'
    >>> str(broken_rule(named("2H"), cards("2H KH AS"), trick("QH"), LITE))
    'must_head'
    >>> str(broken_rule(named("2D"), cards("2D 3S"), trick("QH"), LITE))
    'must_trump'
    """
    if legal_plays(hand, trick, ruleset) >> card & 1:
        raise ValueError("The card may be played.")
    if not hand & SUIT_CARDS[trick.led_suit]:
        return Rule.MUST_TRUMP
    if suit_of(card) != trick.led_suit:
        return Rule.MUST_FOLLOW
    return Rule.MUST_HEAD
