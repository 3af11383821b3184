"""Turns that wait for somebody: a bot, the clock, or a person."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from games.models import Game, GameStatus, Play, Seat
from games.rules.trick import Trick
from games.rules.view import View, view
from games.selectors.rows import games_now
from games.selectors.snapshot import read_snapshot


@dataclass(frozen=True)
class BotTurn:
    """A turn that a house bot has to take, and all that it may know for it."""

    game_id: str
    version: int
    seat: int
    level: str
    view: View


def waiting_for_bots() -> QuerySet[Game]:
    """Return the games whose turn is a bot's, as a query to narrow."""
    return Game.objects.filter(status=GameStatus.ACTIVE, is_bots_turn=True)


def due_bot_turns(*, idle_s: int = 5, limit: int = 500) -> list[str]:
    """Return the games that have waited for a bot for *idle_s* seconds, longest first."""
    waiting = waiting_for_bots().filter(changed_at__lte=Now() - timedelta(seconds=idle_s)).order_by("changed_at")
    return [game_id.hex for game_id in waiting.values_list("id", flat=True)[:limit]]


def bot_turn(game_id: str) -> BotTurn | None:
    """Return the turn that a bot has to take in a game, or None when there is none.

    A seat that a person holds is played by a bot of the level that the game fills places with.
    """
    seen = read_snapshot(uuid.UUID(game_id))
    if seen is None or not seen.table.is_bots_turn:
        return None
    table, state = seen.table, seen.table.state
    if state is None or state.turn is None or seen.round_id is None:
        return None
    seat = table.seats[state.turn]
    level = seat.bot_level if seat and seat.bot_level else table.fill_with
    looking_back = state._replace(tricks=_finished_tricks(seen.round_id, state.trick_number))
    return BotTurn(table.id, table.version, state.turn, level, view(looking_back, state.turn))


def _finished_tricks(round_id: int, before: int) -> tuple[Trick, ...]:
    """Return the tricks of a round *before* one, which nothing changes any more."""
    plays = list(
        Play.objects.filter(round_id=round_id, trick_number__lt=before)
        .order_by("trick_number", "order")
        .values_list("seat", "card")
    )
    return tuple(
        Trick(plays[at][0], tuple(played for _, played in plays[at : at + 4])) for at in range(0, len(plays), 4)
    )


def overdue_turns(grace: timedelta, *, limit: int = 500) -> list[str]:
    """Return the games whose running turn ended more than *grace* ago, most overdue first."""
    overdue = Game.objects.filter(
        status=GameStatus.ACTIVE, is_bots_turn=False, turn_ends_at__lt=Now() - grace
    ).order_by("turn_ends_at")
    return [game_id.hex for game_id in overdue.values_list("id", flat=True)[:limit]]


@dataclass(frozen=True)
class Mark:
    """The game after which a page of turns goes on; *ends_at* is None when untimed."""

    ends_at: datetime | None
    game_id: uuid.UUID


def turns_of(player_id: uuid.UUID, *, after: Mark | None = None) -> QuerySet[Game]:
    """Return the games that wait for a player, most urgent first, untimed last; only those *after* a mark if given."""
    is_mine = Q(pk__in=Seat.objects.filter(player_id=player_id, number=F("game__turn_seat")).values("game"))
    games = games_now().filter(is_mine, status=GameStatus.ACTIVE, is_bots_turn=False)
    if after and after.ends_at is None:
        games = games.filter(turn_ends_at__isnull=True, id__gt=after.game_id)
    elif after:
        same = Q(turn_ends_at=after.ends_at, id__gt=after.game_id)
        games = games.filter(same | Q(turn_ends_at__gt=after.ends_at) | Q(turn_ends_at__isnull=True))
    return games.order_by(F("turn_ends_at").asc(nulls_last=True), "id")
