"""A careful beginner: it bids its sure winners, plays high when it can win and low when it can't."""

from random import Random

from games.rules.cards import SPADES, SUIT_CARDS, Card, Cards, highest, members, rank_of, suit_of
from games.rules.ruleset import EXACT_OR_ONE_OVER
from games.rules.trick import BEATING
from games.rules.view import View

KING, ACE = 11, 12


def bid(view: View, rng: Random) -> int:
    """Return the legal bid nearest to the seat's sure winners."""
    assert view.legal_bids is not None
    return min(view.legal_bids, key=lambda bid: abs(bid - sure_winners(view.hand)))


def play(view: View, rng: Random) -> Card:
    """Return the card with which a beginner would try to win, or lose as little as it can."""
    assert view.legal_plays is not None
    if _has_enough(view):
        return cheapest(view.legal_plays, rng)
    if not view.trick.cards:
        return _lead(view, rng)
    winning = view.legal_plays & BEATING[view.trick.best]
    if not winning:
        return cheapest(view.legal_plays, rng)
    is_trumping = suit_of(highest(winning)) != view.trick.led_suit
    is_last = len(view.trick.cards) == 3
    return cheapest(winning, rng) if is_trumping or is_last else highest(winning)


def sure_winners(hand: Cards) -> int:
    """Return how many tricks a beginner is sure of: each suit from the ace down, and spades beyond the fourth.

    >>> from games.rules.cards import cards
    >>> sure_winners(cards("AS QS 9S 8S 2S AH KH KD 7C 6C 5C 4C 3C"))
    4
    """
    winners = max(0, (hand & SUIT_CARDS[SPADES]).bit_count() - 4)
    for suit_cards in SUIT_CARDS:
        rank = ACE
        for card in members(hand & suit_cards):
            if rank_of(card) != rank:
                break
            winners += 1
            rank -= 1
    return winners


def cheapest(cards: Cards, rng: Random) -> Card:
    """Return the lowest of *cards*, a spade only if there is nothing else; *rng* picks among equals."""
    choice = members(cards & ~SUIT_CARDS[SPADES]) or members(cards)
    lowest_rank = min(rank_of(card) for card in choice)
    return rng.choice([card for card in choice if rank_of(card) == lowest_rank])


def _lead(view: View, rng: Random) -> Card:
    """Lead an ace or a king of a side suit while there is one, then low."""
    side = [card for card in members(view.hand) if suit_of(card) != SPADES]
    best = max(side, key=rank_of, default=None)
    if best is not None and rank_of(best) >= KING:
        return best
    return cheapest(view.hand, rng)


def _has_enough(view: View) -> bool:
    """Whether one more trick would cost the seat the bid that it has made."""
    assert view.seat is not None
    bid = view.bids[view.seat]
    return view.ruleset.scoring == EXACT_OR_ONE_OVER and bid is not None and view.tricks_won[view.seat] > bid
