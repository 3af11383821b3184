"""Dealing from secrets drawn before the game: nothing here decides a card by itself."""

import secrets as os_secrets

from games.models import DealSecrets, EventType, Hand, Round
from games.presenters.fairness import NO_SEED, SECRET_BYTES, Secrets
from games.rules import shuffle
from games.rules import state as rules
from games.rules.cards import names
from games.rules.ruleset import MAX_ROUNDS, Ruleset
from games.rules.state import State
from games.selectors.rows import Rows
from games.services.journal import Journal


def fresh_secrets(ruleset: Ruleset) -> Secrets:
    """Draw a secret for the draw and one for every round that the game can have."""
    rounds = ruleset.rounds or MAX_ROUNDS
    return Secrets(tuple(os_secrets.token_bytes(SECRET_BYTES) for _ in range(rounds + 1)))


def secret_of(rows: Rows, round_number: int) -> bytes:
    """Read one round's secret; 0 is the draw's."""
    row = DealSecrets.objects.get(game=rows.game)
    return Secrets.from_bytes(bytes(row.secrets)).by_round[round_number]


def seat_seeds(rows: Rows) -> tuple[bytes, ...]:
    """Return the seats' own 32 bytes by seat, zero where a seat brought none."""
    return tuple(bytes(seat.client_seed) if seat.client_seed else NO_SEED for seat in rows.seats)


def deal(rows: Rows, state: State, journal: Journal) -> State:
    """Deal the round that is due, or deal it again after a redeal, and store the hands."""
    secret = secret_of(rows, state.round_number)
    key = shuffle.deal_key(secret, rows.game.id.bytes, state.round_number, seat_seeds(rows), state.redeals)
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
