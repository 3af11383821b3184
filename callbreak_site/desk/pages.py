"""Lists and pages of rows that nobody edits."""

from typing import Any

from django.contrib.admin import ShowFacets, SimpleListFilter
from django.contrib.admin.utils import unquote
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
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
        return redirect(audit_of(self.audited_as, row.pk))


def audit_of(kind: str, key: Any) -> str:
    """Return the address of the audit of one subject."""
    return f"{reverse('admin:players_audit_changelist')}?{urlencode({'subject': f'{kind}:{key}'})}"
