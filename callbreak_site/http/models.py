"""Answers kept for requests that are sent twice."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class IdempotencyKey(models.Model):
    """The first answer to a request with an `Idempotency-Key`, written in the transaction of what it did."""

    player_id = models.UUIDField()
    path = models.CharField(max_length=500)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        """A key belongs to its player and path."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player_id", "path", "key"], name="one_answer_a_key_and_path")
        ]
        indexes: ClassVar = [models.Index(fields=["created_at"], name="answers_by_age")]

    def __str__(self) -> str:
        return f"{self.path} {self.key}"
