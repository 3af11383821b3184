"""One step of a game that is over, as its page shows it, and every step of that round for the page's script."""

import uuid
from collections.abc import Collection
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.presenters.events import EventRecord
from games.presenters.replay import LAST_STEP, Step, made_for, steps
from games.presenters.table import Table
from games.rules.cards import Card, members, name
from games.rules.record import Record
from games.rules.scoring import places, points
from games.rules.state import RoundScore
from games.rules.trick import SEATS, TRICKS_A_ROUND
from games.web.scene import SIDES
from games.web.telling import words
from games.web.words import card_in_words, ruleset_in_words, seat_in_words


def playback(
    table: Table,
    record: Record,
    events: list[EventRecord],
    owned: Collection[int | None],
    viewer_id: uuid.UUID | None,
    number: int,
    step: int,
) -> dict[str, Any]:
    """Return what the page shows at *step* of round *number*, each taken as the nearest that there is."""
    assert table.state is not None
    number, step = max(1, min(number, len(record.rounds))), min(step, LAST_STEP)
    played, me = record.rounds[number - 1], table.seat_of(viewer_id)
    names = [_name(table, record, seat, owned) for seat in range(SEATS)]
    told = _told(steps(record, number), names, me, number, made_for(record, events, owned, number))
    here = told[step]
    gone = {each["card"] for each in told[: step + 1]}
    return {
        "game_id": table.id,
        "status": table.status,
        "rules": ruleset_in_words(table.ruleset),
        "ended_at": table.ended_at,
        "me": me,
        "number": number,
        "rounds": len(record.rounds),
        "step": step,
        "last_step": LAST_STEP,
        "here": here,
        "steps": told,
        "seats": [
            {
                "seat": seat,
                "side": SIDES[(seat - (me or 0)) % SEATS],
                "name": names[seat],
                "is_me": seat == me,
                "is_dealer": seat == played.dealer,
                "is_on_turn": seat == here["turn"],
                "bid": here["bids"][seat],
                "tricks": here["tricks"][seat],
                "is_made": here["bids"][seat] is not None and here["tricks"][seat] >= here["bids"][seat],
                "hand": [_held(card, gone) for card in members(played.dealt[seat])],
                "card": here["table"][seat],
            }
            for seat in range(SEATS)
        ],
        "redeals": [_redealt(reason, names, seat) for reason, seat in played.redeals],
        "bidding": _by_seat(told[1 : SEATS + 1]),
        "played_tricks": _tricks(told),
        "scores": _scores(table.state.rounds),
        "links": _links(table.id, number, step, len(record.rounds)),
        "path": reverse("replay", args=[table.id]),
    }


def _name(table: Table, record: Record, number: int, owned: Collection[int | None]) -> str:
    seat = table.seats[number]
    return seat_in_words(table, number) if seat and number not in owned else record.names[number]


def _held(card: Card, gone: Collection[str | None]) -> dict[str, Any]:
    return {"card": name(card), "label": card_in_words(card), "is_gone": name(card) in gone}


def _told(
    all_steps: list[Step], names: list[str], me: int | None, number: int, made: dict[int, str]
) -> list[dict[str, Any]]:
    """Return the steps of a round as data, each with the sentence that tells it."""
    patterns = words()["told"]

    def say(what: str, seat: int | None, **known: Any) -> str:
        pattern = patterns.get(f"{what}.me", patterns[what]) if seat is not None and seat == me else patterns[what]
        return pattern % {"player": names[seat or 0], "round": number, **known}

    told = []
    for at, step in enumerate(all_steps):
        if step.card is not None:
            said = say("card.played", step.seat, card=card_in_words(step.card))
        elif step.bid is not None:
            said = say("bid.made", step.seat, bid=step.bid)
        else:
            said = say("round.dealt", None)
        more = [] if step.winner is None else [say("trick.won", step.winner)]
        if at == LAST_STEP:
            more.append(say("round.scored", None))
        told.append(
            {
                "step": at,
                "seat": step.seat,
                "bid": step.bid,
                "card": None if step.card is None else name(step.card),
                "rank": "" if step.card is None else name(step.card)[0].replace("T", "10"),
                "suit": "" if step.card is None else name(step.card)[1],
                "bids": step.bids,
                "tricks": step.tricks,
                "trick": step.trick_number,
                "table": [None if card is None else name(card) for card in step.trick],
                "winner": step.winner,
                "turn": step.turn,
                "said": said,
                "more": " ".join(more),
                "mark": made.get(at, ""),
                "why": _why(made.get(at), names[step.seat or 0]),
            }
        )
    return told


def _why(made_by: str | None, player: str) -> str:
    """Return who acted in a person's place, if somebody did."""
    if made_by == "bot":
        return _("A bot did this for %(player)s.") % {"player": player}
    if made_by == "rule":
        return _("It was the only card allowed: it played itself.")
    return ""


def _redealt(reason: str, names: list[str], seat: int | None) -> str:
    """Return why a round was dealt again."""
    told = {"player": "" if seat is None else names[seat]}
    if reason == "no_spade":
        return _("%(player)s had no spade: the round was dealt again.") % told
    if reason == "no_honour":
        return _("%(player)s had no ace, king, queen or jack: the round was dealt again.") % told
    return _("The calls came to less than ten: the round was dealt again.")


def _tricks(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the tricks of a round, each with its four acts."""
    return [
        {
            "number": number,
            "acts": _by_seat(told[first : first + SEATS]),
            "leader": told[first]["seat"],
            "winner": told[first + SEATS - 1]["winner"],
        }
        for number in range(1, TRICKS_A_ROUND + 1)
        for first in [SEATS * number + 1]
    ]


def _by_seat(acts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(acts, key=lambda act: act["seat"])


def _scores(rounds: tuple[RoundScore, ...]) -> dict[str, Any]:
    """Return the scoreboard, with the running totals."""
    totals, rows = [0] * SEATS, []
    for number, scored in enumerate(rounds, 1):
        totals = [total + tenths for total, tenths in zip(totals, scored.scores_tenths, strict=True)]
        cells = [
            {"bid": bid, "tricks": tricks, "score": points(tenths), "total": points(total), "is_made": tenths > 0}
            for bid, tricks, tenths, total in zip(scored.bids, scored.tricks, scored.scores_tenths, totals, strict=True)
        ]
        rows.append({"number": number, "cells": cells})
    return {"rows": rows, "totals": [points(total) for total in totals], "places": places(totals)}


def _links(game_id: str, number: int, step: int, rounds: int) -> dict[str, str]:
    """Return the addresses of the steps around this one; what leads nowhere is left out."""
    path = reverse("replay", args=[game_id])

    def at(number: int, step: int) -> str:
        return f"{path}?round={number}&step={step}"

    wanted = {
        "previous_round": at(number - 1, 0) if number > 1 else "",
        "first": at(number, 0) if step > 0 else "",
        "previous": at(number, step - 1) if step else at(number - 1, LAST_STEP) if number > 1 else "",
        "next": at(number, step + 1) if step < LAST_STEP else at(number + 1, 0) if number < rounds else "",
        "last": at(number, LAST_STEP) if step < LAST_STEP else "",
        "next_round": at(number + 1, 0) if number < rounds else "",
    }
    return {name: address for name, address in wanted.items() if address}
