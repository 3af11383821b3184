"""The forms of the pages about accounts; what can be had is the services' affair."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from callbreak_site.errors import Code, ServiceError
from callbreak_site.web.refusals import in_words
from players.terms import PERSONS_SCOPES, Scope
from players.web.zones import zones_by_region

LONGEST_PASSWORD = 200
FIELDS = {Code.USERNAME_TAKEN: "username", Code.EMAIL_TAKEN: "email", Code.WRONG_PASSWORD: "password"}
DAYS = (
    ("30", _("a month")),
    ("365", _("a year")),
    ("", _("until I end it")),
)
SCOPES = {
    Scope.GAMES_READ: _("see my games"),
    Scope.GAMES_PLAY: _("play for me"),
    Scope.ACCOUNT_READ: _("read my account"),
    Scope.ACCOUNT_WRITE: _("change or close my account"),
    Scope.CHAT_WRITE: _("write in chats"),
    Scope.WEBHOOKS_WRITE: _("have news sent elsewhere"),
}


class Form(forms.Form):
    """A form that a service may refuse."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **options})

    def refuse(self, refusal: ServiceError) -> None:
        """Show *refusal* at the fields that it is about, or above them all."""
        for field, messages in refusal.extra.get("errors", {}).items():
            self.add_error(field if field in self.fields else None, messages)
        if not refusal.extra.get("errors"):
            field = FIELDS.get(refusal.code)
            self.add_error(field if field in self.fields else None, in_words(refusal))


class Password(forms.CharField):
    """A password, of any characters."""

    def __init__(self, *, autocomplete: str = "current-password", **options: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
        super().__init__(max_length=LONGEST_PASSWORD, strip=False, widget=widget, **options)


class Email(forms.EmailField):
    """An e-mail address."""

    def __init__(self, **options: Any) -> None:
        widget = forms.EmailInput(attrs={"autocomplete": "email"})
        super().__init__(max_length=254, label=_("E-mail address"), widget=widget, **options)


def name_field(autocomplete: str, **options: Any) -> forms.CharField:
    """Return the field of a username."""
    attrs = {"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(max_length=200, label=_("Name"), widget=forms.TextInput(attrs=attrs), **options)


class SignUpForm(Form):
    """A name and a password, for somebody new or for a guest."""

    username = name_field("username", help_text=_("3 to 20 characters out of A–Z, a–z, 0–9, _ and -."))
    password = Password(label=_("Password"), autocomplete="new-password", help_text=_("At least 8 characters."))
    email = Email(required=False, help_text=_("If you like: only with it can you replace a forgotten password."))


class SignInForm(Form):
    """Who one is."""

    username = name_field("username")
    password = Password(label=_("Password"))


class PasswordForm(Form):
    """Another password."""

    password = Password(label=_("Your password until now"))
    new = Password(label=_("New password"), autocomplete="new-password", help_text=_("At least 8 characters."))


class AskResetForm(Form):
    """Where to send the link."""

    email = Email()


class ResetForm(Form):
    """The password that replaces a forgotten one."""

    new = Password(label=_("New password"), autocomplete="new-password", help_text=_("At least 8 characters."))


class EmailForm(Form):
    """The e-mail address of an account, or none."""

    email = Email(required=False, help_text=_("Leave it empty to remove it."))
    password = Password(label=_("Password"))


class ClosingForm(Form):
    """The end of an account."""

    password = Password(label=_("Password"))


class GuestClosingForm(Form):
    """The end of an account without a password."""

    is_sure = forms.BooleanField(label=_("Yes, close this account for good"))


class PreferencesForm(Form):
    """What somebody likes."""

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("As my browser says")), *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=lambda: [("", _("As my browser says")), ("UTC", "UTC"), *zones_by_region()],
    )
    is_four_colour = forms.BooleanField(
        label=_("Four-colour deck"), required=False, help_text=_("Diamonds are blue and clubs are green.")
    )
    has_sound = forms.BooleanField(label=_("Sound"), required=False, help_text=_("Cards, tricks and your turn."))
    confirms_plays = forms.BooleanField(
        label=_("Ask before a card is played"),
        required=False,
        help_text=_("A first tap picks the card up, a second one plays it. Good for slow games."),
    )


class TokenForm(Form):
    """A key for a program."""

    name = forms.CharField(max_length=100, label=_("What it is for"))
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope, SCOPES[Scope(scope)]) for scope in PERSONS_SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.GAMES_READ, Scope.GAMES_PLAY],
    )
    days = forms.ChoiceField(label=_("For how long"), choices=DAYS, required=False, initial="365")
