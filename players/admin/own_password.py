"""The password of whoever is signed in to the admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import PasswordChangeView
from django.db.models import Model
from django.http import HttpResponse
from django.urls import reverse_lazy
from unfold.forms import AdminOwnPasswordChangeForm

from callbreak_site.errors import ServiceError
from players.services.accounts import change_password


class OwnPasswordForm(AdminOwnPasswordChangeForm):
    """The password of whoever is signed in, changed as everybody's is: all tokens end with it."""

    def save(self, commit: bool = True) -> Model:
        """Change it."""
        change_password(
            player_id=self.user.pk,
            token_id=None,
            old=self.cleaned_data["old_password"],
            new=self.cleaned_data["new_password1"],
        )
        self.user.refresh_from_db()
        return self.user


class OwnPassword(PasswordChangeView):
    """The page for it."""

    form_class = OwnPasswordForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the pages of the admin need."""
        return {**super().get_context_data(**kwargs), **admin.site.each_context(self.request)}

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the password, or say why not."""
        try:
            return super().form_valid(form)
        except ServiceError as refusal:
            form.add_error(None, refusal.detail)
            return self.form_invalid(form)
