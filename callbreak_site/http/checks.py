"""Settings of the API that would only fail when the first request comes."""

from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from limits import parse


@register()
def limits_can_be_read(**_: Any) -> list[Error]:
    """Report every limit that is not written like `50/second` or `10 per 15 minutes`; an empty one means none."""
    return [
        Error(f"The limit of {lane} is {text!r}; write it like 50/second.", id="http.E001")
        for lane, text in settings.THROTTLES.items()
        if text and not is_readable(parse, text)
    ]


@register()
def proxies_can_be_read(**_: Any) -> list[Error]:
    """Report every proxy that is not an address or a network."""
    return [
        Error(f"TRUSTED_PROXIES has {text!r}; write an address or a network like 10.0.0.0/8.", id="http.E002")
        for text in settings.TRUSTED_PROXIES
        if not is_readable(ip_network, text)
    ]


def is_readable(read: Any, text: str) -> bool:
    """Tell whether *read* understands *text*.

    >>> is_readable(parse, "50/second"), is_readable(parse, "often"), is_readable(ip_network, "10.0.0.1/8")
    (True, False, False)
    """
    try:
        read(text)
    except ValueError:
        return False
    return True
