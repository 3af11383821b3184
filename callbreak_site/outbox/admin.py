"""Facts that wait for their hearers, and who was seen when, for moderators."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from unfold.decorators import display

from callbreak_site.desk.asking import Question, address_of, ask, signed_in
from callbreak_site.desk.overdue import SHOWN, Backlog, Late
from callbreak_site.desk.pages import Act, PageAdmin, ReadOnlyAdmin, holds, moment
from callbreak_site.outbox.models import Fact, Heartbeat
from callbreak_site.outbox.redelivery import deliver_again

DELIVERY_MAY_TAKE = timedelta(seconds=60)

UNHANDLED = Q(handled_at=None)


class StateFilter(admin.SimpleListFilter):
    """Narrows the list to facts that are still to be handled, or that failed."""

    title = "state"
    parameter_name = "state"
    states = {
        "unhandled": ("Unhandled", UNHANDLED),
        "failed": ("Failed", UNHANDLED & ~Q(error="")),
        "handled": ("Handled", ~UNHANDLED),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what can be chosen."""
        return [(key, title) for key, (title, _) in self.states.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        """Narrow *queryset*."""
        chosen = self.states.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


@admin.register(Fact)
class FactAdmin(PageAdmin):
    """What has happened, and whether those who should react to it have."""

    list_display = ("id", "kind", "about", "state", "attempts", "error", "since")
    list_filter = (StateFilter,)
    ordering = ("-id",)
    search_fields = ("=subject",)
    search_help_text = "The whole id of what it is about."
    audited_as = "fact"
    page_template = "outbox/admin/fact.html"
    acts = (
        Act("again", "Deliver again", holds("outbox.change_fact"), lambda fact: fact.handled_at is None, False),
    )  # fmt: skip

    @display(description="About", ordering="subject")
    def about(self, fact: Fact) -> str:
        """Return the beginning of the id of what it is about."""
        return f"{fact.subject[:12]}…" if len(fact.subject) > 12 else fact.subject

    @display(description="State", label={"handled": "success", "failed": "danger", "waits": "warning"})
    def state(self, fact: Fact) -> str:
        """Say how far it is."""
        return state_of(fact)

    @display(description="Since", ordering="created_at")
    def since(self, fact: Fact) -> str:
        """Say when it happened."""
        return moment(fact.created_at)

    def page(self, request: HttpRequest, row: Fact) -> dict[str, Any]:
        """Return the fact itself."""
        return {"fact": row, "state": state_of(row)}

    def again(self, request: HttpRequest, row: Fact) -> HttpResponse:
        """Ask why, and deliver it again."""
        question = Question(
            title=f"Deliver fact {row.pk} again",
            consequences="Those who hear it are called now instead of after the pause that its failures earned it."
            " They do nothing twice.",
            reason_is_read_by="This stays in the audit.",
            button="Deliver again",
            done="It is on its way.",
            is_harmful=False,
        )

        def act(answers: dict[str, Any]) -> None:
            deliver_again(
                fact_id=row.pk,
                administrator_id=signed_in(request),
                reason=answers["reason"],
                address=address_of(request),
            )

        return ask(request, self, row, question, act)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When the parts of the service were seen last."""

    list_display = ("name", "seen", "ago")
    list_display_links = None
    ordering = ("name",)
    fields = ("name", "seen_at")

    @display(description="Seen", ordering="seen_at")
    def seen(self, heartbeat: Heartbeat) -> str:
        """Say when it was seen."""
        return f"{heartbeat.seen_at:%Y-%m-%d %H:%M:%S}"

    @display(description="Silent for")
    def ago(self, heartbeat: Heartbeat) -> str:
        """Say how long it has been silent."""
        return f"{(timezone.now() - heartbeat.seen_at).total_seconds():.0f} s"


def state_of(fact: Fact) -> str:
    """Return whether a fact is handled, failed or waits."""
    if fact.handled_at is not None:
        return "handled"
    return "failed" if fact.error else "waits"


def backlogs(request: HttpRequest) -> list[Backlog]:
    """Return the facts that nobody has handled for a minute."""
    if not request.user.has_perm("outbox.view_fact"):
        return []
    late = Fact.objects.filter(UNHANDLED, created_at__lt=Now() - DELIVERY_MAY_TAKE).order_by("id")
    return [
        Backlog(
            title="Facts that nobody has handled for a minute",
            all_is_well="None: everything that has happened has been told.",
            things=[
                Late(
                    name=str(fact),
                    url=reverse("admin:outbox_fact_change", args=[fact.pk]),
                    since=fact.created_at,
                    note=f"{fact.attempts} attempts{f', {fact.error}' if fact.error else ''}",
                )
                for fact in late[: SHOWN + 1]
            ],
            url=f"{reverse('admin:outbox_fact_changelist')}?state=unhandled",
        )
    ]
