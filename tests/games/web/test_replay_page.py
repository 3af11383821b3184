"""A game that is over, step by step: every step shows what happened, and its address leads back to it."""

import json
import random
import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.presenters.events import EventRecord
from games.presenters.table import Table
from games.selectors.events import all_events
from games.selectors.exports import written_record
from games.services.archiving import archive_game
from games.services.lobby import Plan, create_game
from players.services.tokens import issue_token
from tests.contract import Api
from tests.e2e.browsing import needs_browser
from tests.games.ended import ENDINGS, finished
from tests.games.tables import four_at_a_table, person, play_on, ruleset
from tests.games.web.staged import HOST, staged
from tests.games.web.test_table_page import browser

pytestmark = pytest.mark.django_db
STEPS = re.compile(r'<script id="steps" type="application/json">(.*?)</script>', re.DOTALL)
HELD = re.compile(r'<li class="open-card( is-gone)?" data-held="(\w\w)">')
IN_TRICK = re.compile(r'data-slot="(\d)"><svg[^>]*><use href="[^"#]*#(\w\w)">')
REPLAYED = [
    "call-break-2",
    "master",
    "dealt_again",
    "eventful",
    "against_bots",
    "void_in_a_round",
    "void_once_finished",
]


def at(table: Table, end: str = "") -> str:
    return f"/games/{table.id}/replay{end}"


def steps_of(answer: Any) -> list[dict[str, Any]]:
    found = STEPS.search(answer.content.decode())
    assert answer.status_code == 200 and found, answer
    return json.loads(found[1])  # type: ignore[no-any-return]


def rounds_told(table: Table) -> Iterator[list[EventRecord]]:
    """Yield what the events tell of each round that is over, from its last deal on."""
    told: list[EventRecord] = []
    for event in all_events(uuid.UUID(table.id)):
        if event.type == "round.dealt":
            told = []
        told.append(event)
        if event.type == "round.scored":
            yield told


def seen(told: list[EventRecord]) -> Iterator[dict[str, Any]]:
    """Yield, act by act, what lies open by what was told alone: no rule is asked."""
    bids: list[int | None] = [None] * 4
    tricks, table = [0] * 4, [None] * 4
    yield {"seat": None, "bid": None, "card": None, "bids": bids, "tricks": tricks, "table": table, "winner": None}
    acts = [event for event in told if event.type in ("bid.made", "card.played")]
    won = {event.public["trick"]: event.seat for event in told if event.type == "trick.won"}
    for number, act in enumerate(acts):
        seat, bid, card = act.seat, act.public.get("bid"), act.public.get("card")
        assert seat is not None
        if bid is not None:
            bids = [*bids[:seat], bid, *bids[seat + 1 :]]
        if number % 4 == 0:
            table = [None] * 4
        if card:
            table = [*table[:seat], card, *table[seat + 1 :]]
        winner = won[act.public["trick"]] if card and number % 4 == 3 else None
        tricks = [taken + (seat == winner) for seat, taken in enumerate(tricks)]
        yield {"seat": seat, "bid": bid, "card": card, "bids": bids, "tricks": tricks, "table": table, "winner": winner}


@pytest.mark.parametrize("ending", REPLAYED)
def test_every_step_shows_what_was_told_when_it_happened(ending: str) -> None:
    table, players = ENDINGS[ending]()
    client, rng, steps = browser(players[0]), random.Random(ending), 0
    for is_packed in (False, True):
        if is_packed:
            assert archive_game(game_id=table.id, over_for=timedelta(0))
        for number, told in enumerate(rounds_told(table), 1):
            step = rng.randrange(57)
            page = client.get(at(table, f"?round={number}&step={step}"))
            shown = steps_of(page)
            expected = list(seen(told))
            assert [{name: each[name] for name in expected[0]} for each in shown] == expected
            html = page.content.decode()
            hands = [set(told[0].private[str(seat)]["hand"]) for seat in range(4)]
            assert {card for _, card in HELD.findall(html)} == set.union(*hands)
            assert {card for gone, card in HELD.findall(html) if gone} == {
                each["card"] for each in expected[: step + 1] if each["card"]
            }
            on_table = {seat: card for seat, card in enumerate(expected[step]["table"]) if card}
            assert {int(seat): card for seat, card in IN_TRICK.findall(html)} == on_table
            steps += len(shown)
    assert steps >= 2 * 57


def test_acts_that_were_not_the_own_ones_of_a_person_are_marked() -> None:
    table, players = ENDINGS["eventful"]()
    marks: list[tuple[str, str]] = []
    owned = {seat.number for seat in table.seats if seat and seat.player_id}
    left = {event.seat for event in all_events(uuid.UUID(table.id)) if event.type == "seat.resigned"}
    for number, told in enumerate(rounds_told(table), 1):
        acts = [event for event in told if event.type in ("bid.made", "card.played")]
        shown = steps_of(browser(players[0]).get(at(table, f"?round={number}")))[1:]
        for act, step in zip(acts, shown, strict=True):
            by = act.public["by"]
            is_marked = by != "person" and act.seat in owned | left
            assert step["mark"] == (by if is_marked else "") and bool(step["why"]) is is_marked
            marks.append((by, step["mark"]))
    assert {("person", ""), ("bot", "bot"), ("bot", ""), ("rule", "rule")} <= set(marks)


@pytest.mark.parametrize(
    ("query", "round_and_step"),
    [
        ("", (1, 0)),
        ("?round=2&step=17", (2, 17)),
        ("?round=99&step=99", (2, 56)),
        ("?round=0&step=-1", (1, 0)),
        ("?round=x&step=٣", (1, 0)),
        (f"?round={'9' * 5000}", (1, 0)),
    ],
)
def test_an_address_leads_to_its_step_or_to_the_nearest(query: str, round_and_step: tuple[int, int]) -> None:
    table, players = four_at_a_table(ruleset(rounds=2))
    table = play_on(table, random.Random(1))
    html = browser(players[0]).get(at(table, query)).content.decode()
    number, step = round_and_step
    assert f'data-round="{number}" data-rounds="2" data-step="{step}"' in html
    links = dict(re.findall(r'data-go="(\w+)"[^>]* href="[^"?]*\?round=(\d+&amp;step=\d+)"', html))
    expected = {
        "previous_round": (number - 1, 0) if number > 1 else None,
        "first": (number, 0) if step else None,
        "previous": (number, step - 1) if step else (number - 1, 56) if number > 1 else None,
        "next": (number, step + 1) if step < 56 else (number + 1, 0) if number < 2 else None,
        "last": (number, 56) if step < 56 else None,
        "next_round": (number + 1, 0) if number < 2 else None,
    }
    assert links == {go: f"{to[0]}&amp;step={to[1]}" for go, to in expected.items() if to}


def test_a_game_that_runs_waits_or_never_had_a_round_is_refused_in_words() -> None:
    running, players = four_at_a_table()
    running = play_on(running, random.Random(1), acts=60)
    waiting = create_game(player_id=players[0].id, plan=Plan(ruleset("lite")))
    for table, ends in ((running, ("", ".txt", ".json")), (waiting, ("", ".txt"))):
        for end in ends:
            answer = browser(players[0]).get(at(table, end))
            assert answer.status_code == 409 and "The game is not over yet." in answer.content.decode()
            assert "data-held" not in answer.content.decode()
    void, players = ENDINGS["void_before_a_card"]()
    answer = browser(players[0]).get(at(void))
    assert answer.status_code == 422 and "not possible" in answer.content.decode()


@pytest.mark.parametrize("end", ["", ".txt", ".json"])
def test_only_who_may_see_the_game_sees_its_replay(end: str) -> None:
    table, players = ENDINGS["eventful"]()
    assert browser().get(at(table, end)).status_code == 401
    assert browser(person()).get(at(table, end)).status_code == 404
    assert browser(players[0]).get(at(table, end)).status_code == 200


def test_a_replay_costs_few_queries() -> None:
    table, players = ENDINGS["eventful"]()
    client = browser(players[0])
    for _ in range(2):
        client.get(at(table))
        with CaptureQueriesContext(connection) as queries:
            assert client.get(at(table, "?round=2&step=30")).status_code == 200
        assert len(queries) <= 8, [query["sql"][:80] for query in queries]
        archive_game(game_id=table.id, over_for=timedelta(0))


def test_the_record_is_taken_away_as_the_api_gives_it() -> None:
    table, players = finished("call-break-2")
    api, client = Api(issue_token(player_id=players[0].id, name="test")), browser(players[0])
    text, data = client.get(at(table, ".txt")), client.get(at(table, ".json"))
    assert text.content.decode() == written_record(table)
    assert data.json() == api.get(f"/games/{table.id}/export").json()
    for answer, end in ((text, "txt"), (data, "json")):
        assert answer.headers["Content-Disposition"] == f'attachment; filename="callbreak-{table.id}.{end}"'


WALK = """async ([pages, walk]) => {
  const shown = (root) => JSON.stringify({
    gone: [...root.querySelectorAll('.is-gone')].map((held) => held.dataset.held + held.querySelector('s').textContent),
    seats: [...root.querySelectorAll('[data-seat]')].map((seat) => [seat.className, seat.textContent.trim(),
      seat.querySelector('.tally').className]),
    slots: [...root.querySelectorAll('[data-slot]')].map((slot) => [slot.className.trim(),
      slot.querySelector('svg').hasAttribute('hidden') || slot.querySelector('use').getAttribute('href')]),
    said: root.querySelector('[data-said]').textContent,
    why: [root.querySelector('[data-why]').hidden, root.querySelector('[data-why]').textContent],
    count: root.querySelector('[data-count]').textContent,
    here: [...root.querySelectorAll('.act.is-here, [aria-current=step]')].map((act) => act.dataset.step),
    links: [...root.querySelectorAll('[data-go]')].map((link) => [link.dataset.go, link.getAttribute('href'),
      link.getAttribute('role'), link.getAttribute('aria-disabled')]),
  });
  for (const [key, address] of walk) {
    const at = document.querySelector('.steering a, .steering button') ?? document.body;
    at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const ends = Date.now() + 5000;
    const isThere = () => location.pathname + location.search === address;
    while (!isThere() && Date.now() < ends) await new Promise((again) => setTimeout(again, 1));
    const sent = new DOMParser().parseFromString(pages[address], 'text/html');
    if (!isThere() || shown(document) !== shown(sent)) return [key, address, shown(document), shown(sent)];
  }
  return null;
}"""


@needs_browser
def test_the_script_shows_at_every_step_what_the_server_would_send() -> None:
    table, players = ENDINGS["eventful"]()
    client: Client = browser(players[0])
    places = [(1, 0), *((1, step) for step in range(50, 57)), *((2, step) for step in range(20))]
    pages = {at(table, f"?round={number}&step={step}"): None for number, step in [*places, (2, 55), (2, 56)]}
    answers = {address: client.get(address) for address in pages}
    for number in (1, 2):
        first = at(table, f"?round={number}&step=0")
        answers[f"fetch:{first}"] = client.get(first, headers={"X-Requested-With": "fetch"})
    walk = [("ArrowRight", place) for place in places[2:]]
    walk += [
        ("End", (2, 56)),
        ("ArrowRight", (2, 56)),
        ("ArrowLeft", (2, 55)),
        ("Home", (2, 0)),
        ("ArrowLeft", (1, 56)),
    ]
    walk += [("PageDown", (2, 0)), ("PageUp", (1, 0)), ("End", (1, 56))]
    addresses = [(key, at(table, f"?round={number}&step={step}")) for key, (number, step) in walk]
    with staged(answers) as tab:
        tab.goto(HOST + at(table, "?round=1&step=50"))
        sent = {address: answers[address].content.decode() for address in pages}
        assert tab.evaluate(WALK, [sent, addresses]) is None
        tab.click('.act[data-step="51"]')
        tab.click("#play")
        tab.wait_for_selector('.replay[data-step="52"]')
        tab.click("#play")
        assert tab.url == HOST + at(table, "?round=1&step=52")
        assert tab.evaluate("history.length") == 2, "stepping fills no history"
