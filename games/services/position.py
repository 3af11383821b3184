"""Where a game stands, on its row: the position, the turn and its deadline."""

from datetime import timedelta
from typing import Any

from callbreak_site.outbox.services import emit
from games.models import GameStatus
from games.rules.cards import name
from games.rules.state import LastTrick, RoundScore, State
from games.selectors.rows import Rows
from games.services.journal import Journal

POSITION = (
    "version", "changed_at", "status", "started_at", "ended_at", "turn_seat", "turn_action", "turn_ends_at",
    "is_bots_turn", "round_number", "dealer", "redeals", "trick_number", "trick_leader", "trick_cards", "last_trick",
    "last_acts", "is_finish_agreed",
)  # fmt: skip


def take_position(rows: Rows, state: State) -> None:
    """Put where *state* stands on the game's row, with the new turn's deadline."""
    game = rows.game
    game.round_number, game.dealer, game.redeals = state.round_number, state.dealer, state.redeals
    game.trick_number, game.trick_leader = state.trick_number, state.trick.leader
    game.trick_cards = [name(card) for card in state.trick.cards]
    if state.last_trick:
        game.last_trick = last_trick_as_json(state.last_trick)
    game.turn_seat = state.turn
    game.turn_action = None if state.turn is None else state.phase.value
    game.turn_ends_at = None
    game.is_bots_turn = is_bots_turn(rows, state)
    if game.per_turn_s and state.turn is not None:
        game.turn_ends_at = rows.now + timedelta(seconds=game.per_turn_s)


def is_bots_turn(rows: Rows, state: State) -> bool:
    """Tell whether a bot holds the seat on turn."""
    return state.turn is not None and rows.seat(state.turn).bot_level is not None


def last_trick_as_json(last: LastTrick) -> dict[str, Any]:
    """Return the trick that ended last as the game's row has it."""
    return {
        "round": last.round_number,
        "number": last.number,
        "leader": last.trick.leader,
        "cards": [name(card) for card in last.trick.cards],
    }


def score_as_json(score: RoundScore) -> dict[str, Any]:
    """Return a finished round as the game's row has it."""
    return {"bids": list(score.bids), "tricks": list(score.tricks), "scores_tenths": list(score.scores_tenths)}


def hand_turn_to_bot(rows: Rows) -> None:
    """Make the running turn a bot's and call one; the caller saves the game."""
    rows.game.is_bots_turn = True
    emit("turn.started", rows.game.id.hex)


def save_position(rows: Rows, journal: Journal) -> None:
    """Store the events and where the game stands: the last two statements of a change."""
    journal.write()
    rows.game.save(update_fields=POSITION)


def end_running(rows: Rows, status: GameStatus) -> None:
    """Take a game off the turn and give it its last status; the caller saves it."""
    game = rows.game
    game.status, game.ended_at = status, rows.now
    game.turn_seat = game.turn_action = game.turn_ends_at = None
    game.is_bots_turn = False
