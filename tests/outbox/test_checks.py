"""What settings name must be there."""

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from callbreak_site.outbox.checks import what_settings_name_is_there


def test_the_settings_we_ship_are_in_order() -> None:
    assert not [error for error in run_checks() if (error.id or "").startswith("outbox")]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("SWEEPS", ["games.services.no_such_thing"], "outbox.E001"),
        ("MAINTENANCE", ["no_such_app.services.tidy"], "outbox.E001"),
        ("HEARERS", {"bell.rang": {"call": ["tests.outbox.hearing.deaf"], "queue": "turns"}}, "outbox.E001"),
        ("HEARERS", {"bell.rang": {"call": [], "queue": "nowhere"}}, "outbox.E002"),
    ],
)
def test_what_is_not_there_is_reported(settings: Settings, name: str, value: object, error: str) -> None:
    setattr(settings, name, value)
    assert [found.id for found in what_settings_name_is_there()] == [error]
