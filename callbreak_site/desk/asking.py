"""Acts that ask why before they are done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from axes.helpers import get_client_ip_address
from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db import OperationalError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from unfold.widgets import UnfoldAdminTextareaWidget

from callbreak_site.errors import ServiceError

LONGEST_REASON = 500


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        max_length=LONGEST_REASON, widget=UnfoldAdminTextareaWidget({"rows": 3, "autofocus": True})
    )


@dataclass(frozen=True)
class Question:
    """What the page says: *title* and *consequences* before, *done* after, and what the *button* does."""

    title: str
    consequences: str
    reason_is_read_by: str
    button: str
    done: str
    is_harmful: bool = True


def ask(
    request: HttpRequest,
    model_admin: ModelAdmin[Any],
    row: Model,
    question: Question,
    act: Callable[[dict[str, Any]], object],
    form_class: type[forms.Form] = ReasonForm,
    initial: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show the question; once it is answered, act on the answers and go back to the page of *row*.

    A refusal of the service becomes a message there, and so does a row that others hold too long.
    """
    form = form_class(request.POST if request.method == "POST" else None, initial=initial)
    form.fields["reason"].help_text = question.reason_is_read_by
    options = model_admin.opts
    back = f"{model_admin.admin_site.name}:{options.app_label}_{options.model_name}_change"
    if request.method == "POST" and form.is_valid():
        try:
            act(form.cleaned_data)
        except ServiceError as refusal:
            messages.error(request, f"Nothing was changed. {refusal.detail}")
        except OperationalError:
            messages.error(request, "Nothing was changed: others are busy with this. Try again in a moment.")
        else:
            messages.success(request, question.done)
        return redirect(back, row.pk)
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": options,
        "original": row,
        "title": question.title,
        "question": question,
        "form": form,
        "media": model_admin.media,
    }
    request.current_app = model_admin.admin_site.name
    return TemplateResponse(request, "desk/ask.html", context)


def signed_in(request: HttpRequest) -> UUID:
    """Return the id of whoever is signed in; behind the admin's door somebody is."""
    assert request.user.pk is not None
    return request.user.pk


def address_of(request: HttpRequest) -> str | None:
    """Return where a request comes from, as the guard of the sign-in page sees it."""
    address: str | None = get_client_ip_address(request)
    return address
