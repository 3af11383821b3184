"""Signing up, signing in, and one's own account."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.addresses import household
from callbreak_site.http.forms import EmptyForm
from callbreak_site.http.rendering import Answer
from callbreak_site.http.schema import operation
from callbreak_site.http.views import Endpoint, OpenEndpoint
from players import selectors
from players.api import forms, shapes
from players.services import accounts
from players.services.guessing import guessing
from players.services.signing_in import sign_in
from players.terms import Kind, Scope


class Players(OpenEndpoint):
    """Accounts."""

    lanes: ClassVar = {"POST": "sign_up"}

    @operation(
        "sign_up",
        form=forms.SignUpForm,
        answers={201: shapes.SignedIn},
        refuses=(Code.USERNAME_TAKEN, Code.EMAIL_TAKEN),
    )
    def post(self, request: Request) -> Response:
        """Open an account."""

        def act(values: dict[str, Any]) -> Response:
            return signed_in(accounts.sign_up(**with_email(values)))

        return self.write(request, forms.SignUpForm, act)


class Guests(OpenEndpoint):
    """Accounts of people who just want to play."""

    lanes: ClassVar = {"POST": "sign_up"}

    @operation("sign_up_guest", form=EmptyForm, answers={201: shapes.SignedIn})
    def post(self, request: Request) -> Response:
        """Play as a guest; the account can be claimed later with `PATCH /me`."""
        return self.write(request, EmptyForm, lambda _: signed_in(accounts.sign_up_guest()))


class Sessions(OpenEndpoint):
    """Signing in."""

    lanes: ClassVar = {"POST": "sign_in_address"}

    @operation(
        "sign_in",
        form=forms.SignInForm,
        answers={201: shapes.SignedIn},
        refuses=(Code.NOT_AUTHENTICATED, Code.SUSPENDED),
    )
    def post(self, request: Request) -> Response:
        """Sign in from an API client."""

        def act(values: dict[str, Any]) -> Response:
            username = values["username"]
            with guessing(username.lower(), household(request)):
                return signed_in(sign_in(username=username, password=values["password"], token_name=values["name"]))

        return self.write(request, forms.SignInForm, act)


class Me(Endpoint):
    """One's own account."""

    scopes: ClassVar = {"GET": Scope.ACCOUNT_READ, "PATCH": Scope.ACCOUNT_WRITE, "DELETE": Scope.ACCOUNT_WRITE}

    @operation("me", answers={200: shapes.OwnPlayer})
    def get(self, request: Request) -> Response:
        """Return one's own profile."""
        return Response(shapes.own_player(selectors.person(self.caller.player_id)))

    @operation(
        "change_me",
        form=forms.ProfileForm,
        answers={200: shapes.OwnPlayer},
        refuses=(Code.USERNAME_TAKEN, Code.EMAIL_TAKEN, Code.NOT_AVAILABLE),
    )
    def patch(self, request: Request) -> Response:
        """Change one's e-mail address; or, for a guest, claim the account with a name and a password."""
        if self.caller.kind == Kind.GUEST:
            return self.write(request, forms.SignUpForm, self.claim)
        return self.write(request, forms.ProfileForm, self.change)

    @operation("close_account", form=forms.ClosingForm, answers={204: None}, refuses=(Code.WRONG_PASSWORD,))
    def delete(self, request: Request) -> Response:
        """Close the account for good; a guest sends no password."""
        form = forms.GuestClosingForm if self.caller.kind == Kind.GUEST else forms.ClosingForm
        return self.write(request, form, self.close)

    def claim(self, values: dict[str, Any]) -> Response:
        """Make the guest a person."""
        person = accounts.claim_account(player_id=self.caller.player_id, **with_email(values))
        return Response(shapes.own_player(person))

    def change(self, values: dict[str, Any]) -> Response:
        """Change the profile of a person."""
        if "username" in values:
            raise ServiceError(Code.NOT_AVAILABLE, "A name stays with its account.")
        if "password" in values:
            raise ServiceError(Code.NOT_AVAILABLE, "Change the password with POST /me/password.")
        if "email" not in values:
            return Response(shapes.own_player(selectors.person(self.caller.player_id)))
        person = accounts.change_email(player_id=self.caller.player_id, **with_email(values))
        return Response(shapes.own_player(person))

    def close(self, values: dict[str, Any]) -> Response:
        """Close the account."""
        with guessing(self.caller.player_id.hex):
            accounts.close_account(player_id=self.caller.player_id, password=values.get("password"))
        return Response(status=204)


class MyPassword(Endpoint):
    """One's own password."""

    scopes: ClassVar = {"POST": Scope.ACCOUNT_WRITE}

    @operation(
        "change_password",
        form=forms.PasswordForm,
        answers={204: None},
        refuses=(Code.WRONG_PASSWORD, Code.NOT_AVAILABLE),
    )
    def post(self, request: Request) -> Response:
        """Change the password; all tokens but the one used here end."""

        def act(values: dict[str, Any]) -> Response:
            caller = self.caller
            with guessing(caller.player_id.hex):
                accounts.change_password(player_id=caller.player_id, token_id=caller.token_id, **values)
            return Response(status=204)

        return self.write(request, forms.PasswordForm, act)


class Profile(Endpoint):
    """Other people."""

    scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @operation("profile", answers={200: shapes.Player})
    def get(self, request: Request, username: str) -> Response:
        """Return what everybody may see of a player."""
        return Response(shapes.player(selectors.profile(username)))


def signed_in(fresh: accounts.SignedIn) -> Response:
    """Return the answer that tells a new token."""
    return Answer({"player": shapes.own_player(fresh.person), "token": fresh.token}, 201, forget=("token",))


def with_email(values: dict[str, Any]) -> dict[str, Any]:
    """Return *values* with "" for an e-mail address that is absent or null.

    >>> with_email({"username": "asha", "email": None})
    {'username': 'asha', 'email': ''}
    """
    return {**values, "email": values.get("email") or ""}
