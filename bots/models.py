"""Which worker takes a game's bot turn."""

from django.db import models
from django.db.models.functions import Now


class Claim(models.Model):
    """The lease of a game's bot turn: until it ends, nobody else thinks about that version of the game."""

    game_id = models.UUIDField(primary_key=True)
    version = models.PositiveIntegerField(help_text="The version of the game that is thought about.")
    leased_until = models.DateTimeField(db_default=Now())
    holder = models.CharField(max_length=64, help_text="The task that holds it.")
    attempts = models.PositiveIntegerField(default=0, help_text="How often this version was begun.")

    def __str__(self) -> str:
        return f"{self.game_id.hex} version {self.version}"
