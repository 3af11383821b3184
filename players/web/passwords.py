"""Changing the password, and replacing a forgotten one."""

from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import throttles
from callbreak_site.http.addresses import household
from players.services import accounts, resets
from players.services.guessing import guessing
from players.web.forms import AskResetForm, PasswordForm, ResetForm
from players.web.pages import FormPage, PersonsPage
from players.web.visitors import enter


class ChangePassword(PersonsPage):
    """Another password."""

    form = PasswordForm
    template = "players/password.html"
    done = _("Your password is changed. You are signed in here only.")

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Change it; this session goes on as a new one, all others and all tokens end."""
        player_id = self.me.pk
        with guessing(player_id.hex):
            accounts.change_password(player_id=player_id, token_id=None, old=values["password"], new=values["new"])
        enter(self.request, player_id)
        return redirect("settings")


class AskReset(FormPage):
    """A link for who has forgotten the password; what it answers is the same for every address."""

    form = AskResetForm
    template = "players/ask_reset.html"

    def told(self) -> dict[str, Any]:
        """Return whether there is mail at all."""
        return {"sends_mail": settings.SENDS_MAIL}

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Ask for the mail."""
        if not settings.SENDS_MAIL:
            raise ServiceError(Code.NOT_AVAILABLE)
        throttles.spend("mail_address", household(self.request))
        throttles.spend("mail", values["email"].lower())
        root = self.request.build_absolute_uri("/").rstrip("/")
        resets.ask_for_reset(email=values["email"], language=get_language() or settings.LANGUAGE_CODE, root=root)
        return render(self.request, "players/reset_asked.html", {"email": values["email"]})


@method_decorator(sensitive_post_parameters("new"), name="dispatch")
class Reset(PasswordResetConfirmView):
    """Where the link leads: Django checks its secret, and keeps it in the session and out of the address."""

    form_class: Any = ResetForm
    user: Any
    template_name = "players/reset.html"
    success_url = reverse_lazy("sign-in")

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take the secret from where the link has it; afterwards Django knows by its own word where it is."""
        return super().dispatch(*args, **kwargs, token=self.request.GET.get("key", self.reset_url_token))

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return what our form takes."""
        kwargs = super().get_form_kwargs()
        kwargs.pop("user")
        return kwargs

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, or say why not."""
        try:
            resets.reset_password(player_id=self.user.pk, seen=self.user.password, new=form.cleaned_data["new"])
        except ServiceError as refusal:
            form.refuse(refusal)
            return self.form_invalid(form)
        logout(self.request)  # whoever it was: all sessions of that account have just ended
        return render(self.request, "players/reset_done.html")
