"""Games that wait longer than they should."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from django.urls import reverse

from callbreak_site.desk.overdue import SHOWN, Backlog, Late
from games.models import Game, GameStatus
from games.services.moves import GRACE

BOTS_MAY_TAKE = timedelta(seconds=60)

OVERDUE = Q(status=GameStatus.ACTIVE, is_bots_turn=False, turn_ends_at__lt=Now() - GRACE)
WAITS_FOR_BOT = Q(status=GameStatus.ACTIVE, is_bots_turn=True)
WAITS_LONG_FOR_BOT = WAITS_FOR_BOT & Q(changed_at__lt=Now() - BOTS_MAY_TAKE)


def backlogs(request: HttpRequest) -> list[Backlog]:
    """Return the games whose turn has run out without a bot stepping in, and those that wait for a bot."""
    if not request.user.has_perm("games.view_game"):
        return []
    overdue = Game.objects.filter(OVERDUE).order_by("turn_ends_at", "id")
    waiting = Game.objects.filter(WAITS_LONG_FOR_BOT).order_by("changed_at", "id")
    return [
        Backlog(
            title="Turns that have run out",
            all_is_well="None: every turn that ran out has been handed to a bot.",
            things=_late(overdue, "turn_ends_at"),
            url=f"{_list()}?turn=overdue",
        ),
        Backlog(
            title="Bot turns that wait for more than a minute",
            all_is_well="None: the bots keep up.",
            things=_late(waiting, "changed_at"),
            url=f"{_list()}?turn=late-bot",
        ),
    ]


def _late(games: QuerySet[Game], since: str) -> list[Late]:
    return [
        Late(
            name=game.id.hex,
            url=reverse("admin:games_game_change", args=[game.pk]),
            since=getattr(game, since),
            note=f"{game.ruleset_name}, round {game.round_number}: seat {game.turn_seat} has to {game.turn_action}",
        )
        for game in games[: SHOWN + 1]
    ]


def _list() -> str:
    return reverse("admin:games_game_changelist")
