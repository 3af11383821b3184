"""The rows of a game."""

from games.models.archive import Archive, Mention
from games.models.deal_secrets import DealSecrets, Reservation
from games.models.event import Event, EventType
from games.models.game import ClockKind, Game, GameStatus, TurnAction, Visibility
from games.models.round import Hand, Play, Round, Trick
from games.models.seat import Seat, Tenure

__all__ = [
    "Archive", "ClockKind", "DealSecrets", "Event", "EventType", "Game", "GameStatus", "Hand", "Mention", "Play",
    "Reservation", "Round", "Seat", "Tenure", "Trick", "TurnAction", "Visibility",
]  # fmt: skip
