"""An id and its commitments, shown before the creator's own seed is known."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from callbreak_site.errors import Code, ServiceError
from games.models import Reservation
from games.rules.ruleset import Ruleset, as_json
from games.services.dealing import fresh_secrets

RESERVED_FOR = timedelta(hours=1)
KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True)
class Reserved:
    """What a creator gets to see; *secrets* only so that their hashes can be shown."""

    reservation: str
    game_id: uuid.UUID
    secrets: tuple[bytes, ...]


def reserve_game(*, player_id: uuid.UUID, ruleset: Ruleset) -> Reserved:
    """Draw the secrets of a game to come and keep its id for an hour."""
    secrets = fresh_secrets(ruleset)
    row = Reservation.objects.create(
        player_id=player_id, ruleset=as_json(ruleset), secrets=b"".join(secrets), expires_at=Now() + RESERVED_FOR
    )
    return Reserved(row.id.hex, row.reserved_game_id, secrets)


def use_reservation(*, reservation: str, player_id: uuid.UUID, ruleset: Ruleset) -> tuple[uuid.UUID, bytes]:
    """Use a reservation up and return its game's id and secrets.

    Raises INVALID_RESERVATION when it is unknown, used, expired, someone else's or for other rules.
    """
    refusal = ServiceError(
        Code.INVALID_RESERVATION, "This reservation is unknown, used, expired, someone else's or for other rules."
    )
    try:
        reservation_id = uuid.UUID(reservation)
    except ValueError:
        raise refusal from None
    with transaction.atomic():
        row = (
            Reservation.objects.select_for_update()
            .filter(id=reservation_id, player_id=player_id, used_at__isnull=True, expires_at__gt=Now())
            .first()
        )
        if row is None or row.ruleset != as_json(ruleset):
            raise refusal
        row.used_at = Now()
        row.save(update_fields=["used_at"])
    return row.reserved_game_id, bytes(row.secrets)


def purge_reservations() -> None:
    """Forget the reservations that ran out a day ago; a used one's secrets live on with its game."""
    Reservation.objects.filter(expires_at__lt=Now() - KEPT_FOR).delete()
