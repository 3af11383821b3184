"""The four places of a game, and who held them when."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.rules.shuffle import NO_SEED


class Seat(models.Model):
    """A taken place; before the start numbers are places only, and a draw renumbers them."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    bot_level = models.CharField(max_length=10, null=True)
    joined_order = models.PositiveSmallIntegerField(
        help_text="0 for the first to join; no gaps once the game has started."
    )
    client_seed = models.BinaryField(
        max_length=32, null=True, help_text="The seat's own 32 random bytes, if it brought any."
    )
    drawn_card = models.CharField(max_length=2, null=True)
    total_tenths = models.IntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)
    wants_to_finish = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="one_seat_a_number", fields=["game", "number"], deferrable=models.Deferrable.DEFERRED
            ),
            models.UniqueConstraint(
                name="one_seat_a_joiner", fields=["game", "joined_order"], deferrable=models.Deferrable.DEFERRED
            ),
            models.UniqueConstraint(name="a_player_sits_once_in_a_game", fields=["game", "player"]),
            models.CheckConstraint(name="a_seat_is_one_of_four", condition=Q(number__lt=4)),
            models.CheckConstraint(
                name="a_person_or_a_bot_holds_a_seat",
                condition=Q(player__isnull=True, bot_level__isnull=False)
                | Q(player__isnull=False, bot_level__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id.hex}"

    @property
    def seed(self) -> bytes:
        """The seat's own 32 bytes, zeros where it brought none."""
        return bytes(self.client_seed) if self.client_seed else NO_SEED


class Tenure(models.Model):
    """Who held a seat from one version of the game to another: nobody inherits another's record."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="tenures")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    bot_level = models.CharField(max_length=10, null=True)
    from_version = models.PositiveIntegerField()
    until_version = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="one_holder_of_a_seat_at_a_time", fields=["seat"], condition=Q(until_version__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or self.bot_level} from version {self.from_version}"
