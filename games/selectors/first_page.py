"""What somebody finds who comes in: the games that wait for him, those he waits for, and tables with a free place."""

import uuid
from dataclasses import dataclass

from django.db.models import Case, F, Q, QuerySet, Value, When

from games.models import Game, GameStatus, Seat, Visibility
from games.presenters.table import Table
from games.selectors.rows import games_now
from games.selectors.tables import tables_of

MOST_RUNNING, MOST_WAITING, MOST_FINISHED, MOST_OPEN = 30, 10, 5, 5


@dataclass(frozen=True)
class FirstPage:
    """The tables of the first page, each list in its order."""

    running: list[Table]
    """Games where one sits: one's own turns first, the most urgent before the others."""
    waiting: list[Table]
    """Tables that one made or sits at, and that have not started."""
    finished: list[Table]
    open_to_all: list[Table]


def first_page(viewer_id: uuid.UUID | None) -> FirstPage:
    """Return what the first page shows to *viewer_id*; None is somebody who has not signed in."""
    running: list[Game] = []
    waiting: list[Game] = []
    finished: list[Game] = []
    elsewhere = open_tables()
    if viewer_id is not None:
        running = list(_running(viewer_id)[:MOST_RUNNING])
        waiting = list(_waiting(viewer_id)[:MOST_WAITING])
        finished = list(_finished(viewer_id)[:MOST_FINISHED])
        elsewhere = elsewhere.exclude(creator_id=viewer_id).exclude(id__in=_seats_of(viewer_id))
    strangers = list(elsewhere.order_by("-created_at", "-id")[:MOST_OPEN])
    tables = iter(tables_of([*running, *waiting, *finished, *strangers]))
    in_order = [[next(tables) for _ in games] for games in (running, waiting, finished, strangers)]
    return FirstPage(*in_order)


def open_tables() -> QuerySet[Game]:
    """Return the public tables that have a free place."""
    return games_now().filter(visibility=Visibility.PUBLIC, status=GameStatus.OPEN)


def _seats_of(viewer_id: uuid.UUID) -> QuerySet[Seat]:
    return Seat.objects.filter(player_id=viewer_id).values("game")  # type: ignore[return-value]


def _running(viewer_id: uuid.UUID) -> QuerySet[Game]:
    is_mine = When(Q(turn_seat=F("seats__number")) & Q(is_bots_turn=False), then=Value(0))
    return (
        games_now()
        .filter(status=GameStatus.ACTIVE, seats__player_id=viewer_id)
        .annotate(is_mine=Case(is_mine, default=Value(1)))
        .order_by("is_mine", F("turn_ends_at").asc(nulls_last=True), "-changed_at", "id")
    )


def _waiting(viewer_id: uuid.UUID) -> QuerySet[Game]:
    made = Game.objects.filter(creator_id=viewer_id, status=GameStatus.OPEN).values("id")
    sits = Game.objects.filter(seats__player_id=viewer_id, status=GameStatus.OPEN).values("id")
    return games_now().filter(id__in=made.union(sits)).order_by("-created_at", "-id")


def _finished(viewer_id: uuid.UUID) -> QuerySet[Game]:
    mine = games_now().filter(status=GameStatus.FINISHED, seats__player_id=viewer_id)
    return mine.order_by("-ended_at", "-id")
