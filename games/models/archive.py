"""The record of a game that is over, packed: it takes the place of its events, tricks and plays."""

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.models.packing import FORMAT, Contents, unpack


class Archive(models.Model):
    """A game's events, tricks and plays in one value; a game has either this or those rows, never both."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="archive")
    format = models.PositiveSmallIntegerField(default=FORMAT)
    record = models.BinaryField()

    def __str__(self) -> str:
        return f"archive of {self.game_id.hex}"

    @property
    def contents(self) -> Contents:
        """What was packed."""
        return unpack(self.format, bytes(self.record))


class Mention(models.Model):
    """A player whom an archive names and no tenure does: who took a place and left it before the start.

    The row keeps him from being deleted, as his events did.
    """

    archive = models.ForeignKey(Archive, models.CASCADE, related_name="mentions", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(name="one_mention_a_player", fields=["archive", "player"])]

    def __str__(self) -> str:
        return f"mention in {self.archive_id.hex}"
