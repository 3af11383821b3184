"""A bid or a card before anything of it is stored: whether it may be made now, and what it comes to."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from callbreak_site.errors import Code, ServiceError
from games.models import EventType, TurnAction
from games.presenters.state import game_state
from games.presenters.table import SeatRecord, Table
from games.rules import state as rules
from games.rules.cards import Card, name, names
from games.rules.scoring import points
from games.rules.state import State
from games.rules.trick import Rule, broken_rule
from games.services.actors import Actor, HouseBot, Person, viewer

GRACE = timedelta(seconds=2)
"""How long after its deadline a turn may still be taken."""

RULES_IN_WORDS = {
    Rule.MUST_FOLLOW: "You hold the suit led, so you must follow it.",
    Rule.MUST_HEAD: "You can beat the card that is winning this trick, so you must.",
    Rule.MUST_TRUMP: "You are void in the suit led and hold a spade that would win, so you must play one that wins.",
}
RAN_OUT = "Your time for this turn ran out: a bot plays it."


@dataclass(frozen=True, slots=True)
class Note:
    """One event to come; *private* maps a seat's number to what that seat alone may know."""

    type: EventType
    seat: int | None
    public: dict[str, Any]
    private: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """A legal act of *seat*, a bid or a card, with the state that it leads to and the events that tell of it."""

    seat: int
    before: State
    after: State
    notes: tuple[Note, ...]
    bid: int | None = None
    card: Card | None = None

    @property
    def act(self) -> str:
        """The act in a word, to know a retry by."""
        return f"bid {self.bid}" if self.card is None else f"play {name(self.card)}"


def decide_bid(table: Table, last_acts: list[str], *, by: Actor, bid: int, expected_version: int | None) -> Move | None:
    """Return the move that a bid comes to, or None if it repeats the seat's latest act and can't be a new one.

    Raises, in this order: NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN, ILLEGAL_BID.
    """
    if _is_retry(table, last_acts, by, f"bid {bid}"):
        return None
    state, seat = _state_on_turn(table, by, TurnAction.BID, expected_version)
    legal = rules.legal_bids(state)
    if bid not in legal:
        raise ServiceError(Code.ILLEGAL_BID, f"Bid from {legal[0]} to {legal[-1]}.", legal_bids=list(legal))
    told = {"round": state.round_number, "bid": bid, "by": _kind(by)}
    return Move(seat, state, rules.bid(state, seat, bid), (Note(EventType.BID_MADE, seat, told),), bid=bid)


def decide_play(
    table: Table, last_acts: list[str], *, by: Actor, card: Card, expected_version: int | None
) -> Move | None:
    """Return the move that a card comes to, or None if it repeats the seat's latest act and can't be a new one.

    Raises, in this order: NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT, WRONG_PHASE, NOT_YOUR_TURN, CARD_NOT_HELD,
    ILLEGAL_PLAY.
    """
    if _is_retry(table, last_acts, by, f"play {name(card)}", card):
        return None
    state, seat = _state_on_turn(table, by, TurnAction.PLAY, expected_version)
    legal, held = rules.legal_cards(state), state.hands[seat].held
    if not held >> card & 1:
        raise ServiceError(Code.CARD_NOT_HELD, f"You do not hold {name(card)}.", legal_plays=names(legal))
    if not legal >> card & 1:
        rule = broken_rule(card, held, state.trick, state.ruleset)
        raise ServiceError(Code.ILLEGAL_PLAY, RULES_IN_WORDS[rule], rule=rule.value, legal_plays=names(legal))
    return play_of(state, card, _kind(by))


def play_of(state: State, card: Card, how: str) -> Move:
    """Return the move of the seat on turn with a legal *card*; *how* is person, bot or rule."""
    seat = state.turn
    assert seat is not None
    after = rules.play(state, seat, card)
    where = {"round": state.round_number, "trick": state.trick_number}
    notes = [Note(EventType.CARD_PLAYED, seat, {**where, "card": name(card), "by": how})]
    if len(state.trick.cards) == 3:
        assert after.last_trick is not None
        notes.append(Note(EventType.TRICK_WON, after.last_trick.trick.winner, where))
    if len(after.rounds) > len(state.rounds):
        notes.append(_scored(after))
    return Move(seat, state, after, tuple(notes), card=card)


def _scored(state: State) -> Note:
    score = state.rounds[-1]
    told = {
        "round": len(state.rounds),
        "bids": list(score.bids),
        "tricks": list(score.tricks),
        "scores": [points(tenths) for tenths in score.scores_tenths],
        "totals": [points(tenths) for tenths in state.totals_tenths],
    }
    return Note(EventType.ROUND_SCORED, None, told)


def check_seated(table: Table, by: Actor, expected_version: int | None) -> SeatRecord:
    """Return the seat that *by* acts for in a running game.

    Raises NOT_SEATED, GAME_NOT_ACTIVE, VERSION_CONFLICT.
    """
    number = by.seat if isinstance(by, HouseBot) else table.seat_of(by.player_id)
    seat = None if number is None else table.seats[number]
    if seat is None:
        raise ServiceError(Code.NOT_SEATED, "You hold no seat in this game.")
    if table.status != "active":
        raise ServiceError(Code.GAME_NOT_ACTIVE, f"The game is {table.status}.")
    if expected_version is not None and expected_version != table.version:
        raise version_conflict(table, by, expected_version)
    return seat


def version_conflict(table: Table, by: Actor, expected_version: int) -> ServiceError:
    """Return the refusal of an act that was decided on another version, with the caller's view of this one."""
    return ServiceError(
        Code.VERSION_CONFLICT,
        f"The game is at version {table.version}, not {expected_version}.",
        current=game_state(table, viewer(by)),
    )


def is_late(table: Table) -> bool:
    """Tell whether the running turn, with its grace, was over when the table was read."""
    return table.turn_ends_at is not None and table.now > table.turn_ends_at + GRACE


def _state_on_turn(table: Table, by: Actor, action: TurnAction, expected_version: int | None) -> tuple[State, int]:
    seat, state = check_seated(table, by, expected_version), table.state
    assert state is not None
    if state.phase.value != action:
        raise ServiceError(Code.WRONG_PHASE, f"A {state.phase} is due, not a {action}.")
    if state.turn != seat.number:
        raise ServiceError(Code.NOT_YOUR_TURN, f"It is seat {state.turn}'s turn.")
    if isinstance(by, HouseBot) != table.is_bots_turn or (isinstance(by, Person) and is_late(table)):
        raise ServiceError(Code.NOT_YOUR_TURN, RAN_OUT)
    return state, seat.number


def _is_retry(table: Table, last_acts: list[str], by: Actor, act: str, card: Card | None = None) -> bool:
    """Tell whether *act* repeats the latest act of the person's seat and can't be a new one.

    It could be a new one only on the seat's own turn, with that kind of act due and, for a play, the card still held.
    """
    seat = table.seat_of(by.player_id) if isinstance(by, Person) else None
    state = table.state
    if seat is None or state is None or not last_acts or last_acts[seat] != act:
        return False
    is_due = state.turn == seat and not table.is_bots_turn and act.startswith(state.phase.value)
    return not (is_due and (card is None or bool(state.hands[seat].held >> card & 1)))


def _kind(by: Actor) -> str:
    return "bot" if isinstance(by, HouseBot) else "person"
