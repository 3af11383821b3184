"""Games, for moderators: found, read like a spectator would, and voided."""

import re
import uuid
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.timesince import timesince
from unfold.decorators import display

from callbreak_site.desk.asking import Question, address_of, ask, signed_in
from callbreak_site.desk.pages import Act, PageAdmin, audit_url, holds, moment
from games.admin.late import OVERDUE, WAITS_FOR_BOT, WAITS_LONG_FOR_BOT
from games.admin.record import record_of
from games.models import Game, GameStatus, Seat, Tenure
from games.rules.ruleset import RULESETS
from games.services.moderation import void_game
from players import selectors as players

ID = re.compile(r"[0-9a-f]{32}")
VARIANTS = {"open": "info", "active": "success", "void": "danger", "cancelled": "warning"}


class RulesetFilter(admin.SimpleListFilter):
    """Narrows the list to one ruleset, without asking every row which there are."""

    title = "ruleset"
    parameter_name = "ruleset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what can be chosen."""
        return [(name, name) for name in (*RULESETS, "custom")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Narrow *queryset*."""
        return queryset.filter(ruleset_name=self.value()) if self.value() else queryset


class TurnFilter(admin.SimpleListFilter):
    """Narrows the list to games that wait."""

    title = "turn"
    parameter_name = "turn"
    turns = {
        "overdue": ("Overdue", OVERDUE),
        "bot": ("Waits for a bot", WAITS_FOR_BOT),
        "late-bot": ("Waits for a bot for a minute", WAITS_LONG_FOR_BOT),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what can be chosen."""
        return [(key, title) for key, (title, _) in self.turns.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Narrow *queryset*."""
        chosen = self.turns.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


@admin.register(Game)
class GameAdmin(PageAdmin):
    """Games, with the record of each; hands of a running round are shown to nobody."""

    list_display = ("short_id", "shown_status", "rules", "people", "turn", "made")
    list_filter = ("status", RulesetFilter, TurnFilter)
    ordering = ("-created_at", "-id")
    search_fields = ("id",)
    search_help_text = "The id of a game, or a link to it; or a part of the name of somebody who sits or sat in it."
    audited_as = "game"
    page_template = "games/admin/game.html"
    acts = (
        Act(
            "void",
            "Void this game",
            holds("games.void_game"),
            lambda game: game.status not in (GameStatus.CANCELLED, GameStatus.VOID),
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return games with those who sit in them."""
        return super().get_queryset(request).prefetch_related("seats__player")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, or the game itself if one is named by its id."""
        key = id_in(request.GET.get("q", ""))
        if key and self.has_view_permission(request) and Game.objects.filter(pk=key).exists():
            return redirect("admin:games_game_change", key)
        answer: HttpResponse = super().changelist_view(request, extra_context)
        return answer

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Find by id if the words hold one, else by the names of those who made it, or sit or sat in it."""
        words = search_term.strip()
        if not words:
            return queryset, False
        if key := id_in(words):
            return queryset.filter(pk=key), False
        sits = Seat.objects.filter(player__username__icontains=words).values("game")
        sat = Tenure.objects.filter(player__username__icontains=words).values("seat__game")
        is_theirs = Q(id__in=sits) | Q(id__in=sat) | Q(creator__username__icontains=words)
        return queryset.filter(is_theirs), False

    @display(description="Game", ordering="id")
    def short_id(self, game: Game) -> str:
        """Return the beginning of the id."""
        return f"{game.id.hex[:12]}…"

    @display(description="Status", ordering="status", label=VARIANTS)
    def shown_status(self, game: Game) -> str:
        """Return the status."""
        return game.status

    @display(description="Ruleset", ordering="ruleset_name")
    def rules(self, game: Game) -> str:
        """Return the name of the ruleset."""
        return game.ruleset_name

    @display(description="Made", ordering="created_at")
    def made(self, game: Game) -> str:
        """Say when it was made."""
        return moment(game.created_at)

    @display(description="Players")
    def people(self, game: Game) -> str:
        """Name those who sit in it."""
        return names_in(game)

    @display(description="Turn", ordering="turn_ends_at")
    def turn(self, game: Game) -> str:
        """Say for whom it waits, and how long still."""
        if game.status != GameStatus.ACTIVE:
            return "–"
        seat = next((seat for seat in game.seats.all() if seat.number == game.turn_seat), None)
        name = seat.player.username if seat and seat.player else "a bot"
        if game.is_bots_turn:
            return f"a bot, for {timesince(game.changed_at)}"
        if game.turn_ends_at is None:
            return name
        if game.turn_ends_at < timezone.now():
            return f"{name}, overdue for {timesince(game.turn_ends_at)}"
        return f"{name}, {timesince(timezone.now(), game.turn_ends_at)} left"

    def page(self, request: HttpRequest, row: Game) -> dict[str, Any]:
        """Return the record, with a spectator's eyes."""
        may_see_audit = request.user.has_perm("players.view_audit")
        return {
            **record_of(row.id, request.GET.get("round", ""), request.GET.get("from", "")),
            "title": f"Game {row.id.hex}",
            "status_variant": VARIANTS.get(row.status),
            "audit": players.audit_of("game", row.id) if may_see_audit else (),
            "audit_url": audit_url("game", row.id) if may_see_audit else None,
        }

    def void(self, request: HttpRequest, row: Game) -> HttpResponse:
        """Ask why, and void the game."""
        question = Question(
            title=f"Void the game of {names_in(row) or row.creator.username}",
            consequences="The game ends at once, without a result: nobody can play on, and no places count."
            " This cannot be undone.",
            reason_is_read_by="All its players and spectators read this, and it stays in the audit.",
            button="Void the game",
            done="The game is void.",
        )

        def act(answers: dict[str, Any]) -> None:
            void_game(
                game_id=row.id.hex,
                moderator_id=signed_in(request),
                reason=answers["reason"],
                address=address_of(request),
            )

        return ask(request, self, row, question, act)


def names_in(game: Game) -> str:
    """Name those who sit in a game, in the order of play."""
    seats = sorted(game.seats.all(), key=lambda seat: seat.number)
    return ", ".join(seat.player.username if seat.player else f"{seat.bot_level} bot" for seat in seats)


def id_in(words: str) -> uuid.UUID | None:
    """Return the id of a game that is somewhere in *words*, such as a link.

    >>> id_in("https://example.org/games/0123456789abcdef0123456789abcdef?x=1").hex
    '0123456789abcdef0123456789abcdef'
    >>> id_in("01234567-89ab-cdef-0123-456789abcdef").hex, id_in("asha")
    ('0123456789abcdef0123456789abcdef', None)
    """
    found = ID.search(words.replace("-", "").lower())
    return uuid.UUID(found[0]) if found else None
