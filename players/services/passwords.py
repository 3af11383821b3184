"""What a password must be, and whether it is the right one."""

from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from callbreak_site.errors import Code, ServiceError
from players.models import Player
from players.names import fault


def check_choices(
    *, password: str, username: str, field: str = "password", email: str = "", is_name_new: bool = True
) -> None:
    """Raise INVALID, by field, if a person can't have this name with this password."""
    errors: dict[str, Any] = {}
    if is_name_new and (wrong := fault(username)):
        errors["username"] = [wrong]
    if not email.isascii():
        errors["email"] = [_("Use an address in plain ASCII.")]
    try:
        validate_password(password, Player(username=username, email=email))
    except ValidationError as error:
        errors[field] = list(error.messages)
    if errors:
        raise ServiceError(Code.INVALID, "Some fields are not right.", errors=errors)


def verify(player: Player, password: str) -> None:
    """Raise WRONG_PASSWORD unless it is this player's."""
    if not player.check_password(password):
        raise ServiceError(Code.WRONG_PASSWORD, "That is not the password of this account.")


def spend_time_on(password: str) -> None:
    """Take as long as checking a password does, so that the time does not tell whether an account exists."""
    make_password(password)
