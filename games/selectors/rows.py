"""The rows of one game that is about to be changed, and the values that they stand for."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.models import Game, GameStatus, Hand, Seat
from games.presenters.table import SeatRecord, Table
from games.rules.cards import card
from games.rules.ruleset import Ruleset, from_json
from games.rules.state import NO_HANDS, Hands, HandState, LastTrick, Phase, RoundScore, State
from games.rules.trick import Trick


@dataclass
class Rows:
    """A game's row with its seats by number and, while it is active, the four current hands by seat."""

    game: Game
    seats: list[Seat]
    hands: list[Hand] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        """The database's clock when the game was read."""
        return self.game.now  # type: ignore[attr-defined]

    @property
    def ruleset(self) -> Ruleset:
        """The rules that the game was made with."""
        return from_json(self.game.ruleset)

    def seat(self, number: int) -> Seat:
        """Return the seat of that number; it must be taken."""
        return next(seat for seat in self.seats if seat.number == number)

    def seat_of(self, player_id: Any) -> Seat | None:
        """Return the seat that a player holds, or None."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)


def games_now() -> QuerySet[Game]:
    """Return games with the database's clock beside them, as `now`."""
    return Game.objects.annotate(now=Now())


def seats_now() -> QuerySet[Seat]:
    """Return seats with their games, and the database's clock beside them, as `now`."""
    return Seat.objects.select_related("game", "player").annotate(now=Now()).order_by("number")


def rows_of_seats(seats: Iterable[Seat]) -> Rows | None:
    """Return a game as its *seats* of `seats_now` have it, without hands; None without any seat."""
    taken = list(seats)
    return Rows(_dated(taken[0].game, taken[0]), taken) if taken else None


def _dated(game: Game, row: Any) -> Game:
    game.now = row.now  # type: ignore[attr-defined]
    return game


def rows_of(game: Game) -> Rows:
    """Read what belongs to *game*, which nobody changes meanwhile: its row is locked, or all is read at one moment."""
    if game.status == GameStatus.ACTIVE:
        hands = list(
            Hand.objects.filter(round__game=game, round__number=game.round_number)
            .select_related("seat__player")
            .order_by("seat__number")
        )
        return Rows(game, [hand.seat for hand in hands], hands)
    return Rows(game, list(Seat.objects.filter(game=game).select_related("player").order_by("number")))


def table_of(rows: Rows) -> Table:
    """Return *rows* as a value."""
    game = rows.game
    seats: list[SeatRecord | None] = [None] * 4
    for seat in rows.seats:
        seats[seat.number] = _seat_record(seat)
    return Table(
        id=game.id.hex,
        version=game.version,
        status=game.status,
        visibility=game.visibility,
        invite=game.invite,
        creator_id=game.creator_id,
        ruleset=rows.ruleset,
        clock_kind=game.clock_kind,
        per_turn_s=game.per_turn_s,
        fill_with=game.fill_with,
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
        void_reason=game.void_reason,
        seats=tuple(seats),
        state=state_of(rows) if game.started_at else None,
        turn_ends_at=game.turn_ends_at,
        is_bots_turn=game.is_bots_turn,
        now=rows.now,
    )


def state_of(rows: Rows) -> State:
    """Return the state of a started game from its rows, without the finished tricks of its round."""
    game = rows.game
    is_active = game.status == GameStatus.ACTIVE
    return State(
        ruleset=rows.ruleset,
        round_number=game.round_number,
        dealer=game.dealer or 0,
        phase=Phase(game.turn_action) if is_active and game.turn_action else Phase.OVER,
        turn=game.turn_seat,
        hands=_hands(rows),
        trick=Trick(game.trick_leader, tuple(card(text) for text in game.trick_cards)),
        trick_number=game.trick_number,
        last_trick=_last_trick(game.last_trick),
        redeals=game.redeals,
        rounds=tuple(
            RoundScore(tuple(score["bids"]), tuple(score["tricks"]), tuple(score["scores_tenths"]))
            for score in game.scoreboard
        ),
        is_finish_agreed=game.is_finish_agreed,
    )


def _hands(rows: Rows) -> Hands:
    if not rows.hands:
        return NO_HANDS
    first, second, third, fourth = (HandState(hand.dealt, hand.held, hand.bid, hand.tricks) for hand in rows.hands)
    return first, second, third, fourth


def _seat_record(seat: Seat) -> SeatRecord:
    player = seat.player
    return SeatRecord(
        number=seat.number,
        joined_order=seat.joined_order,
        player_id=seat.player_id,
        username=player.username if player else settings.BOT_LEVELS[seat.bot_level or ""],
        kind=player.kind if player else "bot",
        bot_level=seat.bot_level,
        client_seed=bytes(seat.client_seed) if seat.client_seed else None,
        drawn_card=seat.drawn_card,
        total_tenths=seat.total_tenths,
        place=seat.place,
        wants_to_finish=seat.wants_to_finish,
    )


def _last_trick(last: dict[str, Any] | None) -> LastTrick | None:
    if last is None:
        return None
    played = Trick(last["leader"], tuple(card(text) for text in last["cards"]))
    return LastTrick(last["round"], last["number"], played)
