"""The bots on offer are those that can play."""

import pytest
from pytest_django import Settings

from bots.checks import levels_on_offer_can_play


def test_the_settings_we_ship_offer_what_can_play() -> None:
    assert levels_on_offer_can_play() == []


@pytest.mark.parametrize("offered", [{"easy": "Easy bot"}, {"easy": "Easy bot", "medium": "Medium bot", "hard": "x"}])
def test_a_level_too_many_or_too_few_is_reported(settings: Settings, offered: dict[str, str]) -> None:
    settings.BOT_LEVELS = offered
    assert [error.id for error in levels_on_offer_can_play()] == ["bots.E001"]
