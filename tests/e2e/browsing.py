"""A real browser in front of the whole service, and people in it who notice every error that a page makes."""

import os
import re
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect, sync_playwright

from tests.site.running import Running, free_port

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
SWITCHES = ["--disable-quic", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
# Guests come by the dozen here.
LIMITS = {f"THROTTLE_{lane}": "" for lane in ("SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS", "READ", "WRITE", "PLAY")}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

expect.set_options(timeout=20_000)  # other tests use the machine, too
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@contextmanager
def service(data: Path) -> Iterator[Running]:
    """Run everything, as `make run` does."""
    with Running(data, free_port(), **LIMITS) as running:
        running.wait_until_ready()
        yield running


def end_web(site: Running) -> None:
    """Kill the web server; the supervisor starts another, which is awaited."""
    for process in site.processes():
        if "granian" in Path(f"/proc/{process}/cmdline").read_bytes().decode():
            os.kill(process, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while not site.is_ready():
        assert time.monotonic() < deadline
        time.sleep(0.2)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES, chromium_sandbox=False)
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of his own; *faults* is what the pages did wrong in it."""

    def __init__(self, browser: Browser, site: Running, **options: Any) -> None:
        self.site = site
        self.context: BrowserContext = browser.new_context(
            base_url=site.url(""), **{"locale": "en-US", "timezone_id": "Asia/Kathmandu", **DESK, **options}
        )
        self.context.set_default_timeout(40_000)
        self.faults: list[str] = []
        self.page: Page = self.open()

    def open(self) -> Page:
        """Open another tab."""
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("response", self._see)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # What the network does is seen below, and a test may cut it on purpose.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"{message.location.get('url')}: {message.text}")

    def _see(self, response: Response) -> None:
        if response.status >= 500 or (response.status == 404 and "/static/" in response.url):
            self.faults.append(f"{response.status} {response.url}")

    def play_now(self, page: Page | None = None) -> str:
        """Sit down with three bots, as everybody can, and return the table's path."""
        page = page or self.page
        page.goto("/")
        page.locator("form[action='/play'] button.button--big").click()
        page.wait_for_url(re.compile("/games/[0-9a-f]{32}/"))
        return page.url.removeprefix(self.site.url(""))

    def audit(self, what: str = "") -> None:
        """Have axe look for what keeps anybody from using the page."""
        found = Axe().run(self.page, options={"runOnly": WCAG, "resultTypes": ["violations"]})
        assert not found.response["violations"], f"{what or self.page.url}:\n{found.generate_report()}"

    def leave(self) -> None:
        """Close everything; raises if a page did something wrong."""
        self.context.close()
        assert not self.faults, "\n".join(self.faults)


@contextmanager
def visiting(browser: Browser, site: Running, **options: Any) -> Iterator[Visitor]:
    """Let somebody come, and see at the end that no page did anything wrong."""
    visitor = Visitor(browser, site, **options)
    try:
        yield visitor
    except BaseException:
        visitor.context.close()
        raise
    visitor.leave()
