"""What happens to people with browsers: nothing is lost by it, and nothing is played twice."""

import re
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.browsing import Visitor, end_web, needs_browser, visiting
from tests.e2e.hands import by_mouse, wait_for, wait_for_turn
from tests.site.running import Running

pytestmark = needs_browser


def news(visitor: Visitor, path: str) -> list[dict[str, Any]]:
    """Return all events of a game as the server tells them."""
    answer = visitor.context.request.get(f"{path}news?after=0")
    told: list[dict[str, Any]] = answer.json()["events"]
    return told


def own_cards(visitor: Visitor, path: str) -> list[str]:
    me = int(visitor.page.locator(".table").get_attribute("data-me") or 0)
    plays = [event for event in news(visitor, path) if event["type"] == "card.played" and event["seat"] == me]
    return [play["data"]["card"] for play in plays if play["data"]["by"] == "person"]


def play_one(page: Page) -> None:
    """Play a card, and wait until it has left the hand."""
    card = page.locator(".is-legal .hand-card").first.get_attribute("value")
    by_mouse(page)
    wait_for(page, f'.table:not(:has(.hand-card[value="{card}"]))')


def until_a_card_is_due(page: Page) -> None:
    wait_for_turn(page)
    if page.locator(".bid").first.is_visible():
        by_mouse(page)
        wait_for(page, ".table:not(:has(#bids))")
        wait_for_turn(page)


def test_reloading_and_going_back_show_the_table_as_it_is(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        path = guest.play_now()
        until_a_card_is_due(guest.page)
        play_one(guest.page)
        guest.page.goto("/rules/")
        guest.page.go_back()
        wait_for_turn(guest.page)
        guest.page.reload()
        wait_for_turn(guest.page)
        last = news(guest, path)[-1]["version"]
        expect(guest.page.locator(".table")).to_have_attribute("data-version", str(last))
        assert len(own_cards(guest, path)) == 1


def test_a_double_tap_plays_one_card(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        path = guest.play_now()
        until_a_card_is_due(guest.page)
        guest.page.locator(".is-legal .hand-card").first.dblclick()
        guest.page.wait_for_timeout(1_000)
        assert len(own_cards(guest, path)) == 1


def test_two_tabs_follow_each_other(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        path = guest.play_now()
        until_a_card_is_due(guest.page)
        other = guest.open()
        other.goto(path)
        expect(other.locator(".table")).to_have_attribute("data-mine", "")
        by_mouse(guest.page)
        card = guest.page.evaluate("document.querySelector('.slot--south [data-card]')?.dataset.card")
        wait_for(other, f'.table:not(:has(.hand-card[value="{card}"]))')
        wait_for_turn(other)
        wait_for_turn(guest.page)
        play_one(other)
        assert len(own_cards(guest, path)) == 2


def test_an_answer_that_is_lost_costs_no_card(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        path = guest.play_now()
        until_a_card_is_due(guest.page)

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        guest.page.route(re.compile("/play$"), lose)
        play_one(guest.page)
        wait_for_turn(guest.page)
        guest.page.unroute(re.compile("/play$"))
        assert len(own_cards(guest, path)) == 1
        play_one(guest.page)
        assert len(own_cards(guest, path)) == 2


def test_a_network_that_goes_and_comes_back_in_a_trick(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        path = guest.play_now()
        until_a_card_is_due(guest.page)
        guest.context.set_offline(True)
        by_mouse(guest.page)
        expect(guest.page.locator("#refusal")).to_be_visible()
        expect(guest.page.locator(".held:visible")).to_have_count(13)
        guest.context.set_offline(False)
        by_mouse(guest.page)
        wait_for_turn(guest.page)
        expect(guest.page.locator("#connection")).to_be_hidden()
        assert len(own_cards(guest, path)) == 1


def test_four_friends_play_a_round_by_an_invite_link(browser: Browser, site: Running) -> None:
    friends = [Visitor(browser, site, reduced_motion="reduce") for _ in range(4)]
    host, *guests = friends
    host.page.goto("/games/new")
    host.page.locator("details:has([name=rounds]) > summary").first.click()
    host.page.locator("[name=rounds]").select_option("1")
    host.page.locator("[name=visibility][value=private]").check()
    host.page.locator("main form button:not([type=button])").last.click()
    host.page.wait_for_url(re.compile("/games/[0-9a-f]{32}/"))
    invite = host.page.locator("[data-copy]").first.get_attribute("data-copy")
    assert invite and "invite=" in invite
    for guest in guests:
        guest.page.goto(invite)
        guest.page.get_by_role("button", name=re.compile("^Join")).first.click()
    for friend in friends:
        friend.page.wait_for_selector(".table")
    for _ in range(4 * 14 + 1):
        if host.page.locator(".finish").count():
            break
        act_of_whoever_is_on_turn(friends)
    for friend in friends:
        expect(friend.page.locator(".podium li")).to_have_count(4)
        friend.leave()


def act_of_whoever_is_on_turn(friends: list[Visitor]) -> None:
    for _ in range(200):
        for friend in friends:
            if friend.page.locator(".finish").count():
                return
            if friend.page.locator(".table[data-mine]").count():
                version = friend.page.locator(".table").get_attribute("data-version")
                by_mouse(friend.page)
                wait_for(friend.page, f'.table:not([data-version="{version}"])')
                return
            friend.page.keyboard.press("Shift")
        friends[0].page.wait_for_timeout(50)
    raise AssertionError("Nobody was on turn.")


def test_the_server_may_be_restarted_in_the_middle_of_a_game(browser: Browser, site: Running) -> None:
    with visiting(browser, site) as guest:
        guest.play_now()
        until_a_card_is_due(guest.page)
        end_web(site)
        for _ in range(3):
            card = guest.page.locator(".is-legal .hand-card").first
            held = guest.page.locator(f'.hand-card[value="{card.get_attribute("value")}"]')
            while held.count():
                by_mouse(guest.page)  # and again, where the connection had died with the server
                guest.page.wait_for_timeout(1_000)
            wait_for_turn(guest.page)
