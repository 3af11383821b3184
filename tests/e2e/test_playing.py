"""Whole games in the browser, by every kind of hand."""

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.browsing import PHONE, needs_browser, visiting
from tests.e2e.hands import (
    Act,
    by_command,
    by_dragging,
    by_finger,
    by_keyboard,
    by_mouse,
    by_plain_forms,
    play_until_over,
)
from tests.e2e.places import table_of_one_round
from tests.site.running import Running

pytestmark = needs_browser
ACTS_A_ROUND = 14


def test_a_guest_plays_a_whole_game_by_mouse_from_one_tap_on(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        guest.play_now()
        acts = play_until_over(guest.page, by_mouse)
        assert 5 < acts <= 5 * ACTS_A_ROUND
        expect(guest.page.locator(".podium li")).to_have_count(4)
        guest.audit("the end of a game")


@pytest.mark.parametrize("act", [by_keyboard, by_command, by_dragging])
def test_a_game_can_be_played_by(browser: Browser, site: Running, act: Act) -> None:
    with visiting(browser, site, reduced_motion="reduce") as guest:
        table_of_one_round(guest, bots="3")
        assert play_until_over(guest.page, act) <= ACTS_A_ROUND


def test_a_game_can_be_played_on_a_phone_by_touch(browser: Browser, site: Running) -> None:
    with visiting(browser, site, **PHONE) as guest:
        table_of_one_round(guest, bots="3")
        assert play_until_over(guest.page, by_finger) <= ACTS_A_ROUND


def test_a_game_can_be_played_without_scripts(browser: Browser, site: Running) -> None:
    with visiting(browser, site, java_script_enabled=False) as guest:
        table_of_one_round(guest, bots="3")
        page = guest.page
        for _ in range(ACTS_A_ROUND + 1):
            for _ in range(100):
                if page.locator(".table[data-mine], .finish").count():
                    break
                page.wait_for_timeout(100)
                page.reload()
            if page.locator(".finish").count():
                break
            by_plain_forms(page)
        expect(page.locator(".podium li")).to_have_count(4)
