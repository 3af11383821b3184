"""What an operator mistyped is told before the first request."""

from typing import Any

import pytest

from callbreak_site.http.checks import limits_can_be_read, proxies_can_be_read


@pytest.mark.parametrize("text", ["often", "50", "50/fortnight", "-1/second", "x/second"])
def test_a_limit_that_can_not_be_read_is_named(text: str, settings: Any) -> None:
    settings.THROTTLES = {"read": text, "play": "20/second", "write": ""}
    [error] = limits_can_be_read()
    assert "read" in error.msg
    assert text in error.msg


@pytest.mark.parametrize("text", ["localhost", "10.0.0.1/8", "10.0.0.0/33", "*"])
def test_a_proxy_that_can_not_be_read_is_named(text: str, settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8", "2001:db8::1", text]
    [error] = proxies_can_be_read()
    assert text in error.msg
