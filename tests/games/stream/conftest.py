"""One server for the tests of streams."""

from collections.abc import Iterator

import pytest

from games import doorbell
from tests.games.stream.house import House
from tests.games.stream.house import house as a_house
from tests.services import temporary_folder


@pytest.fixture(scope="session")
def running(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[House]:
    with django_db_blocker.unblock(), temporary_folder() as folder, a_house(folder) as made:
        yield made


@pytest.fixture
def house(running: House, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """The server, which is told what is played here."""
    monkeypatch.setattr(doorbell, "_bell", doorbell.Bell(running.broker.server.url()))
    return running
