"""The turns that bots are at, for moderators: only to read."""

from typing import Any

from django.contrib import admin
from django.db.models import BooleanField, Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from unfold.decorators import display

from bots.models import Claim
from bots.services.turns import MAX_FAILURES
from callbreak_site.desk.overdue import SHOWN, Backlog, Late
from callbreak_site.desk.pages import ReadOnlyAdmin
from games.selectors.turns import waiting_for_bots


def claims() -> QuerySet[Any]:
    """Return claims with `is_waiting`: whether the turn is still to be taken."""
    waiting = waiting_for_bots().filter(pk=OuterRef("game_id"), version=OuterRef("version"))
    return Claim.objects.annotate(is_waiting=Exists(waiting, output_field=BooleanField()))


class WaitingFilter(admin.SimpleListFilter):
    """Narrows the list to turns that are still to be taken."""

    title = "turn"
    parameter_name = "turn"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what can be chosen."""
        return [("waiting", "Still to be taken"), ("failing", f"Begun {MAX_FAILURES} times or more")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Narrow *queryset*."""
        if self.value() == "waiting":
            return queryset.filter(is_waiting=True)
        return queryset.filter(is_waiting=True, attempts__gte=MAX_FAILURES) if self.value() else queryset


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    """Which task is or was at which game's bot turn, and how often it was begun."""

    list_display = ("game", "version", "still_waits", "attempts", "until", "holder")
    list_display_links = None
    list_filter = (WaitingFilter,)
    ordering = ("-leased_until", "game_id")
    fields = ("game", "version", "still_waits", "attempts", "leased_until", "holder")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Claim]:
        """Return claims, and whether their turns are still to be taken."""
        return claims()

    @display(description="Game")
    def game(self, claim: Claim) -> str:
        """Lead to the game."""
        return format_html('<a class="desk-link" href="{}">{}</a>', game_url(claim), claim.game_id.hex)

    @display(description="Leased until", ordering="leased_until")
    def until(self, claim: Claim) -> str:
        """Say how long nobody else may begin it."""
        return f"{claim.leased_until:%Y-%m-%d %H:%M:%S}"

    @display(description="Still to be taken", boolean=True)
    def still_waits(self, claim: Claim) -> bool:
        """Tell whether the turn is still to be taken."""
        return bool(getattr(claim, "is_waiting", False))


def backlogs(request: HttpRequest) -> list[Backlog]:
    """Return the bot turns that were begun again and again."""
    if not request.user.has_perm("bots.view_claim"):
        return []
    failing = claims().filter(is_waiting=True, attempts__gte=MAX_FAILURES).order_by("leased_until", "game_id")
    return [
        Backlog(
            title=f"Bot turns that were begun {MAX_FAILURES} times or more",
            all_is_well="None: the bots choose at once.",
            things=[
                Late(claim.game_id.hex, game_url(claim), claim.leased_until, f"begun {claim.attempts} times")
                for claim in failing[: SHOWN + 1]
            ],
            url=f"{reverse('admin:bots_claim_changelist')}?turn=failing",
        )
    ]


def game_url(claim: Claim) -> str:
    """Return the page of the game."""
    return reverse("admin:games_game_change", args=[claim.game_id])
