"""What happened in a game, whether its rows are still there or have been packed into its archive."""

import uuid

from games.models import Archive, Event, Play, Trick
from games.models.packing import Contents, PackedEvent, PackedPlay, PackedTrick


def contents_of(game_id: uuid.UUID) -> Contents:
    """Return all that happened in a game, which is locked or looked at as it was at one moment."""
    rows = contents_of_rows(game_id)
    archive = Archive.objects.filter(game_id=game_id).first()
    return archive.contents if archive else rows


def contents_of_rows(game_id: uuid.UUID) -> Contents:
    """Return what the rows of events, tricks and plays hold: nothing once the game has been archived."""
    events = Event.objects.filter(game_id=game_id).order_by("version")
    tricks = Trick.objects.filter(round__game=game_id).order_by("round__number", "number")
    plays = Play.objects.filter(round__game=game_id).order_by("round__number", "trick_number", "order")
    return Contents(
        events=[PackedEvent(*row) for row in events.values_list(*PackedEvent._fields)],
        tricks=[PackedTrick(*row) for row in tricks.values_list("round__number", "number", "leader", "winner")],
        plays=[PackedPlay(*row) for row in plays.values_list("round__number", "trick_number", "order", "seat", "card")],
    )
