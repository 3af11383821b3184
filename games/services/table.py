"""The one door to a running game: bid, play, resign, vote, and the turn that runs out."""

import uuid
from datetime import timedelta

from django.db import transaction

from callbreak_site.errors import Code, ServiceError
from games.models import EventType, GameStatus, Seat, Tenure, TurnAction
from games.presenters.table import Table
from games.rules import state as rules
from games.rules.cards import Card, name, names
from games.rules.trick import Rule, broken_rule
from games.selectors.rows import Rows, state_of, table_of
from games.services.actors import Actor, HouseBot, Person, seat_held_by
from games.services.ending import all_agree, end_if_all_agree
from games.services.journal import Journal
from games.services.locking import check_version, lock_game
from games.services.position import hand_turn_to_bot, save_position
from games.services.progress import go_on, put_down

GRACE = timedelta(seconds=2)
"""How long after its deadline a turn may still be taken."""

RULES_IN_WORDS = {
    Rule.MUST_FOLLOW: "You hold the suit led, so you must follow it.",
    Rule.MUST_HEAD: "You can beat the card that is winning this trick, so you must.",
    Rule.MUST_TRUMP: "You are void in the suit led and hold a spade that would win, so you must play one that wins.",
}


@transaction.atomic
def place_bid(*, game_id: str, by: Actor, bid: int, expected_version: int | None = None) -> Table:
    """Bid for the seat that *by* acts for.

    Raises, in this order: NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN,
    ILLEGAL_BID.
    A bid that repeats the seat's latest act and can't be a new one changes nothing.
    """
    rows = lock_game(game_id, by)
    act = f"bid {bid}"
    if _is_retry(rows, by, act):
        return table_of(rows)
    seat = _seat_on_turn(rows, by, TurnAction.BID, expected_version)
    state = state_of(rows)
    legal = rules.legal_bids(state)
    if bid not in legal:
        raise ServiceError(Code.ILLEGAL_BID, f"Bid from {legal[0]} to {legal[-1]}.", legal_bids=list(legal))
    journal = Journal(rows)
    hand = rows.hands[seat.number]
    hand.bid = bid
    hand.save(update_fields=["bid"])
    rows.game.last_acts[seat.number] = act
    journal.note(
        EventType.BID_MADE, seat=seat.number, public={"round": state.round_number, "bid": bid, "by": _kind(by)}
    )
    go_on(rows, rules.bid(state, seat.number, bid), journal, by)
    return table_of(rows)


@transaction.atomic
def play_card(*, game_id: str, by: Actor, card: Card, expected_version: int | None = None) -> Table:
    """Play a card for the seat that *by* acts for.

    Raises, in this order: NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN,
    CARD_NOT_HELD, ILLEGAL_PLAY. A play that repeats the seat's latest act and can't be a new one changes nothing.
    """
    rows = lock_game(game_id, by)
    if _is_retry(rows, by, f"play {name(card)}", card):
        return table_of(rows)
    seat = _seat_on_turn(rows, by, TurnAction.PLAY, expected_version)
    state = state_of(rows)
    legal = rules.legal_cards(state)
    held = rows.hands[seat.number].held
    if not held >> card & 1:
        raise ServiceError(Code.CARD_NOT_HELD, f"You do not hold {name(card)}.", legal_plays=names(legal))
    if not legal >> card & 1:
        rule = broken_rule(card, held, state.trick, state.ruleset)
        raise ServiceError(Code.ILLEGAL_PLAY, RULES_IN_WORDS[rule], rule=rule.value, legal_plays=names(legal))
    journal = Journal(rows)
    go_on(rows, put_down(rows, state, card, journal, _kind(by)), journal, by)
    return table_of(rows)


@transaction.atomic
def resign_seat(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Leave a running game for good: a bot takes the seat, and the record says so.

    Raises NOT_FOUND, NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT.
    """
    by = Person(player_id)
    rows = lock_game(game_id, by)
    seat = _seat_in_running_game(rows, by, expected_version)
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
    seat = _seat_in_running_game(rows, by, expected_version)
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
    if game.status != GameStatus.ACTIVE or game.is_bots_turn or not _is_late(rows):
        return False
    journal = Journal(rows)
    journal.note(
        EventType.TURN_MISSED, seat=game.turn_seat, public={"round": game.round_number, "action": game.turn_action}
    )
    hand_turn_to_bot(rows)
    save_position(rows, journal)
    return True


def _is_retry(rows: Rows, by: Actor, act: str, card: Card | None = None) -> bool:
    """Tell whether *act* repeats the latest act of the person's seat and can't be a new one.

    It could be a new one only on the seat's own turn, with that kind of act due and, for a play, the card still held.
    """
    seat = seat_held_by(rows, by)
    game = rows.game
    if isinstance(by, HouseBot) or seat is None or not game.last_acts or game.last_acts[seat.number] != act:
        return False
    is_due = game.turn_seat == seat.number and not game.is_bots_turn and act.startswith(str(game.turn_action))
    return not (is_due and (card is None or bool(rows.hands[seat.number].held >> card & 1)))


def _seat_in_running_game(rows: Rows, by: Actor, expected_version: int | None) -> Seat:
    seat = seat_held_by(rows, by)
    if seat is None:
        raise ServiceError(Code.NOT_SEATED, "You hold no seat in this game.")
    if rows.game.status != GameStatus.ACTIVE:
        raise ServiceError(Code.GAME_NOT_ACTIVE, f"The game is {rows.game.status}.")
    check_version(rows, by, expected_version)
    return seat


def _seat_on_turn(rows: Rows, by: Actor, action: TurnAction, expected_version: int | None) -> Seat:
    seat = _seat_in_running_game(rows, by, expected_version)
    game = rows.game
    if game.turn_action != action:
        raise ServiceError(Code.WRONG_PHASE, f"A {game.turn_action} is due, not a {action}.")
    if game.turn_seat != seat.number:
        raise ServiceError(Code.NOT_YOUR_TURN, f"It is seat {game.turn_seat}'s turn.")
    if isinstance(by, HouseBot) != game.is_bots_turn:
        raise ServiceError(Code.NOT_YOUR_TURN, "Your time for this turn ran out: a bot plays it.")
    if isinstance(by, Person) and _is_late(rows):
        raise ServiceError(Code.NOT_YOUR_TURN, "Your time for this turn ran out: a bot plays it.")
    return seat


def _is_late(rows: Rows) -> bool:
    ends_at = rows.game.turn_ends_at
    return ends_at is not None and rows.now > ends_at + GRACE


def _kind(by: Actor) -> str:
    return "bot" if isinstance(by, HouseBot) else "person"
