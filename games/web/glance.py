"""A table at a glance: one line of a list."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presenters.state import summary
from games.presenters.table import Table
from games.rules.scoring import points
from games.web.scene import headline
from games.web.words import ruleset_in_words, seat_in_words

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def glances(tables: Iterable[Table], viewer_id: uuid.UUID | None) -> list[dict[str, Any]]:
    """Return *tables* as lists show them to *viewer_id*."""
    return [glance(table, viewer_id) for table in tables]


def glance(table: Table, viewer_id: uuid.UUID | None) -> dict[str, Any]:
    """Return what a list says of *table*."""
    me = table.seat_of(viewer_id)
    state = summary(table)
    turn = state["turn"]
    is_my_turn = me is not None and turn is not None and turn["seat"] == me and not table.is_bots_turn
    names = {number: seat_in_words(table, number) for number, seat in enumerate(table.seats) if seat}
    mine = table.seats[me] if me is not None else None
    return {
        "id": table.id,
        "rules": ruleset_in_words(table.ruleset),
        "pace": pace_in_words(table.clock_kind, table.per_turn_s),
        "others": list(_others(table, me)),
        "free": 4 - len(names),
        "is_my_turn": is_my_turn,
        "due": headline(state, me, names, is_my_turn),
        "ends_at": table.turn_ends_at,
        "ended_at": table.ended_at,
        "place": mine and mine.place,
        "total": mine and points(mine.total_tenths),
        "is_mine": table.is_member(viewer_id),
        "visibility": table.visibility,
    }


def _others(table: Table, me: int | None) -> Iterator[str]:
    """Yield the names of the people on the other seats, and how many bots there are."""
    others = [seat for seat in table.seats if seat and seat.number != me]
    yield from (seat.username for seat in others if not seat.bot_level)
    if bots := sum(bool(seat.bot_level) for seat in others):
        yield ngettext("%(count)d bot", "%(count)d bots", bots) % {"count": bots}


def pace_in_words(kind: str, per_turn_s: int | None) -> str:
    """Return how long a turn may take.

    >>> pace_in_words("correspondence", 86_400), pace_in_words("live", 30), pace_in_words("untimed", None)
    ('1 day per turn', '30 seconds per turn', 'No time limit')
    """
    if kind == "untimed" or per_turn_s is None:
        return _("No time limit")
    for unit, count_in_words in UNITS:
        if per_turn_s >= unit and per_turn_s % unit == 0:
            return count_in_words(per_turn_s // unit)
    return _seconds(per_turn_s)


def _days(count: int) -> str:
    return ngettext("%(count)d day per turn", "%(count)d days per turn", count) % {"count": count}


def _hours(count: int) -> str:
    return ngettext("%(count)d hour per turn", "%(count)d hours per turn", count) % {"count": count}


def _minutes(count: int) -> str:
    return ngettext("%(count)d minute per turn", "%(count)d minutes per turn", count) % {"count": count}


def _seconds(count: int) -> str:
    return ngettext("%(count)d second per turn", "%(count)d seconds per turn", count) % {"count": count}


UNITS: tuple[tuple[int, Callable[[int], str]], ...] = ((DAY, _days), (HOUR, _hours), (MINUTE, _minutes))
