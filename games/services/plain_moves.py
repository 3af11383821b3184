"""A move after which somebody has to choose or the game is over: what was read in one statement is changed in one.

The statement changes nothing unless the game still is at the version that the move was decided on and the turn's time
is not over. What else can follow (a redeal, a card that plays itself) is done under the game's lock, by `table`.
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
from games.doorbell import ring_after_commit
from games.models import GameStatus
from games.presenters.table import SeatRecord, Table
from games.rules import state as rules
from games.rules.cards import name
from games.rules.scoring import places
from games.rules.state import Phase, State
from games.selectors.snapshot import Snapshot
from games.services.dealing import next_deal
from games.services.ending import finished
from games.services.move_statements import (
    A_BID,
    A_CARD,
    A_LEAD,
    THE_LAST_OF_A_GAME,
    THE_LAST_OF_A_ROUND,
    THE_LAST_OF_A_TRICK,
)
from games.services.moves import Move
from games.services.position import last_trick_as_json, score_as_json
from games.services.progress import forced_card


def with_consequence(table: Table, move: Move) -> Move:
    """Return *move* with what follows from it at once: the next deal, or the end of the game."""
    if move.after.phase is Phase.DEAL:
        after, dealt = next_deal(table, move.after)
        return replace(move, after=after, notes=(*move.notes, dealt))
    if move.after.phase is Phase.OVER:
        return replace(move, notes=(*move.notes, finished(move.after)))
    return move


def is_plain(table: Table, move: Move) -> bool:
    """Tell whether after a move, with its consequence, somebody has to choose or the game is over."""
    after = move.after
    return rules.redeal_reason(after) is None and forced_card(after, is_for_bot=is_bots(table, after.turn)) is None


def make_plain_move(snapshot: Snapshot, move: Move) -> Table | None:
    """Store a plain move and return the table after it; None, with nothing stored, if the game has moved on since."""
    table, after = snapshot.table, move.after
    is_bot_next, is_over = is_bots(table, after.turn), after.phase is Phase.OVER
    # A bot's worker goes on with a run of bot turns by itself.
    fact = "game.finished" if is_over else "turn.started" if is_bot_next and not table.is_bots_turn else None
    sql, params = _statement_of(snapshot, move, is_bot_next)
    with transaction.atomic() if fact else nullcontext():
        row = write_row(sql, params)
        if row is None:
            return None
        if fact:
            emit(fact, table.id)
        if connection.in_atomic_block:
            failpoint("move.before_commit")
    transaction.on_commit(partial(failpoint, "move.after_commit"))
    ring_after_commit(table.id)
    version, changed_at, turn_ends_at = row
    return replace(
        table,
        version=version,
        status=GameStatus.FINISHED.value if is_over else table.status,
        ended_at=changed_at if is_over else None,
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
    params |= _scores_of(snapshot, move)
    if after.phase is Phase.OVER:
        return THE_LAST_OF_A_GAME, params | {"places": list(places(after.totals_tenths))}
    return THE_LAST_OF_A_ROUND, params | {
        "places": [None] * 4,
        "round_number": after.round_number,
        "dealer": after.dealer,
        "dealt": [hand.dealt for hand in after.hands],
        "told_apart": as_text(move.notes[-1].private),
    }


def _scores_of(snapshot: Snapshot, move: Move) -> dict[str, Any]:
    score, (_, _, scored, following) = move.after.rounds[-1], move.notes
    return {
        "hands": list(snapshot.hand_ids),
        "tricks": list(score.tricks),
        "scores": list(score.scores_tenths),
        "totals": list(move.after.totals_tenths),
        "score": as_text([score_as_json(score)]),
        "scored": as_text(scored.public),
        "told": as_text(following.public),
    }


def _with_totals(table: Table, state: State) -> tuple[SeatRecord | None, ...]:
    totals = state.totals_tenths
    final = places(totals) if state.phase is Phase.OVER else (None,) * 4
    return tuple(
        seat and replace(seat, total_tenths=totals[seat.number], place=final[seat.number]) for seat in table.seats
    )


def as_text(value: Any) -> str:
    """Return *value* as JSON for a column."""
    return msgspec.json.encode(value).decode()
