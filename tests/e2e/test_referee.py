"""A referee who knows the contract alone plays it through against the whole service, with its real workers."""

import random
from collections.abc import Iterator

import httpx
import pytest

from tests.referee.scenarios import SCENARIOS
from tests.referee.tables import World
from tests.site.running import Running, data_folder, free_port, manage

pytestmark = pytest.mark.slow

# Played again with seeds, which checks all that these check.
TWINS = {"lite", "call-break-2", "master"}
NO_LIMITS = {f"THROTTLE_{lane}": "" for lane in ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN_ADDRESS")}


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with data_folder() as data, Running(data, free_port(), **NO_LIMITS) as running:
        running.wait_until_ready()
        yield running


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in TWINS])
def test_the_contract_is_kept(service: Running, name: str) -> None:
    # One transport for all of its people, with connections that it gives up before the server does.
    with httpx.HTTPTransport(limits=httpx.Limits(keepalive_expiry=1), retries=2) as transport:
        SCENARIOS[name](World(service.url(""), random.Random(name), transport, patience_s=60))


def test_every_game_of_the_referee_agrees_with_its_record(service: Running) -> None:
    verified = manage(service.data, "verify_games")
    assert verified.returncode == 0, verified.stderr
    assert "0 with differences" in verified.stdout
