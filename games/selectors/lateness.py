"""What operators watch of the games: turns that should be over, and those that wait for a bot."""

from typing import Any

from django.db.models import Count, Min
from django.db.models.functions import Now

from callbreak_site.metrics.readings import Reading
from games.models import Game, GameStatus
from games.selectors.turns import waiting_for_bots


def readings() -> list[Reading]:
    """Return how many turns are late, and how late the worst is."""
    running = Game.objects.filter(status=GameStatus.ACTIVE, is_bots_turn=False, turn_ends_at__lt=Now())
    overdue = running.aggregate(count=Count("id"), age=Now() - Min("turn_ends_at"))
    bots = waiting_for_bots().aggregate(count=Count("id"), age=Now() - Min("changed_at"))
    return [
        Reading(
            "callbreak_overdue_turns",
            "Turns of people that have ended and that no bot has taken over.",
            overdue["count"],
        ),
        Reading("callbreak_oldest_overdue_turn_seconds", "Time since the first of them ended.", seconds(overdue)),
        Reading("callbreak_waiting_bot_turns", "Games that wait for a bot.", bots["count"]),
        Reading("callbreak_oldest_waiting_bot_turn_seconds", "Time that the first of them has waited.", seconds(bots)),
    ]


def seconds(found: dict[str, Any]) -> float:
    """Return the age in what was *found*, in seconds; 0 where there is none."""
    return found["age"].total_seconds() if found["age"] else 0.0
