"""Players, for moderators."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from unfold.decorators import display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldBooleanSwitchWidget

from callbreak_site.desk.asking import Question, ReasonForm, address_of, ask, signed_in
from callbreak_site.desk.pages import Act, PageAdmin, audit_url, holds, moment
from players import selectors
from players.admin.audit import as_uuid
from players.models import Player, Token
from players.services.moderation import reinstate_player, suspend_player
from players.services.staff import change_staff_rights

VARIANTS = {"suspended": "danger", "closed": "warning", "staff": "info"}


def standing_of(player: Player) -> str | None:
    """Return what a moderator has to know of a player at a glance, or None."""
    if not player.is_active:
        return "closed"
    if player.suspended_at is not None:
        return "suspended"
    return "staff" if player.is_staff else None


def is_suspended(player: Player) -> bool:
    """Tell whether somebody is shut out."""
    return player.is_active and player.suspended_at is not None


def may_be_suspended(player: Player) -> bool:
    """Tell whether somebody could be shut out."""
    return player.is_active and player.suspended_at is None and not player.is_staff


class StandingFilter(admin.SimpleListFilter):
    """Narrows the list to those that something is said of."""

    title = "standing"
    parameter_name = "standing"
    standings = {
        "suspended": ("Suspended", Q(suspended_at__isnull=False)),
        "staff": ("Staff", Q(is_staff=True)),
        "closed": ("Closed", Q(is_active=False)),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what can be chosen."""
        return [(key, title) for key, (title, _) in self.standings.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        """Narrow *queryset*."""
        chosen = self.standings.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class StaffForm(ReasonForm):
    """Whether somebody is staff, and in which groups."""

    is_staff = forms.BooleanField(label="May enter the admin", required=False, widget=UnfoldBooleanSwitchWidget)
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        required=False,
        to_field_name="name",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="What may be done there: moderators see players and games, suspend, and void games.",
    )
    field_order = ("is_staff", "groups", "reason")


@admin.register(Player)
class PlayerAdmin(PageAdmin):
    """Players: found, looked at, suspended and reinstated."""

    list_display = ("username", "standing", "kind", "since")
    list_filter = (StandingFilter, "kind")
    ordering = ("-created_at", "-id")
    search_fields = ("username",)
    search_help_text = "A part of the name, or the whole id."
    audited_as = "player"
    page_template = "players/admin/player.html"
    acts = (
        Act("suspend", "Suspend", holds("players.suspend_player"), may_be_suspended),
        Act("reinstate", "Reinstate", holds("players.suspend_player"), is_suspended, False),
        Act("staff", "Rights of staff", lambda user: user.is_superuser, lambda player: player.is_active, False),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Find by id if the words are one, else by name."""
        if key := as_uuid(search_term):
            return queryset.filter(pk=key), False
        return super().get_search_results(request, queryset, search_term)

    @display(description="Standing", label=VARIANTS)
    def standing(self, player: Player) -> str | None:
        """Say what is special."""
        return standing_of(player)

    @display(description="Since", ordering="created_at")
    def since(self, player: Player) -> str:
        """Say when the account was opened."""
        return moment(player.created_at)

    def page(self, request: HttpRequest, row: Player) -> dict[str, Any]:
        """Return the facts, the tokens by name, and what moderators did."""
        may_see_audit = request.user.has_perm("players.view_audit")
        return {
            "player": row,
            "standing": standing_of(row),
            "standing_variant": VARIANTS.get(standing_of(row) or ""),
            "groups": row.groups.order_by("name"),
            "tokens": Token.objects.filter(player=row)
            .only("name", "scopes", "created_at", "last_used_at", "expires_at", "game_id")
            .order_by("-created_at", "-id"),
            "games_url": f"{reverse('admin:games_game_changelist')}?q={row.username}",
            "audit": selectors.audit_of("player", row.pk) if may_see_audit else (),
            "audit_url": audit_url("player", row.pk) if may_see_audit else None,
        }

    def suspend(self, request: HttpRequest, row: Player) -> HttpResponse:
        """Ask why, and suspend."""
        question = Question(
            title=f"Suspend {row.username}",
            consequences="The player can no longer do anything here. Running games go on: turns that run out are played"
            " by a bot. This can be undone.",
            reason_is_read_by="The player reads this, and it stays in the audit.",
            button="Suspend",
            done=f"{row.username} is suspended.",
        )
        return ask(request, self, row, question, lambda answers: suspend_player(**self.order(request, row, answers)))

    def reinstate(self, request: HttpRequest, row: Player) -> HttpResponse:
        """Ask why, and reinstate."""
        question = Question(
            title=f"Reinstate {row.username}",
            consequences="The player is let in again, with the same tokens, games and name.",
            reason_is_read_by="This stays in the audit.",
            button="Reinstate",
            done=f"{row.username} is reinstated.",
            is_harmful=False,
        )
        return ask(request, self, row, question, lambda answers: reinstate_player(**self.order(request, row, answers)))

    def staff(self, request: HttpRequest, row: Player) -> HttpResponse:
        """Ask for the rights and why, and set them."""
        question = Question(
            title=f"Rights of {row.username}",
            consequences="Staff can sign in here. What they can do depends on their groups.",
            reason_is_read_by="This stays in the audit.",
            button="Set these rights",
            done=f"The rights of {row.username} are set.",
            is_harmful=False,
        )

        def act(answers: dict[str, Any]) -> None:
            change_staff_rights(
                player_id=row.pk,
                administrator_id=signed_in(request),
                is_staff=answers["is_staff"],
                groups=[group.name for group in answers["groups"]],
                reason=answers["reason"],
                address=address_of(request),
            )

        initial = {"is_staff": row.is_staff, "groups": list(row.groups.all())}
        return ask(request, self, row, question, act, StaffForm, initial)

    def order(self, request: HttpRequest, row: Player, answers: dict[str, Any]) -> dict[str, Any]:
        """Return what every service here has to know."""
        return {
            "player_id": row.pk,
            "moderator_id": signed_in(request),
            "reason": answers["reason"],
            "address": address_of(request),
        }
