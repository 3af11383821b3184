"""Ways to play: each finds what is legal on the page as a person would, and does it with other hands."""

from collections.abc import Callable

from playwright.sync_api import Page

MINE_OR_OVER = ".table[data-mine], .finish"
Act = Callable[[Page], None]


def by_mouse(page: Page) -> None:
    """Click the lowest call, or the first card that may be played, without waiting until nothing moves any more."""
    box = page.locator(".bid:visible, .is-legal .hand-card").first.bounding_box()
    assert box
    page.mouse.click(box["x"] + 8, box["y"] + 30)


def by_keyboard(page: Page) -> None:
    """Tab to it and press Enter."""
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('.bid, .is-legal .hand-card')"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError("No call and no card can be reached by Tab.")


def by_command(page: Page) -> None:
    """Type it into the command box."""
    bid = page.locator(".bid").first
    first = bid if bid.is_visible() else page.locator(".is-legal .hand-card").first
    page.locator("#order").fill(("bid " if bid.is_visible() else "play ") + str(first.get_attribute("value")))
    page.keyboard.press("Enter")


def by_finger(page: Page) -> None:
    """Tap it."""
    bid = page.locator(".bid").first
    if bid.is_visible():
        bid.tap()
    else:
        page.locator(".is-legal .hand-card").first.tap(position={"x": 8, "y": 30})


def by_dragging(page: Page) -> None:
    """Drag the card onto the table; a call is clicked."""
    bid = page.locator(".bid").first
    if bid.is_visible():
        bid.click()
        return
    box = page.locator(".is-legal .hand-card").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 8, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] - 100, steps=4)
    page.mouse.up()


def by_plain_forms(page: Page) -> None:
    """Click as in a browser without scripts: every act is a new page."""
    page.locator(".bid:visible, .is-legal .hand-card").first.click(position={"x": 8, "y": 30})


def play_until_over(page: Page, act: Act, *, acts: int = 80) -> int:
    """Act whenever it is my turn, impatiently, until the game is over; return how often."""
    for done in range(acts):
        wait_for_turn(page)
        if page.locator(".finish").count():
            return done
        version = page.locator(".table").get_attribute("data-version")
        act(page)
        wait_for(page, f'.table:not([data-version="{version}"])')
    raise AssertionError(f"The game was not over after {acts} acts.")


def wait_for_turn(page: Page) -> None:
    """Wait until it is my turn or the game is over."""
    wait_for(page, MINE_OR_OVER)


def wait_for(page: Page, what: str, seconds: float = 30) -> None:
    """Wait until the page shows something, and hurry everything on that moves."""
    for _ in range(int(seconds / 0.05)):
        if page.locator(what).count():
            return
        page.keyboard.press("Shift")
        page.wait_for_timeout(50)
    raise AssertionError(f"There is no {what}, but: {page.locator('#headline').text_content()}")
