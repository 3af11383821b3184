"""One round of a game that is over, step by step: 0 is the deal, 1–4 the bids, 5–56 the cards."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.presenters.events import EventRecord
from games.rules.cards import Card
from games.rules.record import Record, states
from games.rules.state import State, new_game
from games.rules.trick import SEATS

LAST_STEP = 56


@dataclass(frozen=True)
class Step:
    """What lies open after an act; *seat* made it (None: the cards were dealt), by a *bid* or a *card*.

    *trick* has a card for each seat that has played to it and stays until the next one is led; *winner* is None until
    it is whole. *turn* acts next, None when the round is over.
    """

    seat: int | None
    bid: int | None
    card: Card | None
    bids: tuple[int | None, ...]
    tricks: tuple[int, ...]
    trick_number: int
    trick: tuple[Card | None, ...]
    winner: int | None
    turn: int | None


def steps(record: Record, number: int) -> list[Step]:
    """Return the steps of a round, which is numbered from 1; raises IllegalAct when it cannot have been played.

    >>> from games.rules.cards import SUIT_CARDS
    >>> from games.rules.record import RoundRecord
    >>> from games.rules.ruleset import LITE
    >>> spades_to_seat_3 = RoundRecord(
    ...     dealer=2,
    ...     dealt=SUIT_CARDS,
    ...     bids=(1, 1, 1, 13),
    ...     plays=tuple(13 * suit + rank for rank in range(13) for suit in (3, 0, 1, 2)),
    ... )
    >>> shown = steps(Record(LITE, ("ann", "bob", "cat", "dan"), (spades_to_seat_3,)), 1)
    >>> len(shown), shown[1].seat, shown[1].bids
    (57, 3, (None, None, None, 13))
    >>> shown[8].trick, shown[8].winner, shown[8].tricks, shown[8].turn
    ((0, 13, 26, 39), 3, (0, 0, 0, 1), 3)
    >>> shown[56].tricks, shown[56].turn
    ((0, 0, 0, 13), None)
    """
    played = record.rounds[number - 1]
    opening = new_game(record.ruleset, played.dealer)._replace(round_number=number)
    seen = list(states(opening, played))
    return [_dealt(seen[0]), *(_step(before, after) for before, after in pairwise(seen))]


def _dealt(state: State) -> Step:
    return Step(None, None, None, (None,) * SEATS, (0,) * SEATS, 1, (None,) * SEATS, None, state.turn)


def _step(before: State, after: State) -> Step:
    """Return the step between two states, of which the last one has only the scores of the round left."""
    seat = before.turn
    assert seat is not None
    is_over = len(after.rounds) > len(before.rounds)
    scored = after.rounds[-1] if is_over else None
    bids = scored.bids if scored else tuple(hand.bid for hand in after.hands)
    tricks = scored.tricks if scored else tuple(hand.tricks for hand in after.hands)
    is_trick_over = after.last_trick is not None and after.last_trick != before.last_trick
    trick = after.last_trick.trick if is_trick_over and after.last_trick else after.trick
    by_seat = dict(trick.plays())
    return Step(
        seat=seat,
        bid=bids[seat] if before.hands[seat].bid is None else None,
        card=by_seat.get(seat),
        bids=bids,
        tricks=tricks,
        trick_number=before.trick_number,
        trick=tuple(by_seat.get(number) for number in range(SEATS)),
        winner=trick.winner if is_trick_over else None,
        turn=None if is_over else after.turn,
    )


def made_for(
    record: Record, events: Sequence[EventRecord], owned: Collection[int | None], number: int
) -> dict[int, str]:
    """Return by step who acted in a round for the people of the *owned* seats: `bot`, or `rule` for the only card."""
    made = {act + 1: "bot" for act in record.rounds[number - 1].stand_ins}
    step = 0
    for told in events:
        if told.public.get("round") != number:
            continue
        if told.type == "round.dealt":
            step = 0
        elif told.type in ("bid.made", "card.played"):
            step += 1
            if told.public["by"] == "rule" and told.seat in owned:
                made[step] = "rule"
    return made
