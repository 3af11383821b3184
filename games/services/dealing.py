"""Dealing from secrets drawn before the game: nothing here decides a card by itself."""

import secrets

from games.models import EventType, Hand, Round
from games.rules import shuffle
from games.rules import state as rules
from games.rules.cards import names
from games.rules.ruleset import MAX_ROUNDS, Ruleset
from games.rules.shuffle import SECRET_BYTES
from games.rules.state import State
from games.selectors.proofs import secrets_of
from games.selectors.rows import Rows
from games.services.journal import Journal


def fresh_secrets(ruleset: Ruleset) -> tuple[bytes, ...]:
    """Draw a secret for the draw and one for every round that the game can have."""
    rounds = ruleset.rounds or MAX_ROUNDS
    return tuple(secrets.token_bytes(SECRET_BYTES) for _ in range(rounds + 1))


def deal(rows: Rows, state: State, journal: Journal) -> State:
    """Deal the round that is due, or deal it again after a redeal, and store the hands."""
    secret, seeds = secrets_of(rows.game.id)[state.round_number], [seat.seed for seat in rows.seats]
    key = shuffle.deal_key(secret, rows.game.id.bytes, state.round_number, seeds, state.redeals)
    dealt = shuffle.deal(shuffle.deck(key), state.dealer)
    if state.redeals == 0:
        current = Round.objects.create(game=rows.game, number=state.round_number, dealer=state.dealer)
        rows.hands = Hand.objects.bulk_create(
            Hand(round=current, seat=seat, dealt=cards, held=cards)
            for seat, cards in zip(rows.seats, dealt, strict=True)
        )
    else:
        for hand, cards in zip(rows.hands, dealt, strict=True):
            hand.dealt, hand.held, hand.bid = cards, cards, None
        Hand.objects.bulk_update(rows.hands, ["dealt", "held", "bid"])
    journal.note(
        EventType.ROUND_DEALT,
        public={"round": state.round_number, "dealer": state.dealer, "redeals": state.redeals},
        private={seat: {"hand": names(cards)} for seat, cards in enumerate(dealt)},
    )
    return rules.deal_round(state, dealt)
