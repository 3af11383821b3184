"""Lists and pages of rows that nobody edits."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.admin import ShowFacets, SimpleListFilter
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from unfold.admin import ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """Rows to look at: nobody adds, edits or deletes one here, superusers included.

    What changes them are services, behind pages that ask for a reason. A list can be narrowed by its own filters alone:
    Django would let any field of the row be guessed letter by letter in the address.
    """

    actions = None
    list_per_page = 50
    list_fullwidth = True
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    change_list_template = "desk/change_list.html"
    audited_as: str | None = None
    """The `subject_kind` under which the audit tells what was done to a row; None where nothing can be."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Tell whether a part of the address belongs to a filter that the list shows."""
        filters = self.get_list_filter(request) if request else self.list_filter
        for shown in filters:
            if isinstance(shown, type) and issubclass(shown, SimpleListFilter):
                if lookup == shown.parameter_name:
                    return True
            elif lookup in (shown, f"{shown}__exact"):
                return True
        return False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Go to what the audit tells of this row: there is no other history."""
        row = self.get_object(request, unquote(object_id))
        if row is None or self.audited_as is None or not self.has_view_permission(request, row):
            raise Http404
        return redirect(audit_url(self.audited_as, row.pk))


@dataclass(frozen=True)
class Act:
    """What may be done to a row: the method *name* of its admin, by whoever *may*, and offered while it makes sense."""

    name: str
    title: str
    may: Callable[[Any], bool]
    is_offered: Callable[[Any], bool]
    is_harmful: bool = True


class PageAdmin(ReadOnlyAdmin):
    """Rows that have a page of their own making, with the acts that are possible there."""

    page_template = ""
    acts: tuple[Act, ...] = ()

    def page(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return what the template shows of *row*."""
        raise NotImplementedError

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        row = self.row(request, object_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": row,
            "title": str(row),
            "media": self.media,
            "acts": [
                {"title": act.title, "is_harmful": act.is_harmful, "url": self.act_url(act, row)}
                for act in self.acts
                if act.may(request.user) and act.is_offered(row)
            ],
            **self.page(request, row),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, self.page_template, context)

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the acts before all others."""
        views = [(act, self.admin_site.admin_view(partial(self.act_view, act))) for act in self.acts]
        return [
            *(path(f"<path:object_id>/{act.name}/", view, name=self.act_name(act)) for act, view in views),
            *super().get_urls(),
        ]

    def act_view(self, act: Act, request: HttpRequest, object_id: str) -> HttpResponse:
        """Do *act*, or ask what has to be known for it."""
        if not act.may(request.user):
            raise PermissionDenied
        answer: HttpResponse = getattr(self, act.name)(request, self.row(request, object_id))
        return answer

    def act_name(self, act: Act) -> str:
        """Return the name of an act's address."""
        return f"{self.opts.app_label}_{self.opts.model_name}_{act.name}"

    def act_url(self, act: Act, row: Model) -> str:
        """Return an act's address."""
        return reverse(f"{self.admin_site.name}:{self.act_name(act)}", args=[row.pk])

    def row(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row, for those who may view it; raises PermissionDenied or Http404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        return row


def moment(at: datetime | None) -> str:
    """Return a time for a list, in UTC.

    >>> from datetime import UTC
    >>> moment(datetime(2026, 11, 30, 9, 5, 59, tzinfo=UTC)), moment(None)
    ('2026-11-30 09:05', '–')
    """
    return "–" if at is None else f"{at:%Y-%m-%d %H:%M}"


def holds(permission: str) -> Callable[[Any], bool]:
    """Return the question whether somebody has a permission."""
    return lambda user: bool(user.has_perm(permission))


def audit_url(kind: str, key: Any) -> str:
    """Return the address of the audit of one subject."""
    return f"{reverse('admin:players_audit_changelist')}?{urlencode({'subject': f'{kind}:{key}'})}"
