"""What workers run for the bots."""

from celery import shared_task

from bots import services


@shared_task(acks_late=True, reject_on_worker_lost=True)
def take_turns(game_id: str) -> None:
    """Take the turns that wait for a bot in a game."""
    services.take_turns(game_id)
