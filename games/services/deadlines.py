"""Turns that have run out, found by the sweeps."""

import logging

from games.selectors.turns import overdue_turns
from games.services.moves import GRACE
from games.services.table import expire_turn

log = logging.getLogger(__name__)

AT_ONCE = 500


def expire_overdue() -> None:
    """Mark every overdue turn as missed, one transaction each; a game that is busy is left to the next sweep."""
    for game_id in overdue_turns(GRACE, limit=AT_ONCE):
        try:
            expire_turn(game_id=game_id)
        except Exception as error:
            # One game that can't be expired must not keep the others waiting.
            log.warning("turn not expired: game=%s error=%s", game_id, type(error).__name__)
