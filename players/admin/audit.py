"""The audit, for moderators: only to read, for everybody."""

import re
import uuid
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from unfold.decorators import display

from callbreak_site.desk.pages import ReadOnlyAdmin, moment
from players.models import Audit, Player
from players.selectors import change_in_words

ROW_NUMBER = re.compile(r"[0-9]{1,19}", re.ASCII)
"""What some rows have instead of an id; the audit keeps it as the id with that number."""


class SubjectFilter(admin.SimpleListFilter):
    """Narrows the audit to one subject, named in the address as `kind:id`."""

    title = "subject"
    parameter_name = "subject"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer only the subject that is looked at."""
        subject = request.GET.get(self.parameter_name)
        return [(subject, subject)] if subject else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Audit]) -> QuerySet[Audit]:
        """Narrow *queryset*."""
        if not self.value():
            return queryset
        kind, _, key = str(self.value()).partition(":")
        subject_id = uuid.UUID(int=int(key)) if ROW_NUMBER.fullmatch(key) else as_uuid(key)
        return queryset.filter(subject_kind=kind, subject_id=subject_id) if subject_id else queryset.none()


@admin.register(Audit)
class AuditAdmin(ReadOnlyAdmin):
    """What was done to whom, by whom and why."""

    list_display = ("when", "actor", "action", "subject", "reason", "change")
    list_display_links = ("when",)
    list_filter = ("action", SubjectFilter)
    list_select_related = ("actor",)
    ordering = ("-id",)
    search_fields = ("actor__username", "reason")
    search_help_text = "Who did it, why, or the id of what it was done to."
    fields = ("when", "actor", "action", "subject", "reason", "change", "address")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Audit]:
        """Return the rows with the names of the players that they are about."""
        name = Player.objects.filter(pk=OuterRef("subject_id")).values("username")
        return super().get_queryset(request).annotate(subject_name=Subquery(name))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Audit], search_term: str
    ) -> tuple[QuerySet[Audit], bool]:
        """Find by the subject's id if the words are one, else by actor and reason."""
        if key := as_uuid(search_term):
            return queryset.filter(subject_id=key), False
        return super().get_search_results(request, queryset, search_term)

    @display(description="When", ordering="at")
    def when(self, audit: Audit) -> str:
        """Say when it was done."""
        return moment(audit.at)

    @display(description="Subject")
    def subject(self, audit: Audit) -> str:
        """Name what it was done to, with the way there."""
        key = audit.subject_id.int if audit.subject_kind == "fact" else audit.subject_id
        name = getattr(audit, "subject_name", None) or (key if isinstance(key, int) else f"{key.hex[:12]}…")
        app = {"player": "players", "game": "games", "fact": "outbox"}.get(audit.subject_kind)
        try:
            url = reverse(f"admin:{app}_{audit.subject_kind}_change", args=[key])
        except NoReverseMatch:
            return f"{audit.subject_kind} {name}"
        return format_html('<a class="desk-link" href="{}">{} {}</a>', url, audit.subject_kind, name)

    @display(description="Change")
    def change(self, audit: Audit) -> str:
        """Say what became of what."""
        return change_in_words(audit)


def as_uuid(text: str) -> uuid.UUID | None:
    """Return the id that *text* is, or None.

    >>> as_uuid(" 0123456789abcdef0123456789ABCDEF ").hex, as_uuid("asha")
    ('0123456789abcdef0123456789abcdef', None)
    """
    try:
        return uuid.UUID(text.strip())
    except ValueError:
        return None
