"""A game as a value: what the presenters make every answer from."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from games.rules.ruleset import Ruleset
from games.rules.shuffle import NO_SEED
from games.rules.state import State


@dataclass(frozen=True)
class SeatRecord:
    """One taken place; *kind* is human, guest or bot."""

    number: int
    joined_order: int
    player_id: uuid.UUID | None
    username: str
    kind: str
    bot_level: str | None
    client_seed: bytes | None
    drawn_card: str | None
    total_tenths: int
    place: int | None
    wants_to_finish: bool

    @property
    def seed(self) -> bytes:
        """The seat's own 32 bytes, zeros where it brought none."""
        return self.client_seed or NO_SEED


@dataclass(frozen=True)
class Table:
    """A game with its places and, once it has started, its state.

    *state* holds all four hands: nothing of it leaves but through `rules.view`. *now* is the database's clock.
    """

    id: str
    version: int
    status: str
    visibility: str
    invite: str
    creator_id: uuid.UUID
    ruleset: Ruleset
    clock_kind: str
    per_turn_s: int | None
    fill_with: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    void_reason: str
    seats: tuple[SeatRecord | None, ...]
    state: State | None
    turn_ends_at: datetime | None
    is_bots_turn: bool
    now: datetime

    def seat_of(self, viewer_id: uuid.UUID | None) -> int | None:
        """Return the number of the seat that *viewer_id* holds, or None."""
        if viewer_id is None:
            return None
        return next((seat.number for seat in self.seats if seat and seat.player_id == viewer_id), None)

    def is_member(self, viewer_id: uuid.UUID | None) -> bool:
        """Tell whether *viewer_id* made the game or sits in it."""
        return viewer_id is not None and (viewer_id == self.creator_id or self.seat_of(viewer_id) is not None)
