"""Dealing from secrets drawn before the game: nothing here decides a card by itself."""

import secrets
import uuid
from collections.abc import Sequence

from games.models import EventType, Hand, Round
from games.presenters.table import Table
from games.rules import shuffle
from games.rules import state as rules
from games.rules.cards import names
from games.rules.ruleset import MAX_ROUNDS, Ruleset
from games.rules.shuffle import SECRET_BYTES, Deal
from games.rules.state import State
from games.selectors.proofs import secrets_of
from games.selectors.rows import Rows
from games.services.journal import Journal
from games.services.moves import Note


def fresh_secrets(ruleset: Ruleset) -> tuple[bytes, ...]:
    """Draw a secret for the draw and one for every round that the game can have."""
    rounds = ruleset.rounds or MAX_ROUNDS
    return tuple(secrets.token_bytes(SECRET_BYTES) for _ in range(rounds + 1))


def next_deal(table: Table, state: State) -> tuple[State, Note]:
    """Return the state in which the round that is due is dealt, and the event that tells of it; nothing is stored."""
    hands = _hands(uuid.UUID(table.id), state, [seat.seed for seat in table.seats if seat])
    return rules.deal_round(state, hands), _dealt(state, hands)


def deal(rows: Rows, state: State, journal: Journal) -> State:
    """Deal the round that is due, or deal it again after a redeal, and store the hands."""
    hands = _hands(rows.game.id, state, [seat.seed for seat in rows.seats])
    if state.redeals == 0:
        current = Round.objects.create(game=rows.game, number=state.round_number, dealer=state.dealer)
        rows.hands = Hand.objects.bulk_create(
            Hand(round=current, seat=seat, dealt=cards, held=cards)
            for seat, cards in zip(rows.seats, hands, strict=True)
        )
    else:
        for hand, cards in zip(rows.hands, hands, strict=True):
            hand.dealt, hand.held, hand.bid = cards, cards, None
        Hand.objects.bulk_update(rows.hands, ["dealt", "held", "bid"])
    journal.add(_dealt(state, hands))
    return rules.deal_round(state, hands)


def _hands(game_id: uuid.UUID, state: State, seeds: Sequence[bytes]) -> Deal:
    secret = secrets_of(game_id)[state.round_number]
    key = shuffle.deal_key(secret, game_id.bytes, state.round_number, seeds, state.redeals)
    return shuffle.deal(shuffle.deck(key), state.dealer)


def _dealt(state: State, hands: Deal) -> Note:
    return Note(
        EventType.ROUND_DEALT,
        None,
        public={"round": state.round_number, "dealer": state.dealer, "redeals": state.redeals},
        private={str(seat): {"hand": names(cards)} for seat, cards in enumerate(hands)},
    )
