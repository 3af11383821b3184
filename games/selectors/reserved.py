"""What has become of a reservation."""

import uuid

from games.models import Game, Reservation


def game_reserved(*, reservation: str, player_id: uuid.UUID) -> str | None:
    """Return the id of the game that *player_id* has made from a reservation of his, or None."""
    try:
        key = uuid.UUID(reservation)
    except ValueError:
        return None
    ids = Reservation.objects.filter(id=key, player_id=player_id, used_at__isnull=False).values("reserved_game_id")
    made = Game.objects.filter(id__in=ids).values_list("id", flat=True).first()
    return made.hex if made else None
