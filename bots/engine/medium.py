"""A card counter that bids and plays for the best expected score."""

from collections.abc import Sequence
from operator import mul
from random import Random

from bots.engine.memory import Memory, higher, remember
from bots.engine.prospects import Moment, tricks_to_come
from games.rules.cards import SPADES, SUIT_CARDS, Card, Cards, members, pack, rank_of, suit_of
from games.rules.scoring import score_tenths
from games.rules.trick import BEATING, next_seat
from games.rules.view import View

A_TRICK_LESS = 0.01
"""What it is worth that the others do not take a trick: only so much that it decides between equal scores."""


def bid(view: View, rng: Random) -> int:
    """Return the legal bid whose expected score is best for the tricks that the hand may take."""
    assert view.legal_bids is not None
    moment = Moment(leads_next=next_seat(view.dealer) == view.seat)
    tricks = tricks_to_come(view.hand, remember(view), moment, view.ruleset.scoring)
    return max(
        view.legal_bids,
        key=lambda bid: sum(share * score_tenths(bid, number, view.ruleset) for number, share in enumerate(tricks)),
    )


def play(view: View, rng: Random) -> Card:
    """Return the legal card after which the expected score of this round is best."""
    assert view.legal_plays is not None
    legal = members(view.legal_plays)
    if len(legal) == 1:
        return legal[0]
    memory = remember(view)
    scores = scores_by_tricks(view)
    others = memory.unseen | pack(view.trick.cards)
    return max(
        distinct(legal, others),
        key=lambda card: (round(expected_score(card, view, memory, scores), 6), -rank_of(card)),
    )


def distinct(legal: list[Card], others: Cards) -> list[Card]:
    """Return *legal*, sorted as `members` does, less what is worth the same as the next lower: no card lies between.

    >>> from games.rules.cards import cards, names, pack
    >>> names(pack(distinct(members(cards("AS KS JS 2H")), others=cards("QS"))))
    ['KS', 'JS', '2H']
    """
    kept = legal[:1]
    for card in legal[1:]:
        if suit_of(card) == suit_of(kept[-1]) and not others & higher(card) & ~higher(kept[-1]):
            kept.pop()
        kept.append(card)
    return kept


def scores_by_tricks(view: View) -> list[float]:
    """Return what the seat scores with no, one, two … more tricks; of equal scores that of more tricks is better."""
    assert view.seat is not None
    bid, taken = view.bids[view.seat] or 0, view.tricks_won[view.seat]
    return [score_tenths(bid, taken + more, view.ruleset) + more * A_TRICK_LESS for more in range(14 - taken)]


def expected_score(card: Card, view: View, memory: Memory, scores: Sequence[float]) -> float:
    """Return the tenths that the seat may expect of this round if it plays *card* now."""
    led = suit_of((*view.trick.cards, card)[0])
    behind = 3 - len(view.trick.cards)
    rest = view.hand & ~(1 << card)
    expected = 0.0
    chance = chance_to_win(card, view, memory)
    for wins, share in ((True, chance), (False, 1 - chance)):
        if share > 0:
            tricks = tricks_to_come(rest, memory, Moment(wins, led, behind), view.ruleset.scoring)
            expected += share * sum(map(mul, tricks, scores[wins:]))
    return expected


def chance_to_win(card: Card, view: View, memory: Memory) -> float:
    """Return the chance that *card* takes the running trick, if everybody behind who can beat it does."""
    played = view.trick.cards
    if played and not BEATING[view.trick.best] >> card & 1:
        return 0.0
    led = suit_of((*played, card)[0])
    chance = 1.0
    for place in range(len(played) + 1, 4):
        seat = (view.trick.leader + place) % 4
        chance *= 1 - _chance_beaten(card, led, seat, memory)
    return chance


def _chance_beaten(card: Card, led: int, seat: int, memory: Memory) -> float:
    """Return the chance that *seat* beats *card* by following suit, or by trumping for lack of the suit."""
    suit_cards, trumps = SUIT_CARDS[led], SUIT_CARDS[SPADES]
    beating: Cards = BEATING[card]
    following = 1 - memory.chance_of_none(seat, higher(card)) if suit_of(card) == led else 0.0
    if led == SPADES:
        return following
    void = memory.chance_of_none(seat, suit_cards)
    void_and_no_trump = memory.chance_of_none(seat, suit_cards | beating & trumps)
    return following + void - void_and_no_trump
