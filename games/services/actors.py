"""Who acts: a person, or a house bot for the seat whose turn is a bot's."""

import uuid
from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A player, whatever client he uses."""

    player_id: uuid.UUID


@dataclass(frozen=True)
class HouseBot:
    """The house's bot, on a seat of its own or for a missed turn."""

    seat: int


Actor = Person | HouseBot


def viewer(by: Actor) -> uuid.UUID | None:
    """Return whose eyes an answer to *by* is for; a bot gets a spectator's."""
    return by.player_id if isinstance(by, Person) else None
