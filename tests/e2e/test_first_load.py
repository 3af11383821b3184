"""The first load of a table: how much comes over the wire, and how soon one can play on a slow network."""

import sys
import time

import pytest
from playwright.sync_api import Browser

from tests.e2e.browsing import PHONE, needs_browser, visiting
from tests.e2e.hands import wait_for_turn
from tests.site.running import Running

pytestmark = needs_browser
MOST_BYTES = 80_000
# "Fast 3G", as browsers' tools have it: 1.6 Mbit/s with a tenth taken off, and 562.5 ms for every request.
FAST_3G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1.6e6 / 8 * 0.9,
    "uploadThroughput": 750e3 / 8 * 0.9,
}


def test_a_table_is_usable_soon_on_a_slow_network_and_after_few_bytes(
    browser: Browser, site: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    with visiting(browser, site, **PHONE) as first:
        path = first.play_now()
        wait_for_turn(first.page)
        cookies = first.context.cookies()
    with visiting(browser, site, **PHONE) as guest:
        guest.context.add_cookies(cookies)  # type: ignore[arg-type]
        wire = guest.context.new_cdp_session(guest.page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", FAST_3G)
        received: list[float] = []
        wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        began = time.monotonic()
        guest.page.goto(path, wait_until="commit")
        guest.page.locator(".bid, .is-legal .hand-card").first.wait_for()
        guest.page.locator("#command").wait_for()  # the script has begun
        seconds = time.monotonic() - began
        guest.page.wait_for_load_state("load")
        guest.page.wait_for_timeout(500)
        with capsys.disabled():
            sys.stdout.write(
                f"\nFirst load of a table: {sum(received) / 1000:.1f} kB, usable in {seconds:.2f} s on Fast 3G\n"
            )
        assert 10_000 < sum(received) < MOST_BYTES
