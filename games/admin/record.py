"""The readable record of one game: made by the presenters, like everything that leaves, with a spectator's eyes."""

import uuid
from typing import Any

from django.urls import reverse

from games.presenters.events import event
from games.presenters.rounds import round_in_full
from games.presenters.state import game_state
from games.presenters.story import in_words, pretty
from games.presenters.table import Table
from games.selectors.events import chapters, events_between
from games.selectors.rounds import round_record
from games.selectors.stories import holders, table_to_judge

SPECTATOR = None
EVENTS_SHOWN = 300


def record_of(game_id: uuid.UUID, wanted_round: str, wanted_version: str) -> dict[str, Any]:
    """Return what the page shows: the state, and the chapter of one round, the latest unless another is *wanted_round*.

    A chapter that is longer than a page begins at *wanted_version*.
    """
    table = table_to_judge(game_id)
    begins = chapters(game_id)
    number = min(_number(wanted_round, len(begins) - 1), len(begins) - 1)
    before = begins[number + 1] if number + 1 < len(begins) else None
    first = max(begins[number], _number(wanted_version, 0))
    records = events_between(game_id, first, before, EVENTS_SHOWN + 1)
    held = holders(game_id)
    played = round_record(game_id, number) if number else None
    state = game_state(table, SPECTATOR)
    return {
        "table": table,
        "state": state,
        "seats": _seats(table, state["seats"]),
        "turn_lasts": _lasts(table.per_turn_s),
        "waits_for": _waits_for(table, state["turn"]),
        "chapter": number,
        "chapters": range(len(begins)),
        "events": [
            {"version": record.version, "at": record.at, "sentence": in_words(event(record, SPECTATOR), held)}
            for record in records[:EVENTS_SHOWN]
        ],
        "next_version": records[EVENTS_SHOWN].version if len(records) > EVENTS_SHOWN else None,
        "round": _readable(round_in_full(played, SPECTATOR)) if played else None,
    }


def _seats(table: Table, shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the *shown* seats, each with the page of its player."""
    pages = [
        reverse("admin:players_player_change", args=[seat.player_id]) if seat and seat.player_id else None
        for seat in table.seats
    ]
    return [{**seat, "url": page} for seat, page in zip(shown, pages, strict=True)]


def _waits_for(table: Table, turn: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return for whom the game waits, to do what and since or until when; None unless it is active."""
    if turn is None:
        return None
    seat = table.seats[turn["seat"]]
    is_late = not table.is_bots_turn and table.turn_ends_at is not None and table.turn_ends_at < table.now
    return {
        "name": seat.username if seat else "",
        "seat": turn["seat"],
        "action": turn["action"],
        "is_bots_turn": table.is_bots_turn,
        "ends_at": table.turn_ends_at,
        "late_since": table.turn_ends_at if is_late else None,
    }


def _readable(shown: dict[str, Any]) -> dict[str, Any]:
    """Return a round with its tricks by seat and its cards as people write them."""
    tricks = []
    for trick in shown["tricks"]:
        by_seat: list[dict[str, Any] | None] = [None] * 4
        for play in trick["plays"]:
            by_seat[play["seat"]] = _card(play["card"])
        tricks.append({**trick, "cards": by_seat})
    hands = [{**hand, "dealt": [_card(dealt) for dealt in hand["dealt"] or ()]} for hand in shown["hands"]]
    return {**shown, "tricks": tricks, "hands": hands}


def _card(name: str) -> dict[str, Any]:
    return {"text": pretty(name), "is_red": name[1] in "DH"}


def _lasts(seconds: int | None) -> str:
    """Return how long a turn may take, for people.

    >>> _lasts(86_400), _lasts(90), _lasts(30), _lasts(None)
    ('24 h', '90 s', '30 s', '')
    """
    if seconds is None:
        return ""
    unit, name = next(unit for unit in ((3600, "h"), (60, "min"), (1, "s")) if seconds % unit[0] == 0)
    return f"{seconds // unit} {name}"


def _number(text: str, otherwise: int) -> int:
    """Return the number that *text* is, unless it is none or absurd."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise
