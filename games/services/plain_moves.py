"""A move after which somebody else has to choose, as nearly every one: what was read in one statement changes in one.

The statement changes nothing unless the game still is at the version that the move was decided on and the turn's time
is not over. What more can follow (a redeal, a card that plays itself, the end) is done under the game's lock, by
`table`.
"""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from django.db import connection, transaction

from callbreak_site.failpoints import failpoint
from callbreak_site.outbox.services import emit
from callbreak_site.prepared import write_row
from games.presenters.table import SeatRecord, Table
from games.rules import state as rules
from games.rules.cards import name
from games.rules.state import Phase, State
from games.selectors.snapshot import Snapshot
from games.services.move_statements import A_BID, A_CARD, A_LEAD, THE_LAST_OF_A_ROUND, THE_LAST_OF_A_TRICK
from games.services.moves import Move
from games.services.position import last_trick_as_json, score_as_json
from games.services.progress import forced_card


def is_plain(table: Table, move: Move) -> bool:
    """Tell whether nothing follows a move, or the deal that it comes with, but the next seat's turn."""
    after = move.after
    return (
        after.phase in (Phase.BID, Phase.PLAY)
        and rules.redeal_reason(after) is None
        and forced_card(after, is_for_bot=is_bots(table, after.turn)) is None
    )


def make_plain_move(snapshot: Snapshot, move: Move) -> Table | None:
    """Store a plain move and return the table after it; None, with nothing stored, if the game has moved on since."""
    table, after = snapshot.table, move.after
    is_bot_next = is_bots(table, after.turn)
    wakes_bot = is_bot_next and not table.is_bots_turn  # a bot's worker goes on with a run of bot turns by itself
    sql, params = _statement_of(snapshot, move, is_bot_next)
    with transaction.atomic() if wakes_bot else nullcontext():
        row = write_row(sql, params)
        if row is None:
            return None
        if wakes_bot:
            emit("turn.started", table.id)
        if connection.in_atomic_block:
            failpoint("move.before_commit")
    transaction.on_commit(partial(failpoint, "move.after_commit"))
    version, changed_at, turn_ends_at = row
    return replace(
        table,
        version=version,
        state=after,
        seats=_with_totals(table, after) if len(after.rounds) > len(move.before.rounds) else table.seats,
        turn_ends_at=turn_ends_at,
        is_bots_turn=is_bot_next,
        now=changed_at,
    )


def is_bots(table: Table, seat: int | None) -> bool:
    """Tell whether a bot holds *seat*."""
    holder = None if seat is None else table.seats[seat]
    return holder is not None and holder.bot_level is not None


def _statement_of(snapshot: Snapshot, move: Move, is_bot_next: bool) -> tuple[str, dict[str, Any]]:
    before, after, seat = move.before, move.after, move.seat
    acts = list(snapshot.last_acts)
    acts[seat] = move.act
    params: dict[str, Any] = {
        "game": snapshot.game_id,
        "version": snapshot.table.version,
        "events": len(move.notes),
        "turn": after.turn,
        "action": after.phase.value,
        "is_bots_turn": is_bot_next,
        "last_acts": as_text(acts),
        "seat": seat,
        "hand": snapshot.hand_ids[seat],
        "type": move.notes[0].type.value,
        "public": as_text(move.notes[0].public),
    }
    if move.card is None:
        return A_BID, params | {"bid": move.bid}
    order = len(before.trick.cards)
    params |= {
        "round": snapshot.round_id,
        "trick": before.trick_number,
        "order": order,
        "card": move.card,
        "trick_number": after.trick_number,
        "leader": after.trick.leader,
        "cards": as_text([name(card) for card in after.trick.cards]),
    }
    if order < 3:
        return A_CARD if order else A_LEAD, params
    assert after.last_trick is not None
    won = move.notes[1]
    params |= {
        "winner": won.seat,
        "won": as_text(won.public),
        "last_trick": as_text(last_trick_as_json(after.last_trick)),
    }
    if len(after.rounds) == len(before.rounds):
        return THE_LAST_OF_A_TRICK, params | {"winning_hand": snapshot.hand_ids[won.seat or 0]}
    return THE_LAST_OF_A_ROUND, params | _round_of(snapshot, move)


def _round_of(snapshot: Snapshot, move: Move) -> dict[str, Any]:
    after, (_, _, scored, dealt) = move.after, move.notes
    score = after.rounds[-1]
    return {
        "hands": list(snapshot.hand_ids),
        "tricks": list(score.tricks),
        "scores": list(score.scores_tenths),
        "totals": list(after.totals_tenths),
        "score": as_text([score_as_json(score)]),
        "scored": as_text(scored.public),
        "round_number": after.round_number,
        "dealer": after.dealer,
        "dealt": [hand.dealt for hand in after.hands],
        "told": as_text(dealt.public),
        "told_apart": as_text(dealt.private),
    }


def _with_totals(table: Table, state: State) -> tuple[SeatRecord | None, ...]:
    totals = state.totals_tenths
    return tuple(seat and replace(seat, total_tenths=totals[seat.number]) for seat in table.seats)


def as_text(value: Any) -> str:
    """Return *value* as JSON for a column."""
    return msgspec.json.encode(value).decode()
