"""What happened, numbered per game: the public part for all, a private part for one seat."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class EventType(models.TextChoices):
    """What kinds of things happen in a game."""

    PLAYER_JOINED = "player.joined"
    PLAYER_LEFT = "player.left"
    GAME_STARTED = "game.started"
    SEATS_DRAWN = "seats.drawn"
    ROUND_DEALT = "round.dealt"
    ROUND_REDEALT = "round.redealt"
    BID_MADE = "bid.made"
    CARD_PLAYED = "card.played"
    TRICK_WON = "trick.won"
    ROUND_SCORED = "round.scored"
    VOTE_CHANGED = "vote.changed"
    TURN_MISSED = "turn.missed"
    SEAT_RESIGNED = "seat.resigned"
    GAME_FINISHED = "game.finished"
    GAME_CANCELLED = "game.cancelled"
    GAME_VOIDED = "game.voided"


class Event(models.Model):
    """One event; *public* is for everybody, *private* maps a seat's number to what only that seat may know.

    A name is never copied into an event: it is read from *player*, so that a closed account leaves none behind.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="events", db_index=False)
    version = models.PositiveIntegerField()
    type = models.CharField(max_length=16, choices=EventType)
    seat = models.PositiveSmallIntegerField(null=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    public = models.JSONField(default=dict)
    private = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(name="one_event_a_version", fields=["game", "version"])]

    def __str__(self) -> str:
        return f"{self.version} {self.type}"
