"""Facts that tests hear, and a broker that can be away."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from callbreak_site.outbox import publishing, services
from tests.outbox import hearing


@pytest.fixture(autouse=True)
def heard(settings: Settings) -> Iterator[list[str]]:
    """What was told to the hearers of `bell.rang`."""
    settings.HEARERS = {"bell.rang": {"call": ["tests.outbox.hearing.listen"], "queue": "turns"}}
    yield hearing.heard
    hearing.heard.clear()
    hearing.failures.clear()


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that nobody answers for."""
    nobody = publishing.Publisher("redis+socket:///nonexistent/redis.sock?virtual_host=0")
    monkeypatch.setattr(services, "publish", nobody.publish)
