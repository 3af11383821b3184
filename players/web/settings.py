"""One's own account: what one likes, the e-mail address, and its end."""

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from callbreak_site.web.acts import Act
from players.services import accounts
from players.services.guessing import guessing
from players.services.preferences import change_preferences
from players.terms import Kind
from players.web.forms import ClosingForm, EmailForm, Form, GuestClosingForm, PreferencesForm
from players.web.language import speak
from players.web.pages import OwnPage, PersonsPage
from players.web.visitors import player

LIKED = ("language", "time_zone", "is_four_colour", "confirms_plays")


class Settings(OwnPage):
    """What one likes, and the way to the other pages about the account."""

    form = PreferencesForm
    template = "players/settings.html"
    done = _("Your settings are saved.")

    def initial(self) -> dict[str, Any]:
        """Return what is kept."""
        me = self.me
        return {**{name: getattr(me, name) for name in LIKED}, "has_sound": not me.is_silent}

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Keep it."""
        liked = {name: values[name] for name in LIKED}
        change_preferences(player_id=self.me.pk, is_silent=not values["has_sound"], **liked)
        answer = redirect("settings")
        if values["language"] != self.me.language:
            speak(answer, values["language"])
            if values["language"]:
                translation.activate(values["language"])  # the page that is answered with says so in it already
        return answer


class Sound(Act):
    """The switch at the table."""

    def act(self, request: HttpRequest) -> str:
        """Remember it."""
        change_preferences(player_id=player(request).pk, is_silent=request.POST.get("is_on") != "yes")
        return "/"


class ChangeEmail(PersonsPage):
    """The e-mail address, or none."""

    form = EmailForm
    template = "players/email.html"
    done = _("Your e-mail address is saved.")

    def initial(self) -> dict[str, Any]:
        """Return the address that is kept."""
        return {"email": self.me.email}

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Keep it."""
        player_id = self.me.pk
        with guessing(player_id.hex):
            accounts.change_email(player_id=player_id, **values)
        return redirect("settings")


class CloseAccount(OwnPage):
    """The end of an account."""

    template = "players/close.html"
    done = _("The account is closed.")

    def form_class(self) -> type[Form]:
        """Ask persons for the password, and guests whether they mean it."""
        return GuestClosingForm if self.me.kind == Kind.GUEST else ClosingForm

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Close it."""
        player_id = self.me.pk
        with guessing(player_id.hex):
            accounts.close_account(player_id=player_id, password=values.get("password"))
        logout(self.request)
        return redirect("home")
