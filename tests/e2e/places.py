"""Every kind of page, with something on it: for what has to look at all of them."""

import re

from tests.e2e.browsing import Visitor
from tests.e2e.hands import by_command, play_until_over, wait_for_turn

FIXED = {
    "home": "/",
    "open tables": "/games/",
    "make a table": "/games/new",
    "rules": "/rules/",
    "rules of Classic": "/rules/call-break-2/",
    "rules of Lite": "/rules/lite/",
    "rules of Master": "/rules/master/",
    "fair deals": "/fair-deals/",
    "sign in": "/account/sign-in",
    "sign up": "/account/sign-up",
    "forgotten password": "/account/forgotten",
    "settings": "/account/",
    "sessions": "/account/sessions",
    "keys": "/account/tokens",
    "nothing there": "/nowhere",
    "offline": "/offline",
}
PLAYED = ["waiting room", "bidding", "a trick", "the end", "replay", "deals", "profile"]
PLACES = [*FIXED, *PLAYED]


def furnished(visitor: Visitor) -> dict[str, str]:
    """Play a little, and return where each kind of page is, by name."""
    page = visitor.page
    waiting = table_of_one_round(visitor, bots="0")
    over = table_of_one_round(visitor, bots="3")
    play_until_over(page, by_command)
    bidding = table_of_one_round(visitor, bots="3")
    wait_for_turn(page)
    trick = table_of_one_round(visitor, bots="3")
    wait_for_turn(page)
    by_command(page)
    wait_for_turn(page)
    name = visitor.context.request.get(f"{over}news?after=0").json()["events"][0]["data"]["player"]
    return {
        **FIXED,
        "waiting room": waiting,
        "bidding": bidding,
        "a trick": trick,
        "the end": over,
        "replay": f"{over}replay",
        "deals": f"{over}deals",
        "profile": f"/players/{name}/",
    }


def table_of_one_round(visitor: Visitor, *, bots: str) -> str:
    """Make a table of one round with so many bots, and return its path."""
    page = visitor.page
    page.goto("/games/new")
    page.locator("details:has([name=rounds]) > summary").first.click()
    page.locator("[name=rounds]").select_option("1")
    page.locator("[name=bots]").select_option(bots)
    page.locator("main form button:not([type=button])").last.click()
    page.wait_for_url(re.compile("/games/[0-9a-f]{32}/"))
    return page.url.removeprefix(visitor.site.url(""))
