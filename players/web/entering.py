"""Signing up, signing in and signing out."""

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import throttles
from callbreak_site.http.addresses import household
from callbreak_site.web.acts import Act
from callbreak_site.web.refusals import in_words
from players.services import accounts
from players.services.guessing import guessing
from players.services.preferences import change_preferences
from players.services.signing_in import recognise_player
from players.terms import Kind
from players.web.forms import SignInForm, SignUpForm
from players.web.language import chosen, speak
from players.web.pages import FormPage, way_on
from players.web.visitors import admit, enter


class EntrancePage(FormPage):
    """A way in, which who has an account and is signed in has behind him."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let those in who are nobody yet, or guests."""
        if request.user.is_authenticated and request.user.kind == Kind.HUMAN:
            return redirect(way_on(request))
        return super().dispatch(request, *args, **kwargs)

    def told(self) -> dict[str, Any]:
        """Return where to go then, and whether a guest asks."""
        return {"next": way_on(self.request), "is_guest": self.request.user.is_authenticated}


class SignUp(EntrancePage):
    """Opening an account; a guest makes his own one with all its games."""

    form = SignUpForm
    template = "players/sign_up.html"

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Open it, and begin a new session."""
        throttles.spend("sign_up", household(self.request))
        if self.request.user.is_authenticated:
            person = accounts.claim_account(player_id=self.request.user.pk, **values)
        else:
            person = accounts.open_account(**values)
        if language := chosen(self.request):
            change_preferences(player_id=person.id, language=language)
        enter(self.request, person.id)
        return redirect(way_on(self.request))


class SignIn(EntrancePage):
    """Coming back."""

    form = SignInForm
    template = "players/sign_in.html"

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Begin a new session."""
        throttles.spend("sign_in_address", household(self.request))
        try:
            with guessing(values["username"].lower(), household(self.request)):
                person = recognise_player(**values)
        except ServiceError as refusal:
            raise in_words_of_the_door(refusal) from None
        admit(self.request, person)
        answer = redirect(way_on(self.request))
        if person.language:
            speak(answer, person.language)
        return answer


class SignOut(Act):
    """Going."""

    def act(self, request: HttpRequest) -> str:
        """End the session."""
        logout(request)
        return reverse("home")


def in_words_of_the_door(refusal: ServiceError) -> ServiceError:
    """Return *refusal* in words for who is just signing in, and who has to know why he is suspended."""
    if refusal.code == Code.NOT_AUTHENTICATED:
        return ServiceError(refusal.code, errors={"": [_("The name or the password is wrong.")]})
    if refusal.code == Code.SUSPENDED:
        return ServiceError(refusal.code, errors={"": [in_words(refusal), refusal.detail]})
    return refusal
