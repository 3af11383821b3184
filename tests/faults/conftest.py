"""One running service for all tests of this folder that a process runs."""

from collections.abc import Iterator

import pytest

from tests.faults.rig import Rig, running


@pytest.fixture(scope="package")
def rig() -> Iterator[Rig]:
    """Return a service in parts, all of which run."""
    with running() as rig:
        yield rig
