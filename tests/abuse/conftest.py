"""What the tests of abuse share."""

import pytest


@pytest.fixture(autouse=True)
def no_limits(settings) -> None:
    """Ask as fast as the machine can."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "")
