"""What refuses to start in production, and why."""

import sys
from typing import Any

from django.conf import settings
from django.core.checks import Error, register

SHORTEST_SECRET_KEY = 50


def dangers() -> list[str]:
    """Return a sentence for everything in the settings that is unsafe in production; none elsewhere."""
    if settings.CALLBREAK_ENV not in ("home", "production", "test"):
        return [f"CALLBREAK_ENV is {settings.CALLBREAK_ENV!r}; it must be home, production or test."]
    if not settings.IS_PRODUCTION:
        return []
    found = []
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


def refuse_dangers() -> None:
    """End this process with the reasons if the settings are unsafe (Celery would swallow an ordinary exception)."""
    if found := dangers():
        sys.exit("Refusing to start. " + " ".join(found))


@register()
def production_is_safe(**_: Any) -> list[Error]:
    """Report every danger as an error, so no management command runs beside it."""
    return [Error(text, id=f"callbreak.E{number:03}") for number, text in enumerate(dangers(), 1)]
