"""For everybody: every page passes axe, in light and dark, and says what happens to who can't see it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.browsing import PHONE, Visitor, needs_browser, visiting
from tests.e2e.hands import by_mouse, wait_for_turn
from tests.e2e.places import PLACES, furnished
from tests.site.running import Running

pytestmark = needs_browser


@pytest.fixture(scope="module")
def guest(browser: Browser, site: Running) -> Iterator[tuple[Visitor, dict[str, str]]]:
    with visiting(browser, site, **PHONE) as visitor:
        yield visitor, furnished(visitor)


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing_on(guest: tuple[Visitor, dict[str, str]], place: str) -> None:
    visitor, paths = guest
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        visitor.page.goto(paths[place])
        visitor.page.wait_for_load_state("load")
        visitor.audit(f"{place} in {scheme}")


def test_what_happens_is_said_in_words(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as visitor:
        visitor.play_now()
        wait_for_turn(visitor.page)
        by_mouse(visitor.page)
        log = visitor.page.locator("#told")
        expect(log).to_contain_text(re.compile(r"You call \d\."))
        wait_for_turn(visitor.page)
        expect(log).to_contain_text("It is your turn.")
        visitor.page.locator("#order").fill("hand")
        visitor.page.keyboard.press("Enter")
        expect(log).to_contain_text(re.compile("(of spades|of hearts|of clubs|of diamonds), "))


def test_the_sound_switch_is_remembered(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as visitor:
        path = visitor.play_now()
        visitor.page.locator("#more > summary").click()
        switch = visitor.page.locator("#sound")
        expect(switch).to_have_attribute("aria-pressed", "true")
        switch.click()
        visitor.page.goto(path)
        expect(visitor.page.locator("#sound")).to_have_attribute("aria-pressed", "false")


def test_the_language_is_changed_at_the_foot_of_the_page(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as visitor:
        visitor.page.goto("/")
        visitor.page.locator("#language").select_option("ne")
        expect(visitor.page.locator("html")).to_have_attribute("lang", "ne")
        visitor.play_now()
        expect(visitor.page.locator("html")).to_have_attribute("lang", "ne")
        expect(visitor.page.locator("#headline")).not_to_contain_text("Your")
