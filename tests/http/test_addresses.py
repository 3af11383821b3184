"""An address is what our own proxies saw, never what a stranger wrote."""

from typing import Any

import pytest
from django.test import RequestFactory

from callbreak_site.http.addresses import household

PROXIES = ["10.0.0.0/8", "fd00::/8"]


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "expected"),
    [
        ("203.0.113.9", None, [], "203.0.113.9"),
        ("203.0.113.9", "192.0.2.1", [], "203.0.113.9"),
        ("203.0.113.9", "192.0.2.1", PROXIES, "203.0.113.9"),
        ("10.0.0.1", "192.0.2.1", [], "10.0.0.1"),
        ("10.0.0.1", "192.0.2.1", PROXIES, "192.0.2.1"),
        ("10.0.0.1", "198.51.100.66, 192.0.2.1", PROXIES, "192.0.2.1"),
        ("10.0.0.1", "198.51.100.66, 192.0.2.1, 10.9.9.9", PROXIES, "192.0.2.1"),
        ("10.0.0.1", "10.0.0.2", PROXIES, "10.0.0.2"),
        ("10.0.0.1", "192.0.2.1, unknown", PROXIES, "10.0.0.1"),
        ("10.0.0.1", "", PROXIES, "10.0.0.1"),
        ("10.0.0.1", "192.0.2.1:443", PROXIES, "10.0.0.1"),
        ("::ffff:203.0.113.9", None, [], "203.0.113.9"),
        ("fd00::1", "2001:db8:1:2:3:4:5:6", PROXIES, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", None, [], "2001:db8:1:2::/64"),
        ("", None, [], "unknown"),
    ],
)
def test_the_last_hop_that_is_not_ours_counts(
    remote: str, forwarded: str | None, proxies: list[str], expected: str, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    request = RequestFactory().get("/", REMOTE_ADDR=remote, **headers)
    assert household(request) == expected
