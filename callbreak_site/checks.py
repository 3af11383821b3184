"""What refuses to start in production, and why."""

import sys
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from limits import parse

from callbreak_site import failpoints

SHORTEST_SECRET_KEY = 50


def dangers() -> list[str]:
    """Return a sentence for everything in the settings that can't be, or that is unsafe in production."""
    if settings.CALLBREAK_ENV not in ("home", "production", "test"):
        return [f"CALLBREAK_ENV is {settings.CALLBREAK_ENV!r}; it must be home, production or test."]
    found = [
        f"THROTTLE_{lane.upper()} is {text!r}; it must look like 50/second, or be empty for no limit."
        for lane, text in settings.THROTTLES.items()
        if not is_limit(text)
    ]
    if settings.FAILPOINTS and not settings.IS_PRODUCTION:
        try:
            failpoints.failures(settings.FAILPOINTS)
        except ValueError as error:
            found.append(f"CB_FAILPOINTS can't be read: {error}.")
    if not settings.IS_PRODUCTION:
        return found
    if settings.DEBUG:
        found.append("DEBUG is on: errors would show settings and code to strangers.")
    if not settings.IS_SECRET_KEY_GIVEN:
        found.append("SECRET_KEY is not set.")
    elif (
        len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY
        or len(set(settings.SECRET_KEY)) < 10
        or "insecure" in settings.SECRET_KEY
    ):
        found.append(
            f"SECRET_KEY is a default or too easy to guess; use {SHORTEST_SECRET_KEY} random characters or more."
        )
    if not settings.ALLOWED_HOSTS:
        found.append("ALLOWED_HOSTS is not set.")
    if any("*" in host for host in settings.ALLOWED_HOSTS):
        found.append("ALLOWED_HOSTS has a *: anyone could put another site's name into our links.")
    if settings.FAILPOINTS:
        found.append("CB_FAILPOINTS is set: failures would be made on purpose.")
    return found


def is_limit(text: str) -> bool:
    """Tell whether *text* is a limit, or none.

    >>> is_limit("50/second"), is_limit(""), is_limit("many")
    (True, True, False)
    """
    try:
        return not text or parse(text).amount > 0
    except ValueError:
        return False


def refuse_dangers() -> None:
    """End this process with the reasons if the settings are unsafe (Celery would swallow an ordinary exception)."""
    if found := dangers():
        sys.exit("Refusing to start. " + " ".join(found))


@register()
def production_is_safe(**_: Any) -> list[Error]:
    """Report every danger as an error, so no management command runs beside it."""
    return [Error(text, id=f"callbreak.E{number:03}") for number, text in enumerate(dangers(), 1)]
