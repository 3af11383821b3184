"""What came of the games that a player finished."""

import uuid
from typing import Any

from django.db.models import Count, F, Q, Sum

from games.models import GameStatus, Hand, Seat, Visibility
from games.rules.scoring import points

COUNTS = ("games", "first", "second", "third", "fourth", "rounds", "bids_made", "total_tenths")


def statistics(player_id: uuid.UUID) -> dict[str, Any]:
    """Return what came of the public games that a player held a seat in to the end, in all and by ruleset."""
    by_ruleset: dict[str, dict[str, int]] = {}
    for row in [*_games(player_id), *_rounds(player_id)]:
        by_ruleset.setdefault(row.pop("ruleset"), {}).update(row)
    total = {name: sum(counts.get(name, 0) for counts in by_ruleset.values()) for name in COUNTS}
    tallies = [{"ruleset": name, **_tally(counts)} for name, counts in sorted(by_ruleset.items())]
    return {**_tally(total), "by_ruleset": tallies}


def _games(player_id: uuid.UUID) -> list[Any]:
    mine = Seat.objects.filter(
        player_id=player_id, game__status=GameStatus.FINISHED, game__visibility=Visibility.PUBLIC
    )
    return list(
        mine.values(ruleset=F("game__ruleset_name")).annotate(
            games=Count("id"),
            first=Count("id", filter=Q(place=1)),
            second=Count("id", filter=Q(place=2)),
            third=Count("id", filter=Q(place=3)),
            fourth=Count("id", filter=Q(place=4)),
            total_tenths=Sum("total_tenths"),
        )
    )


def _rounds(player_id: uuid.UUID) -> list[Any]:
    mine = Hand.objects.filter(
        seat__player_id=player_id,
        seat__game__status=GameStatus.FINISHED,
        seat__game__visibility=Visibility.PUBLIC,
        score_tenths__isnull=False,
    )
    return list(
        mine.values(ruleset=F("seat__game__ruleset_name")).annotate(
            rounds=Count("id"), bids_made=Count("id", filter=Q(score_tenths__gt=0))
        )
    )


def _tally(counts: dict[str, int]) -> dict[str, Any]:
    return {
        "games": counts["games"],
        "places": [counts[name] for name in ("first", "second", "third", "fourth")],
        "rounds": counts["rounds"],
        "bids_made": counts["bids_made"],
        "points": points(counts["total_tenths"]),
    }
