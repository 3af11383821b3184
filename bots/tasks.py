"""What workers run for the bots."""

import logging

from celery import shared_task

from bots import services

log = logging.getLogger(__name__)


@shared_task(acks_late=True, reject_on_worker_lost=True)
def take_turns(game_id: str) -> None:
    """Take the turns that wait for a bot in a game; when that fails, the sweep asks for them again."""
    try:
        services.take_turns(game_id)
    except Exception:
        # Celery would write the error's text, which may hold the row of a hand.
        log.exception("turns not taken: game=%s", game_id)
