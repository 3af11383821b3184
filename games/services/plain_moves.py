"""A move after which only the turn passes on, as nearly every one: what was read in one statement is changed in one.

The statement changes nothing unless the game still is at the version that the move was decided on and the turn's time
is not over. What more can follow (a new deal, a card that plays itself, the end) is done under the game's lock, by
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
from games.presenters.table import Table
from games.rules import state as rules
from games.rules.cards import name
from games.rules.state import Phase
from games.selectors.snapshot import Snapshot
from games.services.moves import GRACE, Move
from games.services.position import last_trick_as_json
from games.services.progress import forced_card

BID = "hand AS (UPDATE games_hand SET bid = %(bid)s FROM moved WHERE games_hand.id = %(hand)s)"
PLAY = """
    play AS (
        INSERT INTO games_play (round_id, trick_number, "order", seat, card)
        SELECT %(round)s, %(trick)s, %(order)s, %(seat)s, %(card)s FROM moved
    ), hand AS (
        UPDATE games_hand SET held = held - (1::bigint << %(card)s) FROM moved WHERE games_hand.id = %(hand)s
    )"""
LEAD = """
    trick AS (INSERT INTO games_trick (round_id, number, leader) SELECT %(round)s, %(trick)s, %(seat)s FROM moved)"""
WIN = """
    trick AS (
        UPDATE games_trick SET winner = %(winner)s FROM moved WHERE round_id = %(round)s AND number = %(trick)s
    ), won_event AS (
        INSERT INTO games_event (game_id, version, type, seat, at, public, private)
        SELECT id, version, %(won_type)s, %(winner)s, changed_at, %(won_public)s::jsonb, '{}' FROM moved
    )"""
# One row can't be changed twice in a statement: the winner's hand may be the one that the card came from.
PLAY_AND_WIN = PLAY.replace(
    "FROM moved WHERE games_hand.id = %(hand)s",
    """* (games_hand.id = %(hand)s)::int, tricks = tricks + (games_hand.id = %(winning_hand)s)::int
        FROM moved WHERE games_hand.id IN (%(hand)s, %(winning_hand)s)""",
)
TRICK = ", trick_number = %(trick_number)s, trick_leader = %(leader)s, trick_cards = %(cards)s::jsonb"
LAST_TRICK = ", last_trick = %(last_trick)s::jsonb"


def statement(*changes: str, position: str = "") -> str:
    """Return the statement that moves a game on, with *changes* to its other rows and to more of its *position*."""
    return f"""
    WITH moved AS (
        UPDATE games_game SET
            version = version + %(events)s, changed_at = statement_timestamp(), turn_seat = %(turn)s,
            turn_action = %(action)s, turn_ends_at = statement_timestamp() + make_interval(secs => per_turn_s),
            is_bots_turn = %(is_bots_turn)s, last_acts = %(last_acts)s::jsonb{position}
        WHERE id = %(game)s AND version = %(version)s AND status = 'active'
          AND (is_bots_turn OR turn_ends_at IS NULL
               OR statement_timestamp() <= turn_ends_at + make_interval(secs => {GRACE.total_seconds()}))
        RETURNING id, version, changed_at, turn_ends_at
    ), event AS (
        INSERT INTO games_event (game_id, version, type, seat, at, public, private)
        SELECT id, %(version)s + 1, %(type)s, %(seat)s, changed_at, %(public)s::jsonb, '{{}}' FROM moved
    ), {", ".join(changes)}
    SELECT version, changed_at, turn_ends_at FROM moved
    """  # noqa: S608 - made of constants


A_BID = statement(BID)
A_LEAD = statement(PLAY, LEAD, position=TRICK)
A_CARD = statement(PLAY, position=TRICK)
A_LAST_CARD = statement(PLAY_AND_WIN, WIN, position=TRICK + LAST_TRICK)


def is_plain(table: Table, move: Move) -> bool:
    """Tell whether nothing follows a move but the next seat's turn."""
    after = move.after
    return (
        after.phase in (Phase.BID, Phase.PLAY)
        and len(after.rounds) == len(move.before.rounds)
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
        table, version=version, state=after, turn_ends_at=turn_ends_at, is_bots_turn=is_bot_next, now=changed_at
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
    return A_LAST_CARD, params | {
        "winner": won.seat,
        "winning_hand": snapshot.hand_ids[won.seat],
        "won_type": won.type.value,
        "won_public": as_text(won.public),
        "last_trick": as_text(last_trick_as_json(after.last_trick)),
    }


def as_text(value: Any) -> str:
    """Return *value* as JSON for a column."""
    return msgspec.json.encode(value).decode()
