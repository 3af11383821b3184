"""Another world with the same past: what a seat can't see is dealt anew among the others."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from games.models import Event, Hand
from games.presenters.table import Table
from games.rules.cards import Cards, members, name


@contextmanager
def redealt(table: Table, seat: int | None, rng: random.Random) -> Iterator[None]:
    """Deal what is hidden from *seat* anew, for as long as the block runs."""
    dealt = {hand.seat.number: hand for hand in hands_of(table)}
    kept = {number: (hand.dealt, hand.held) for number, hand in dealt.items()}
    redeal_hidden(table, seat, rng)
    try:
        yield
    finally:
        for hand in dealt.values():
            hand.dealt, hand.held = kept[hand.seat.number]
            hand.save()
        tell_in_events(table)


def hands_of(table: Table) -> list[Hand]:
    return list(
        Hand.objects.filter(round__game=table.id, round__number=table.state.round_number)
        .select_related("seat")
        .order_by("seat__number")
    )


def redeal_hidden(table: Table, seat: int | None, rng: random.Random) -> None:
    """Deal the cards that *seat* can't see anew among the others, each getting as many as it holds."""
    others = [hand for hand in hands_of(table) if hand.seat.number != seat]
    hidden = [card for hand in others for card in members(hand.held)]
    rng.shuffle(hidden)
    for hand in others:
        played: Cards = hand.dealt & ~hand.held
        number = hand.held.bit_count()
        hand.held, hidden = sum(1 << card for card in hidden[:number]), hidden[number:]
        hand.dealt = played | hand.held
        hand.save()
    tell_in_events(table)


def tell_in_events(table: Table) -> None:
    """Make the event of the running deal tell of the hands as they are now."""
    deal = Event.objects.filter(game=table.id, type="round.dealt").latest("version")
    deal.private = {
        str(hand.seat.number): {"hand": [name(card) for card in members(hand.dealt)]} for hand in hands_of(table)
    }
    deal.save()
