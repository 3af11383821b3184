"""How a game was dealt, for a page that checks it: the proofs beside the hands that the record has."""

from collections.abc import Iterable, Sequence
from typing import Any

from games.presenters.events import EventRecord
from games.presenters.rounds import RoundRecord
from games.presenters.table import Table
from games.rules.cards import names


def deals(
    table: Table, rounds: Sequence[RoundRecord], proofs: Iterable[dict[str, Any]], events: Iterable[EventRecord]
) -> dict[str, Any]:
    """Return the *proofs*, the draw's first, each with the hands of its round once that is over.

    `deals` of a round has what was dealt before it was dealt again, and why; `drawn` has each seat's card, if seats
    were drawn.
    """
    by_number = {row.number: row for row in rounds}
    dealt: dict[int, list[EventRecord]] = {}
    for told in events:
        if told.type == "round.dealt":
            dealt.setdefault(told.public["round"], []).append(told)
    return {
        "game_id": table.id,
        "seating": table.ruleset.seating,
        "drawn": [seat.drawn_card if seat else None for seat in table.seats],
        "rounds": [proof | _recorded(by_number.get(proof["round"]), dealt.get(proof["round"], ())) for proof in proofs],
    }


def _recorded(row: RoundRecord | None, dealt: Sequence[EventRecord]) -> dict[str, Any]:
    if row is None or not row.is_finished:
        return {"hands": None, "deals": []}
    return {
        "hands": [names(hand.dealt) for hand in row.hands],
        "deals": [
            {"hands": [told.private[str(seat)]["hand"] for seat in range(4)], **redeal}
            for told, redeal in zip(dealt, row.redeals, strict=False)
        ],
    }
