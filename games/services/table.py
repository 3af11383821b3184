"""The one door to a running game: bid, play, resign, vote, and the turn that runs out."""

import uuid
from collections.abc import Callable
from functools import partial

from django.db import transaction

from callbreak_site.errors import Code, ServiceError
from callbreak_site.failpoints import failpoint
from games.models import EventType, GameStatus, Tenure
from games.presenters.table import Table
from games.rules.cards import Card
from games.selectors.rows import table_of
from games.selectors.snapshot import Snapshot
from games.selectors.tables import NO_SUCH_GAME, find_snapshot, may_see
from games.services.actors import Actor, Person
from games.services.ending import all_agree, end_if_all_agree
from games.services.journal import Journal
from games.services.locking import lock_game
from games.services.moves import Move, check_seated, decide_bid, decide_play, is_late
from games.services.plain_moves import is_plain, make_plain_move, with_consequence
from games.services.position import hand_turn_to_bot, save_position
from games.services.progress import go_on, make_move

Decide = Callable[[Table, list[str]], Move | None]


def place_bid(
    *, game_id: str, by: Actor, bid: int, expected_version: int | None = None, seen: Snapshot | None = None
) -> Table:
    """Bid for the seat that *by* acts for.

    Raises, in this order: NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN,
    ILLEGAL_BID.
    A bid that repeats the seat's latest act and can't be a new one changes nothing. *seen* is the game, if it was read
    just now.
    """
    return _act(game_id, by, partial(decide_bid, by=by, bid=bid, expected_version=expected_version), seen)


def play_card(
    *, game_id: str, by: Actor, card: Card, expected_version: int | None = None, seen: Snapshot | None = None
) -> Table:
    """Play a card for the seat that *by* acts for.

    Raises, in this order: NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN,
    CARD_NOT_HELD, ILLEGAL_PLAY. A play that repeats the seat's latest act and can't be a new one changes nothing.
    *seen* is the game, if it was read just now.
    """
    return _act(game_id, by, partial(decide_play, by=by, card=card, expected_version=expected_version), seen)


@transaction.atomic
def resign_seat(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Leave a running game for good: a bot takes the seat, and the record says so.

    Raises NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT.
    """
    by = Person(player_id)
    rows = lock_game(game_id, by)
    seat = rows.seat(check_seated(table_of(rows), by, expected_version).number)
    game = rows.game
    seat.player, seat.bot_level, seat.wants_to_finish = None, game.fill_with, False
    seat.save(update_fields=["player", "bot_level", "wants_to_finish"])
    journal = Journal(rows)
    journal.note(
        EventType.SEAT_RESIGNED,
        seat=seat.number,
        player_id=player_id,
        public={"taken_by": game.fill_with, "finish_agreed": all_agree(rows)},
    )
    Tenure.objects.filter(seat=seat, until_version__isnull=True).update(until_version=game.version)
    Tenure.objects.create(seat=seat, bot_level=game.fill_with, from_version=game.version)
    if game.turn_seat == seat.number and not game.is_bots_turn:
        hand_turn_to_bot(rows)
    if not end_if_all_agree(rows, journal):
        save_position(rows, journal)
    return table_of(rows)


@transaction.atomic
def vote_to_finish(
    *, game_id: str, player_id: uuid.UUID, wants_to_finish: bool, expected_version: int | None = None
) -> Table:
    """Agree, or no longer agree, to finish an open-ended game; saying it again changes nothing.

    Raises NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT; FINISH_AGREED to take back what all have agreed;
    NOT_AVAILABLE in a game with a fixed number of rounds.
    """
    by = Person(player_id)
    rows = lock_game(game_id, by)
    seat = rows.seat(check_seated(table_of(rows), by, expected_version).number)
    if rows.ruleset.rounds is not None:
        raise ServiceError(Code.NOT_AVAILABLE, "Only an open-ended game is finished by agreement.")
    if rows.game.is_finish_agreed and not wants_to_finish:
        raise ServiceError(Code.FINISH_AGREED, "All have agreed: the game ends with this round.")
    if seat.wants_to_finish == wants_to_finish:
        return table_of(rows)
    seat.wants_to_finish = wants_to_finish
    seat.save(update_fields=["wants_to_finish"])
    journal = Journal(rows)
    journal.note(
        EventType.VOTE_CHANGED,
        seat=seat.number,
        public={"wants_to_finish": wants_to_finish, "finish_agreed": all_agree(rows)},
    )
    if not end_if_all_agree(rows, journal):
        save_position(rows, journal)
    return table_of(rows)


@transaction.atomic
def expire_turn(*, game_id: str) -> bool:
    """Mark the running turn as missed, for a bot to play, if the database's clock says so; tell whether it was."""
    rows = lock_game(game_id)
    game = rows.game
    if game.status != GameStatus.ACTIVE or game.is_bots_turn or not is_late(table_of(rows)):
        return False
    journal = Journal(rows)
    journal.note(
        EventType.TURN_MISSED, seat=game.turn_seat, public={"round": game.round_number, "action": game.turn_action}
    )
    hand_turn_to_bot(rows)
    save_position(rows, journal)
    return True


def _act(game_id: str, by: Actor, decide: Decide, seen: Snapshot | None) -> Table:
    """Make the move that *decide* finds, or none if it finds a retry.

    A plain one is stored at once, unless the game moves on meanwhile. Everything else, and whoever was overtaken, is
    decided again under the lock.
    """
    seen = seen or find_snapshot(game_id)
    if isinstance(by, Person) and not may_see(seen.table, by.player_id):
        raise ServiceError(Code.NOT_FOUND, NO_SUCH_GAME)
    move = decide(seen.table, seen.last_acts)
    if move is None:
        return seen.table
    failpoint("move.before_lock")
    move = with_consequence(seen.table, move)
    table = make_plain_move(seen, move) if is_plain(seen.table, move) else None
    return table or _act_under_lock(game_id, by, decide)


@transaction.atomic
def _act_under_lock(game_id: str, by: Actor, decide: Decide) -> Table:
    rows = lock_game(game_id, by)
    failpoint("move.after_lock")
    table = table_of(rows)
    move = decide(table, rows.game.last_acts)
    if move is None:
        return table
    journal = Journal(rows)
    rows.game.last_acts[move.seat] = move.act
    go_on(rows, make_move(rows, move, journal), journal, by)
    failpoint("move.before_commit")
    transaction.on_commit(partial(failpoint, "move.after_commit"))
    return table_of(rows)
