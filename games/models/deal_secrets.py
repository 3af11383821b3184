"""The server's share of the randomness: read by the dealing alone, and shown round by round when it is over."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.game import Game


class DealSecrets(models.Model):
    """The 32-byte secrets of the draw and of every round, one after the other, in a row that no other read touches."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="deal_secrets")
    secrets = models.BinaryField()

    def __str__(self) -> str:
        return f"secrets of {self.game_id.hex}"


class Reservation(models.Model):
    """An id and its commitments, shown to a creator before his own randomness is known."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    reserved_game_id = models.UUIDField(unique=True, default=uuid.uuid4)
    ruleset = models.JSONField()
    secrets = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"reservation {self.id.hex}"
