"""A game: who made it, by which rules, and where it stands."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class GameStatus(models.TextChoices):
    """How far a game is."""

    OPEN = "open"
    ACTIVE = "active"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    VOID = "void"


class Visibility(models.TextChoices):
    """Who may see a game: all, who has the link, who was invited."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class ClockKind(models.TextChoices):
    """What a turn is measured in: hours, seconds, or not at all."""

    CORRESPONDENCE = "correspondence"
    LIVE = "live"
    UNTIMED = "untimed"


class TurnAction(models.TextChoices):
    """What the seat on turn has to do."""

    BID = "bid"
    PLAY = "play"


class Game(models.Model):
    """One game; whatever a move must know of the table's position is on this row and the four current hands.

    Nothing on this row is hidden from whoever may see the game, but for the invite.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    status = models.CharField(max_length=9, choices=GameStatus, default=GameStatus.OPEN)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    invite = models.CharField(max_length=43, help_text="What opens a private game to those who are told.")
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    ruleset_name = models.CharField(max_length=20)
    ruleset = models.JSONField(help_text="Every switch, frozen when the game was made.")
    rules_version = models.PositiveSmallIntegerField()
    clock_kind = models.CharField(max_length=14, choices=ClockKind, default=ClockKind.CORRESPONDENCE)
    per_turn_s = models.PositiveIntegerField(null=True)
    fill_with = models.CharField(max_length=10, help_text="The level of the bots that fill empty places.")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    void_reason = models.TextField(blank=True)
    rematch = models.OneToOneField("self", models.PROTECT, null=True, related_name="rematch_of")

    turn_seat = models.PositiveSmallIntegerField(null=True)
    turn_action = models.CharField(max_length=4, choices=TurnAction, null=True)
    turn_ends_at = models.DateTimeField(null=True)
    is_bots_turn = models.BooleanField(default=False, help_text="A bot holds the seat, or plays this one missed turn.")
    round_number = models.PositiveSmallIntegerField(default=0)
    dealer = models.PositiveSmallIntegerField(null=True)
    redeals = models.PositiveSmallIntegerField(default=0, help_text="Redeals in the running round.")
    trick_number = models.PositiveSmallIntegerField(default=1)
    trick_leader = models.PositiveSmallIntegerField(default=0)
    trick_cards = models.JSONField(default=list, help_text="The running trick, in order of play.")
    last_trick = models.JSONField(null=True)
    last_acts = models.JSONField(default=list, help_text="Each seat's latest bid or play, to know a retry by.")
    scoreboard = models.JSONField(default=list, help_text="Per finished round the bids, tricks and scores in tenths.")
    is_finish_agreed = models.BooleanField(default=False)
    is_archived = models.BooleanField(
        default=False, db_default=False, help_text="Its events, tricks and plays are packed in its archive."
    )

    class Meta:
        permissions = [("void_game", "Can void games")]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="games_newest_first"),
            models.Index(
                fields=["turn_ends_at"],
                name="games_whose_turn_can_run_out",
                condition=Q(status="active", is_bots_turn=False, turn_ends_at__isnull=False),
            ),
            models.Index(
                fields=["changed_at"], name="games_that_wait_for_a_bot", condition=Q(status="active", is_bots_turn=True)
            ),
            models.Index(fields=["changed_at"], name="games_that_are_open", condition=Q(status="open")),
            models.Index(
                fields=["ended_at"],
                name="games_to_archive",
                condition=Q(is_archived=False, started_at__isnull=False, ended_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="exactly_an_active_game_has_a_turn",
                condition=Q(status="active", turn_seat__isnull=False, turn_action__isnull=False)
                | (~Q(status="active") & Q(turn_seat__isnull=True, turn_action__isnull=True)),
            ),
            models.CheckConstraint(
                name="a_turn_is_one_of_four_seats", condition=Q(turn_seat__isnull=True) | Q(turn_seat__lt=4)
            ),
            models.CheckConstraint(
                name="an_untimed_game_has_no_turn_time",
                condition=Q(clock_kind="untimed", per_turn_s__isnull=True)
                | (~Q(clock_kind="untimed") & Q(per_turn_s__isnull=False)),
            ),
            models.CheckConstraint(
                name="an_open_game_has_not_started", condition=~Q(status="open") | Q(started_at__isnull=True)
            ),
            models.CheckConstraint(
                name="a_trick_has_thirteen_places", condition=Q(trick_number__gte=1, trick_number__lte=13)
            ),
            models.CheckConstraint(
                name="a_game_is_not_its_own_rematch", condition=Q(rematch__isnull=True) | ~Q(rematch=F("id"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id.hex} {self.ruleset_name} {self.status}"
