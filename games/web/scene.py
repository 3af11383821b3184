"""A table as a page shows it: the viewer in front, the seats around, the hand with a reason for each card held back."""

import uuid
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games.presenters.state import game_state
from games.presenters.table import Table
from games.rules.cards import card, members, name
from games.rules.trick import broken_rule
from games.rules.view import View, view
from games.web.words import card_in_words, level_in_words, rule_in_words, ruleset_in_words, seat_in_words

SIDES = ("south", "east", "north", "west")
"""Where the seats are, from the one in front on in the order of play, which goes round against the clock."""
BIG_BIDS = 5
"""How many bids are shown before one asks for more: few hands are worth a higher one."""


def scene(table: Table, viewer_id: uuid.UUID | None) -> dict[str, Any]:
    """Return what the page of *table* shows to *viewer_id*, who may see it."""
    state = game_state(table, viewer_id)
    me = table.seat_of(viewer_id)
    seen = view(table.state, me) if table.state else None
    front = me or 0
    names = {number: seat_in_words(table, number) for number in range(4)}
    places = [_place(state, names, (front + turn) % 4, side, me) for turn, side in enumerate(SIDES)]
    is_my_turn = me is not None and state["turn"] is not None and state["turn"]["seat"] == me and not table.is_bots_turn
    legal_bids = (state["you"] or {}).get("legal_bids") if is_my_turn else None
    return {
        "state": state,
        "table": table,
        "rules": ruleset_in_words(table.ruleset),
        "me": me,
        "places": places,
        "names": names,
        "columns": [_("You") if seat == me else names[seat] for seat in range(4)],
        "is_my_turn": is_my_turn,
        "hand": list(_hand(seen, is_my_turn)) if seen and me is not None and table.status == "active" else [],
        "bids": legal_bids and {"first": legal_bids[:BIG_BIDS], "more": legal_bids[BIG_BIDS:]},
        "trick": _trick(state, front),
        "last_trick": _last_trick(state, names),
        "headline": headline(state, me, names, is_my_turn),
        "rounds": [_round(row) for row in state["scoreboard"]],
        "chase": list(_chase(state, me, names)),
        "finish": _finish(state, names),
        "my_vote": me is not None and state["seats"][me]["wants_to_finish"],
    }


def headline(state: dict[str, Any], me: int | None, names: dict[int, str], is_my_turn: bool) -> str:
    """Return in a few words what the table waits for."""
    turn = state["turn"]
    if turn is None:
        return {"finished": _("The game is over."), "void": _("This game does not count."), "open": ""}.get(
            state["status"], _("The game was cancelled.")
        )
    if is_my_turn:
        return _("Your call") if turn["action"] == "bid" else _("Your turn")
    if turn["seat"] == me:
        return _("Your time ran out: a bot plays for you.")
    who = {"player": names[turn["seat"]]}
    return (_("%(player)s calls …") if turn["action"] == "bid" else _("%(player)s plays …")) % who


def _place(state: dict[str, Any], names: dict[int, str], number: int, side: str, me: int | None) -> dict[str, Any]:
    seat, turn, running = state["seats"][number], state["turn"], state["round"]
    return seat | {
        "side": side,
        "name": names[number],
        "level": level_in_words(seat["bot_level"]),
        "is_me": number == me,
        "is_on_turn": bool(turn) and turn["seat"] == number,
        "is_dealer": bool(running) and running["dealer"] == number,
        "is_made": seat["bid"] is not None and seat["tricks"] >= seat["bid"],
        "total": state["totals"][number],
    }


def _hand(seen: View, is_my_turn: bool) -> Iterator[dict[str, Any]]:
    for held in members(seen.hand):
        why = ""
        is_legal = is_my_turn and bool((seen.legal_plays or 0) >> held & 1)
        if is_my_turn and seen.legal_plays is not None and not is_legal:
            why = rule_in_words(broken_rule(held, seen.hand, seen.trick, seen.ruleset), seen.trick)
        yield {"card": name(held), "label": card_in_words(held), "is_legal": is_legal, "why": why}


def _trick(state: dict[str, Any], front: int) -> list[dict[str, Any]]:
    plays = {play["seat"]: play["card"] for play in (state["round"] or {}).get("trick", ())}
    return [
        {"seat": seat, "side": side, "card": plays.get(seat), "label": _label(plays.get(seat))}
        for turn, side in enumerate(SIDES)
        for seat in [(front + turn) % 4]
    ]


def _last_trick(state: dict[str, Any], names: dict[int, str]) -> dict[str, Any] | None:
    last = (state["round"] or {}).get("last_trick")
    if not last:
        return None
    plays = [{**play, "label": _label(play["card"]), "name": names[play["seat"]]} for play in last["plays"]]
    return {"plays": plays, "winner": names[last["winner"]], "number": last["number"], "winning_seat": last["winner"]}


def _label(text: str | None) -> str:
    return card_in_words(card(text)) if text else ""


def _round(row: dict[str, Any]) -> dict[str, Any]:
    cells = [
        {"bid": bid, "tricks": tricks, "score": score, "is_made": not score.startswith("-")}
        for bid, tricks, score in zip(row["bids"], row["tricks"], row["scores"], strict=True)
    ]
    return {"number": row["round"], "cells": cells}


def _chase(state: dict[str, Any], me: int | None, names: dict[int, str]) -> Iterator[str]:
    """Say, in the last round, what the viewer has over each other seat, or lacks."""
    for row in state["final_round"] or ():
        if row["seat"] != me:
            continue
        for seat, gap in enumerate(row["gaps"]):
            if seat == me:
                continue
            told = {"player": names[seat], "points": gap.lstrip("-")}
            if gap == "0.0":
                yield _("You and %(player)s are level.") % told
            elif gap.startswith("-"):
                yield _("You are %(points)s ahead of %(player)s.") % told
            else:
                yield _("You need %(points)s more than %(player)s to catch up.") % told


def _finish(state: dict[str, Any], names: dict[int, str]) -> list[dict[str, Any]]:
    result = state["result"]
    if not result:
        return []
    rows = [
        {"place": place, "seat": seat, "name": names[seat], "total": result["totals"][seat]}
        for seat, place in enumerate(result["places"])
    ]
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))
