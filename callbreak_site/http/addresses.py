"""Where a request comes from, without believing what anybody may write into a header."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

Address = IPv4Address | IPv6Address


def caller_address(request: HttpRequest) -> Address | None:
    """Return the address of the last hop that is not a proxy of ours; None on a socket without addresses.

    `X-Forwarded-For` is read from the right, and only as far as the hops are in `TRUSTED_PROXIES`.
    """
    hops = [*request.META.get("HTTP_X_FORWARDED_FOR", "").split(","), request.META.get("REMOTE_ADDR", "")]
    proxies = [ip_network(text) for text in settings.TRUSTED_PROXIES]
    found = None
    for hop in reversed(hops):
        address = parsed(hop)
        if address is None:
            return found
        found = address
        if not any(address in proxy for proxy in proxies):
            return found
    return found


def caller_text(request: HttpRequest) -> str | None:
    """Return the same as text, as the guard of the admin's door and the audit keep it."""
    address = caller_address(request)
    return None if address is None else str(address)


def household(request: HttpRequest) -> str:
    """Return what limits count as one place: an IPv4 address, or the /64 that one IPv6 customer has."""
    address = caller_address(request)
    if address is None:
        return "unknown"
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, 64), strict=False))
    return str(address)


def parsed(text: str) -> Address | None:
    """Return the address, IPv4 where it is one in IPv6's clothes.

    >>> parsed(" ::ffff:192.0.2.1 "), parsed("2001:db8::1"), parsed("localhost")
    (IPv4Address('192.0.2.1'), IPv6Address('2001:db8::1'), None)
    """
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
