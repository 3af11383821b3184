"""A game as it was at one moment, read in one statement, with whoever asks for it along the way if need be."""

import uuid
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from django.conf import settings

from callbreak_site.prepared import read_row
from games.models import GameStatus
from games.presenters.table import SeatRecord, Table
from games.rules.cards import card
from games.rules.ruleset import Ruleset, from_json
from games.rules.state import NO_HANDS, Hands, HandState, LastTrick, Phase, RoundScore, State
from games.rules.trick import Trick
from players.selectors import CALLER, Bearer, bearer_of

GAME = """
    SELECT g.version, g.status, g.visibility, g.invite, g.creator_id, g.ruleset::text, g.clock_kind, g.per_turn_s,
           g.fill_with, g.created_at, g.started_at, g.ended_at, g.void_reason, g.turn_ends_at, g.is_bots_turn,
           statement_timestamp() AS now, g.turn_seat, g.turn_action, g.round_number, g.dealer, g.redeals,
           g.trick_number, g.trick_leader, g.trick_cards::text, g.last_trick::text, g.last_acts::text,
           g.scoreboard::text, g.is_finish_agreed, round.id AS round_id, seats.seats
    FROM games_game g
    LEFT JOIN games_round round
           ON g.status = 'active' AND round.game_id = g.id AND round.number = g.round_number
    LEFT JOIN LATERAL (
        SELECT json_agg(json_build_array(
                   seat.number, seat.joined_order, seat.player_id, player.username, player.kind, seat.bot_level,
                   encode(seat.client_seed, 'hex'), seat.drawn_card, seat.total_tenths, seat.place,
                   seat.wants_to_finish, hand.id, hand.dealt, hand.held, hand.bid, hand.tricks
               ) ORDER BY seat.number)::text AS seats
        FROM games_seat seat
        LEFT JOIN players_player player ON player.id = seat.player_id
        LEFT JOIN games_hand hand ON hand.round_id = round.id AND hand.seat_id = seat.id
        WHERE seat.game_id = g.id
    ) seats ON true
    WHERE g.id = %s
"""
GAME_AND_CALLER = f"""
    SELECT caller.*, game.*
    FROM (SELECT) one LEFT JOIN ({CALLER}) caller ON true LEFT JOIN ({GAME}) game ON true
"""  # noqa: S608 - made of constants
CALLER_COLUMNS = 9


class SeatRow(msgspec.Struct, array_like=True, frozen=True):
    """What `GAME` tells of one place and of the hand that it holds, if the game is running."""

    number: int
    joined_order: int
    player_id: uuid.UUID | None
    username: str | None
    kind: str | None
    bot_level: str | None
    client_seed: str | None
    drawn_card: str | None
    total_tenths: int
    place: int | None
    wants_to_finish: bool
    hand_id: int | None
    dealt: int | None
    held: int | None
    bid: int | None
    tricks: int | None


class ScoreRow(msgspec.Struct, frozen=True):
    """One finished round, as the scoreboard on the game's row has it."""

    bids: tuple[int, int, int, int]
    tricks: tuple[int, int, int, int]
    scores_tenths: tuple[int, int, int, int]


class LastTrickRow(msgspec.Struct, frozen=True):
    """The trick that ended last, as the game's row has it."""

    round: int
    number: int
    leader: int
    cards: list[str]


read_seats = msgspec.json.Decoder(list[SeatRow]).decode
read_scores = msgspec.json.Decoder(list[ScoreRow]).decode
read_last_trick = msgspec.json.Decoder(LastTrickRow | None).decode
read_texts = msgspec.json.Decoder(list[str]).decode


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at one moment, and the keys of the rows that its next move changes.

    *last_acts* is each seat's latest bid or play, to know a retry by. A game that does not run has no *round_id*.
    """

    game_id: uuid.UUID
    table: Table
    last_acts: list[str]
    round_id: int | None
    hand_ids: tuple[int | None, ...]


def read_snapshot(game_id: uuid.UUID) -> Snapshot | None:
    """Read a game; None when there is none."""
    row = read_row(GAME, [game_id])
    return _snapshot(game_id, row) if row else None


def read_snapshot_and_caller(game_id: uuid.UUID, digest: bytes) -> tuple[Snapshot | None, Bearer | None]:
    """Read a game, and who holds the token with that digest; None for each that is not there."""
    row = read_row(GAME_AND_CALLER, [digest, game_id])
    assert row is not None
    caller, game = row[:CALLER_COLUMNS], row[CALLER_COLUMNS:]
    return _snapshot(game_id, game) if game[0] is not None else None, bearer_of(caller) if caller[0] else None


def _snapshot(game_id: uuid.UUID, row: tuple[Any, ...]) -> Snapshot:
    (
        version, status, visibility, invite, creator_id, ruleset, clock_kind, per_turn_s, fill_with, created_at,
        started_at, ended_at, void_reason, turn_ends_at, is_bots_turn, now, turn_seat, turn_action, round_number,
        dealer, redeals, trick_number, trick_leader, trick_cards, last_trick, last_acts, scoreboard, is_finish_agreed,
        round_id, seats,
    ) = row  # fmt: skip
    seat_rows = read_seats(seats) if seats else []
    rules = ruleset_in(ruleset)
    state = None
    if started_at:
        state = State(
            ruleset=rules,
            round_number=round_number,
            dealer=dealer or 0,
            phase=Phase(turn_action) if turn_action and status == GameStatus.ACTIVE else Phase.OVER,
            turn=turn_seat,
            hands=_hands(seat_rows) if round_id else NO_HANDS,
            trick=Trick(trick_leader, tuple(map(card, read_texts(trick_cards)))),
            trick_number=trick_number,
            last_trick=_last_trick(last_trick) if last_trick else None,
            redeals=redeals,
            rounds=tuple(RoundScore(s.bids, s.tricks, s.scores_tenths) for s in read_scores(scoreboard)),
            is_finish_agreed=is_finish_agreed,
        )
    places: list[SeatRecord | None] = [None] * 4
    for seat in seat_rows:
        places[seat.number] = _seat_record(seat)
    table = Table(
        game_id.hex, version, status, visibility, invite, creator_id, rules, clock_kind, per_turn_s, fill_with,
        created_at, started_at, ended_at, void_reason, tuple(places), state, turn_ends_at, is_bots_turn, now,
    )  # fmt: skip
    return Snapshot(game_id, table, read_texts(last_acts), round_id, tuple(seat.hand_id for seat in seat_rows))


@lru_cache(maxsize=1024)
def ruleset_in(text: str) -> Ruleset:
    """Return the rules that a game's row holds as JSON."""
    return from_json(msgspec.json.decode(text))


def _hands(seats: list[SeatRow]) -> Hands:
    first, second, third, fourth = (HandState(s.dealt or 0, s.held or 0, s.bid, s.tricks or 0) for s in seats)
    return first, second, third, fourth


def _last_trick(text: str) -> LastTrick | None:
    last = read_last_trick(text)
    if last is None:
        return None
    return LastTrick(last.round, last.number, Trick(last.leader, tuple(map(card, last.cards))))


def _seat_record(seat: SeatRow) -> SeatRecord:
    return SeatRecord(
        number=seat.number,
        joined_order=seat.joined_order,
        player_id=seat.player_id,
        username=seat.username or settings.BOT_LEVELS[seat.bot_level or ""],
        kind=seat.kind or "bot",
        bot_level=seat.bot_level,
        client_seed=bytes.fromhex(seat.client_seed) if seat.client_seed else None,
        drawn_card=seat.drawn_card,
        total_tenths=seat.total_tenths,
        place=seat.place,
        wants_to_finish=seat.wants_to_finish,
    )
