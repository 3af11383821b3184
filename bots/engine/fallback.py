"""What is played when a bot cannot: legal, at once, and without thinking."""

from games.rules.cards import Card, members, rank_of
from games.rules.view import View


def fallback(view: View) -> int:
    """Return the lowest legal bid, or the legal card of the lowest rank."""
    if view.legal_bids is not None:
        return view.legal_bids[0]
    return lowest_legal(view)


def lowest_legal(view: View) -> Card:
    """Return the legal card of the lowest rank; of equals a side card rather than a spade."""
    assert view.legal_plays is not None
    return min(reversed(members(view.legal_plays)), key=rank_of)
