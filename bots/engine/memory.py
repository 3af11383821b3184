"""What a careful player remembers of a round: the cards still out, and which of them each seat cannot hold."""

from dataclasses import dataclass
from functools import cache
from math import comb

from games.rules.cards import FULL_PACK, SPADES, SUIT_CARDS, Card, Cards, suit_of
from games.rules.trick import BEATING, Trick
from games.rules.view import View


@dataclass(frozen=True, slots=True)
class Memory:
    """What the cards played so far tell the seat that has seen them."""

    unseen: Cards
    """The cards that the other three seats hold."""
    could_hold: tuple[Cards, ...]
    """By seat, those of the unseen cards that it may hold; none for one's own."""
    cards_held: tuple[int, ...]
    """By seat, how many cards it holds."""

    def chance_of_none(self, seat: int, cards: Cards) -> float:
        """Return the chance that *seat* holds none of *cards*, were its cards dealt from those that it may hold."""
        could_hold = self.could_hold[seat]
        return _chance_of_none(could_hold.bit_count(), self.cards_held[seat], (could_hold & cards).bit_count())


@cache
def _chance_of_none(pack: int, held: int, sought: int) -> float:
    """Return the chance that *held* cards dealt from *pack* miss all of the *sought* ones.

    >>> _chance_of_none(4, 2, 1), _chance_of_none(4, 2, 3)
    (0.5, 0.0)
    """
    return comb(pack - sought, held) / comb(pack, held) if held <= pack else 0.0


def remember(view: View) -> Memory:
    """Return what the cards on and off the table tell the seat of *view*."""
    seen = view.hand
    cannot_hold = [0, 0, 0, 0]
    for trick in (*view.tricks, view.trick):
        for card in trick.cards:
            seen |= 1 << card
        for seat, lacking in shown_lacking(trick, view.ruleset.must_head):
            cannot_hold[seat] |= lacking
    unseen = FULL_PACK & ~seen
    could_hold = tuple(0 if seat == view.seat else unseen & ~cannot_hold[seat] for seat in range(4))
    return Memory(unseen, could_hold, view.cards_held)


def shown_lacking(trick: Trick, must_head: bool) -> list[tuple[int, Cards]]:
    """Return for each seat that followed to *trick* the cards that it would have had to play sooner.

    >>> from games.rules.cards import show
    >>> from games.rules.trick import trick
    >>> [(seat, show(lacking)) for seat, lacking in shown_lacking(trick("QH 2H"), must_head=True)]
    [(1, 'AH KH')]
    """
    lacks = []
    best = trick.cards[0] if trick.cards else 0
    led = suit_of(best)
    for place, card in enumerate(trick.cards[1:], start=1):
        takes_it = BEATING[best] >> card & 1
        lacking = 0
        if suit_of(card) != led:
            lacking = SUIT_CARDS[led]
            if not takes_it:
                lacking |= BEATING[best] & SUIT_CARDS[SPADES]
        elif must_head and not takes_it and suit_of(best) == led:
            lacking = BEATING[best] & SUIT_CARDS[led]
        if lacking:
            lacks.append(((trick.leader + place) % 4, lacking))
        if takes_it:
            best = card
    return lacks


def higher(card: Card) -> Cards:
    """Return the higher cards of the suit of *card*."""
    return BEATING[card] & SUIT_CARDS[suit_of(card)]
