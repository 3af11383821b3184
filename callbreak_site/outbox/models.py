"""Facts that wait for their hearers, and who was seen when."""

from django.db import models
from django.db.models.functions import Now


class Fact(models.Model):
    """Something that has happened, kept in the transaction that made it happen until its hearers have been called."""

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=64)
    subject = models.CharField(max_length=64, help_text="The id of what the fact is about.")
    created_at = models.DateTimeField(db_default=Now())
    claimed_until = models.DateTimeField(null=True, help_text="Until then only the claimant may deliver it.")
    claimed_by = models.CharField(max_length=64, default="", blank=True, help_text="The task that delivers it.")
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=200, default="", blank=True, help_text="What went wrong last.")
    handled_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], condition=models.Q(handled_at=None), name="facts_to_handle")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(claimed_until__isnull=False) | models.Q(claimed_by=""),
                name="a_claim_on_a_fact_ends",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Heartbeat(models.Model):
    """When a part of the service was seen last: `worker`, `sweep` or `beat`."""

    name = models.CharField(max_length=32, primary_key=True)
    seen_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name
