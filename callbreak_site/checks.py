"""What refuses to start in production, and why."""

import sys
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.checks import Error, Warning, register
from limits import parse

from callbreak_site import failpoints

SHORTEST_SECRET_KEY = 50
SHORTEST_METRICS_TOKEN = 16
NEAR = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".onion")
WIDEST = 7
"""The fewest bits that a network of one's own has in common: fc00::/7 and 10.0.0.0/8 are the widest private ones."""


def dangers() -> list[str]:
    """Return a sentence for everything in the settings that can't be, or that is unsafe in production."""
    if settings.CALLBREAK_ENV not in ("home", "production", "test"):
        return [f"CALLBREAK_ENV is {settings.CALLBREAK_ENV!r}; it must be home, production or test."]
    found = [
        f"THROTTLE_{lane.upper()} is {text!r}; it must look like 50/second, or be empty for no limit."
        for lane, text in settings.THROTTLES.items()
        if not is_limit(text)
    ]
    if settings.IS_PRODUCTION:
        return [*found, *given_secrets(), *given_servers(), *ways_in()]
    if settings.FAILPOINTS:
        try:
            failpoints.failures(settings.FAILPOINTS)
        except ValueError as error:
            found.append(f"CB_FAILPOINTS can't be read: {error}.")
    return found


def given_secrets() -> Iterator[str]:
    """Yield what is wrong with what nobody must guess."""
    if not settings.IS_SECRET_KEY_GIVEN:
        yield "SECRET_KEY is not set."
    elif (
        len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY
        or len(set(settings.SECRET_KEY)) < 10
        or "insecure" in settings.SECRET_KEY
    ):
        yield f"SECRET_KEY is a default or too easy to guess; use {SHORTEST_SECRET_KEY} random characters or more."
    if 0 < len(settings.METRICS_TOKEN) < SHORTEST_METRICS_TOKEN:
        yield f"METRICS_TOKEN is too easy to guess; use {SHORTEST_METRICS_TOKEN} random characters or more."


def given_servers() -> Iterator[str]:
    """Yield what is for tests, or for one machine at home."""
    if settings.DEBUG:
        yield "DEBUG is on: errors would show settings and code to strangers."
    if settings.FAILPOINTS:
        yield "CB_FAILPOINTS is set: failures would be made on purpose."
    for name in ("DATABASE_URL", "REDIS_URL"):
        if name not in settings.SERVERS_GIVEN:
            yield f"{name} is not set: the server that `make run` brings is for one machine at home."


def ways_in() -> Iterator[str]:
    """Yield what is wrong with how people reach us, and with whom we believe."""
    if not settings.ALLOWED_HOSTS:
        yield "ALLOWED_HOSTS is not set."
    if any("*" in host for host in settings.ALLOWED_HOSTS):
        yield "ALLOWED_HOSTS has a *: anyone could put another site's name into our links."
    if not settings.USES_HTTPS and not all(is_near(host) for host in settings.ALLOWED_HOSTS):
        yield "USES_HTTPS is off: passwords and cookies would travel where anyone can read them."
    if settings.BEHIND_PROXY and not settings.TRUSTED_PROXIES:
        yield "BEHIND_PROXY is on, but TRUSTED_PROXIES is not set: all people would share one address, and its limits."
    for text in settings.TRUSTED_PROXIES:
        if is_everybody(text):
            yield f"TRUSTED_PROXIES has {text}: anyone could say that he is somebody else."


def is_near(host: str) -> bool:
    """Tell whether no stranger's cable lies between *host* and who asks for it, or it is encrypted anyway.

    >>> [is_near(host) for host in ("localhost", "127.0.0.1", "10.1.2.3", "cards.local", "x.onion", "cards.example")]
    [True, True, True, True, True, False]
    """
    try:
        return ip_address(host.strip("[]")).is_private
    except ValueError:
        return "." not in host.strip(".") or host.endswith(NEAR)


def is_everybody(network: str) -> bool:
    """Tell whether *network* is so wide that anybody may be in it; what is none is reported elsewhere.

    >>> is_everybody("0.0.0.0/0"), is_everybody("::/0"), is_everybody("10.0.0.0/8"), is_everybody("fd00::/8")
    (True, True, False, False)
    """
    try:
        return ip_network(network, strict=False).prefixlen < WIDEST
    except ValueError:
        return False


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


@register()
def mail_goes_out(**_: Any) -> list[Warning]:
    """Warn whoever runs a site from which no mail can be sent."""
    if not settings.IS_PRODUCTION:
        return []
    if not settings.SENDS_MAIL:
        return [Warning("EMAIL_URL is not set: who forgets the password can't come back.", id="callbreak.W001")]
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost>"):
        return [Warning("EMAIL_FROM is not set: mails would come from localhost.", id="callbreak.W002")]
    return []
