"""What requests about accounts must look like."""

from typing import Any

from rest_framework import serializers

from callbreak_site.http.forms import Choice, Form, Id, Integer, Label, Text, refuse
from players.terms import Scope

LONGEST_PASSWORD = 200
TEN_YEARS = 315_360_000


class Email(serializers.EmailField):
    """An e-mail address as a JSON string, taken as it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=254, trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return *data* if it is a string."""
        if not isinstance(data, str):
            refuse("Must be a string.")
        return data


class Name(Text):
    """A username; which ones can be had is the service's affair."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=200, help_text="3 to 20 of A–Z, a–z, 0–9, _ and -.", **options)


class Password(Text):
    """A password, of any characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_PASSWORD, **options)


class SignUpForm(Form):
    """Opening an account, or claiming one that a guest has."""

    username = Name()
    password = Password(help_text="At least 8 characters.")
    email = Email(required=False, allow_blank=True, allow_null=True)


class SignInForm(Form):
    """Signing in from an API client."""

    username = Name()
    password = Password()
    name = Label(required=False, max_length=100, default="Sign-in", help_text="What to call the new token.")


class ProfileForm(Form):
    """Changing the own profile; a guest sends a name and a password and so claims the account."""

    username = Name(required=False)
    password = Password(required=False)
    email = Email(required=False, allow_blank=True, allow_null=True)


class PasswordForm(Form):
    """Changing the password."""

    old = Password()
    new = Password(help_text="At least 8 characters.")


class ClosingForm(Form):
    """Closing the account of a person."""

    password = Password()


class GuestClosingForm(Form):
    """Closing the account of a guest, who has no password; one that is sent all the same changes nothing."""

    password = Password(required=False, allow_blank=True, allow_null=True)


class TokenForm(Form):
    """Making a token."""

    name = Label(max_length=100)
    scopes = serializers.ListField(child=Choice(choices=Scope.values), min_length=1, max_length=len(Scope))
    expires_in = Integer(
        required=False, allow_null=True, min_value=1, max_value=TEN_YEARS, help_text="Seconds; null for no end."
    )
    game = Id(required=False, allow_null=True, help_text="Lets the token into this game only.")
