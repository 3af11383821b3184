"""The service and the browser that the tests of the pages share."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.browsing import chromium, service
from tests.site.running import Running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with service(tmp_path_factory.mktemp("pages")) as running:
        yield running


# Not for longer than a module: while it runs, Django takes this thread for an asynchronous one.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
