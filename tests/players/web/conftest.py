"""Nobody has tried anything yet."""

from collections.abc import Iterator

import pytest

from callbreak_site.http import throttles


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    throttles.counters().shared.storage.reset()
    yield
    throttles.counters().shared.storage.reset()
