"""The whole record of a finished game, for programs and for people."""

import uuid
from typing import Any

from games.presenters.events import EventRecord, event
from games.presenters.rounds import RoundRecord, round_in_full
from games.presenters.state import game_state
from games.presenters.table import Table
from games.rules import record
from games.rules.cards import card
from games.selectors.events import all_events
from games.selectors.proofs import fairness_of, proofs_of
from games.selectors.rounds import round_records


def whole_record(table: Table) -> dict[str, Any]:
    """Return everything that there is to know of a finished game, the same for every viewer."""
    game_id = uuid.UUID(table.id)
    rounds = round_records(game_id)
    return {
        "game": game_state(table, None),
        "rounds": [round_in_full(row, None) for row in rounds],
        "fairness": fairness_of(table),
        "proofs": proofs_of(table, rounds),
        "events": [event(told, None) for told in all_events(game_id)],
    }


def written_record(table: Table) -> str:
    """Return a finished game in the notation of `rules.record`, which people and programs can read."""
    game_id = uuid.UUID(table.id)
    return record.write(record_of(table, round_records(game_id), all_events(game_id)))


def record_of(table: Table, rounds: list[RoundRecord], events: list[EventRecord]) -> record.Record:
    """Return a finished game as a record; a seat that was left goes by the name of whoever left it."""
    seats = [seat for seat in table.seats if seat]
    left = names_of_who_left(events)
    first, second, third, fourth = (left.get(seat.number) or seat.username for seat in seats)
    owned = owned_seats(table, events)
    by_bots = acts_by_bots(events)
    return record.Record(
        ruleset=table.ruleset,
        names=(first, second, third, fourth),
        rounds=tuple(_round(row, by_bots.get(row.number, {}), owned) for row in rounds),
        drawn=_drawn(table),
        tags=(("Game", table.id),),
    )


def owned_seats(table: Table, events: list[EventRecord]) -> set[int | None]:
    """Return the seats that are a person's, or were until he left."""
    return {seat.number for seat in table.seats if seat and seat.player_id} | set(names_of_who_left(events))


def names_of_who_left(events: list[EventRecord]) -> dict[int | None, str | None]:
    """Return by seat who left it for good."""
    return {told.seat: told.username for told in events if told.type == "seat.resigned"}


def acts_by_bots(events: list[EventRecord]) -> dict[int, dict[int, int | None]]:
    """Return, by round, which bids and plays a bot chose: the number of the act, in order, and the seat.

    Only the last deal of a round counts: bids made before a redeal are gone.
    """
    chosen: dict[int, dict[int, int | None]] = {}
    acts = 0
    for told in events:
        if told.type == "round.dealt":
            acts, chosen[told.public["round"]] = 0, {}
        elif told.type in ("bid.made", "card.played"):
            if told.public["by"] == "bot":
                chosen[told.public["round"]][acts] = told.seat
            acts += 1
    return chosen


def _round(row: RoundRecord, by_bots: dict[int, int | None], owned: set[int | None]) -> record.RoundRecord:
    first, second, third, fourth = row.hands
    return record.RoundRecord(
        dealer=row.dealer,
        dealt=(first.dealt, second.dealt, third.dealt, fourth.dealt),
        bids=(first.bid or 0, second.bid or 0, third.bid or 0, fourth.bid or 0),
        plays=tuple(played for trick in row.tricks for _, played in trick.plays),
        redeals=tuple((redeal["reason"], redeal["seat"]) for redeal in row.redeals),
        stand_ins=frozenset(act for act, seat in by_bots.items() if seat in owned),
    )


def _drawn(table: Table) -> tuple[int, int, int, int] | None:
    drawn = [card(seat.drawn_card) for seat in table.seats if seat and seat.drawn_card]
    return (drawn[0], drawn[1], drawn[2], drawn[3]) if drawn else None
