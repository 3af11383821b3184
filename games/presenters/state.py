"""The state of a game as one viewer sees it, as plain data: the same for every way out."""

import uuid
from typing import Any

from callbreak_site.times import timestamp
from games.presenters.table import SeatRecord, Table
from games.rules.cards import name, names
from games.rules.ruleset import as_json
from games.rules.scoring import gaps, points
from games.rules.shuffle import SCHEME
from games.rules.state import LastTrick, Phase, RoundScore
from games.rules.trick import Trick
from games.rules.view import View, view


def game_state(table: Table, viewer_id: uuid.UUID | None) -> dict[str, Any]:
    """Return the state of *table* as *viewer_id* may see it; None is somebody without an account."""
    seat = table.seat_of(viewer_id)
    seen = view(table.state, seat) if table.state else None
    shown = {
        **summary(table),
        "seats": [_seat(table, number, seat, seen) for number, seat in enumerate(table.seats)],
        "round": _round(table, seen),
        "you": None if seat is None else _you(table, seat, seen),
        "scoreboard": [
            _scored_round(number, score) for number, score in enumerate(seen.rounds if seen else (), start=1)
        ],
        "totals": [points(total) for total in (seen.totals_tenths if seen else (0, 0, 0, 0))],
        "final_round": _final_round(table, seen),
        "result": _result(table, seen),
        "fairness": {"scheme": SCHEME, "seeded": [bool(s and s.client_seed) for s in table.seats]},
        "creator": next((s.username for s in table.seats if s and s.player_id == table.creator_id), None),
        "void_reason": table.void_reason or None,
    }
    if table.is_member(viewer_id):
        shown["invite"] = table.invite
    return shown


def summary(table: Table) -> dict[str, Any]:
    """Return what everybody who may see *table* sees of it at a glance: the form of the lists."""
    return {
        "id": table.id,
        "version": table.version,
        "status": table.status,
        "visibility": table.visibility,
        "rated": False,
        "ruleset": as_json(table.ruleset),
        "time_control": {"kind": table.clock_kind, "per_turn": table.per_turn_s},
        "fill_with": table.fill_with,
        "created_at": timestamp(table.created_at),
        "started_at": timestamp(table.started_at),
        "ended_at": timestamp(table.ended_at),
        "seats": [_place(number, seat) for number, seat in enumerate(table.seats)],
        "turn": turn(table),
    }


def seconds_left(table: Table) -> int | None:
    """Return the whole seconds that the running turn has left, never below 0; None when untimed."""
    if table.turn_ends_at is None:
        return None
    return max(0, int((table.turn_ends_at - table.now).total_seconds()))


def turn(table: Table) -> dict[str, Any] | None:
    """Return whose turn it is, to do what, until when; None unless the game is active."""
    if table.state is None or table.status != "active":
        return None
    return {
        "seat": table.state.turn,
        "action": "bid" if table.state.phase is Phase.BID else "play",
        "deadline": timestamp(table.turn_ends_at),
        "seconds_left": seconds_left(table),
    }


def _place(number: int, seat: SeatRecord | None) -> dict[str, Any]:
    return {
        "seat": number,
        "player": seat.username if seat else None,
        "kind": seat.kind if seat else None,
        "bot_level": seat.bot_level if seat else None,
        "score": points(seat.total_tenths if seat else 0),
        "place": seat.place if seat else None,
    }


def _seat(table: Table, number: int, seat: SeatRecord | None, seen: View | None) -> dict[str, Any]:
    bids, tricks, cards = _current_hands(table, seen)
    return _place(number, seat) | {
        "drawn_card": seat.drawn_card if seat else None,
        "bid": bids[number],
        "tricks": tricks[number],
        "cards": cards[number],
        "wants_to_finish": bool(seat and seat.wants_to_finish),
    }


def _current_hands(table: Table, seen: View | None) -> tuple[tuple[int | None, ...], tuple[int, ...], tuple[int, ...]]:
    """Return bids, tricks and numbers of cards of the running round, or of the last scored one of a finished game."""
    if seen is None:
        return (None,) * 4, (0,) * 4, (0,) * 4
    if table.status == "active":
        return seen.bids, seen.tricks_won, seen.cards_held
    if table.status == "finished" and seen.rounds:
        return seen.rounds[-1].bids, seen.rounds[-1].tricks, (0,) * 4
    return (None,) * 4, (0,) * 4, (0,) * 4


def _round(table: Table, seen: View | None) -> dict[str, Any] | None:
    if seen is None or table.status not in ("active", "finished"):
        return None
    return {
        "number": seen.round_number,
        "of": table.ruleset.rounds,
        "dealer": seen.dealer,
        "trick_number": seen.trick_number,
        "leader": seen.trick.leader,
        "trick": _plays(seen.trick),
        "last_trick": _last_trick(seen.last_trick),
    }


def _last_trick(last: LastTrick | None) -> dict[str, Any] | None:
    if last is None:
        return None
    return {
        "round": last.round_number,
        "number": last.number,
        "leader": last.trick.leader,
        "plays": _plays(last.trick),
        "winner": last.trick.winner,
    }


def _plays(trick: Trick) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": name(card)} for seat, card in trick.plays()]


def _you(table: Table, seat: int, seen: View | None) -> dict[str, Any]:
    is_active = seen is not None and table.status == "active"
    return {
        "seat": seat,
        "hand": names(seen.hand) if seen and is_active else [],
        "legal_bids": list(seen.legal_bids) if seen and is_active and seen.legal_bids is not None else None,
        "legal_plays": names(seen.legal_plays) if seen and is_active and seen.legal_plays is not None else None,
    }


def _scored_round(number: int, score: RoundScore) -> dict[str, Any]:
    return {
        "round": number,
        "bids": list(score.bids),
        "tricks": list(score.tricks),
        "scores": [points(tenths) for tenths in score.scores_tenths],
    }


def _final_round(table: Table, seen: View | None) -> list[dict[str, Any]] | None:
    if seen is None or table.status != "active" or not seen.is_final_round:
        return None
    totals = seen.totals_tenths
    return [
        {"seat": seat, "total": points(totals[seat]), "gaps": [points(gap) for gap in gaps(totals, seat)]}
        for seat in range(4)
    ]


def _result(table: Table, seen: View | None) -> dict[str, Any] | None:
    if seen is None or table.status != "finished":
        return None
    places = [seat.place for seat in table.seats if seat]
    return {
        "places": places,
        "winners": [number for number, place in enumerate(places) if place == 1],
        "totals": [points(total) for total in seen.totals_tenths],
    }
