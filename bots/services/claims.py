"""Who takes a bot's turn: a lease for one version of a game, in one statement."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Greatest, Now

from bots.models import Claim

LEASE = timedelta(seconds=12)
"""Longer than a bot may think; after it a claim of the dead is free."""
KEPT = timedelta(days=1)

CLAIM = """
    INSERT INTO bots_claim AS kept (game_id, version, leased_until, holder, attempts)
    VALUES (%(game_id)s, %(version)s, statement_timestamp() + %(lease)s, %(holder)s, 1)
    ON CONFLICT (game_id) DO UPDATE SET
        version = excluded.version, leased_until = excluded.leased_until, holder = excluded.holder,
        attempts = CASE WHEN kept.version = excluded.version THEN kept.attempts + 1 ELSE 1 END
    WHERE kept.version < excluded.version
        OR kept.version = excluded.version
            AND (kept.holder = excluded.holder OR kept.leased_until <= statement_timestamp())
    RETURNING attempts
"""


def claim_turn(*, game_id: str, version: int, holder: str) -> int | None:
    """Claim the bot's turn at *version* of a game; return how often it was begun, this time included.

    Returns None when another holder is at it, or at a later turn of the game already. Who holds the claim may take it
    up again: so does the task of a worker that was killed, when it is delivered once more.
    """
    asked: dict[str, Any] = {"game_id": UUID(game_id), "version": version, "lease": LEASE, "holder": holder}
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, asked)
        row = cursor.fetchone()
    return row[0] if row else None


def give_up_claim(*, game_id: str, holder: str) -> None:
    """Let others have the turn at once, as though it had not been begun."""
    held = Claim.objects.filter(game_id=UUID(game_id), holder=holder)
    held.update(leased_until=Now(), holder="", attempts=Greatest(F("attempts") - 1, 0))


@transaction.atomic
def reserve_turns(game_ids: Iterable[str]) -> dict[str, str]:
    """Lease the games of *game_ids* that nobody is at, each to a task to come; return that task's id by game."""
    by_id = {UUID(game_id): game_id for game_id in game_ids}
    Claim.objects.bulk_create(
        [Claim(game_id=game_id, version=0, holder="", leased_until=Now()) for game_id in by_id], ignore_conflicts=True
    )
    free = Claim.objects.filter(game_id__in=by_id, leased_until__lte=Now())
    claims = list(free.select_for_update(skip_locked=True))
    for claim in claims:
        claim.holder = uuid4().hex
        claim.leased_until = Now() + LEASE
    Claim.objects.bulk_update(claims, ["holder", "leased_until"])
    return {by_id[claim.game_id]: claim.holder for claim in claims}


def purge_claims() -> None:
    """Delete the claims that were last used more than a day ago."""
    Claim.objects.filter(leased_until__lt=Now() - KEPT).delete()
