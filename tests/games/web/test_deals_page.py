"""The page that checks how a game was dealt: what it shows and what it holds back, and the check in the browser."""

import copy
import io
import json
import random
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import DealSecrets
from games.presenters.table import Table
from games.rules.shuffle import split
from games.services.archiving import archive_game
from games.services.lobby import Plan, create_game
from tests.e2e.browsing import needs_browser
from tests.games.ended import ENDINGS
from tests.games.redealing import redealt
from tests.games.tables import act, four_at_a_table, person, ruleset
from tests.games.web.staged import HOST, staged
from tests.games.web.test_table_page import CHANGING, browser

pytestmark = pytest.mark.django_db
DATA = re.compile(r'<script id="deals" type="application/json">(.*?)</script>', re.DOTALL)


def at(table: Table, end: str = "") -> str:
    return f"/games/{table.id}/deals{end}"


def deals_of(answer: Any) -> dict[str, Any]:
    found = DATA.search(answer.content.decode())
    assert answer.status_code == 200 and found, answer
    return json.loads(found[1])  # type: ignore[no-any-return]


def secrets_of(table: Table) -> list[str]:
    return [secret.hex() for secret in split(bytes(DealSecrets.objects.get(game_id=table.id).secrets))]


def test_no_secret_and_no_card_of_a_round_that_runs_is_shown_to_anybody() -> None:
    rng = random.Random(4)
    looks = 0
    for rules in (ruleset("call-break-2", rounds=2), ruleset("lite", rounds=2, redeal_no_spade=True)):
        table, players = four_at_a_table(rules)
        while table.status == "active":
            if rng.random() < 0.06:
                for viewer in (players[0], None):
                    client = browser(viewer)
                    number = table.state.round_number  # type: ignore[union-attr]
                    ends = ["", *(f"/{each}.json" for each in range(number + 1))]
                    answers = [client.get(at(table, end)) for end in ends]
                    text = "".join(answer.content.decode() for answer in answers).lower()
                    assert [secret in text for secret in secrets_of(table)] == [True] * number + [False] * (3 - number)
                    running = deals_of(answers[0])["rounds"][number]
                    assert [running[each] for each in ("server_seed", "deck", "hands")] == [None] * 3
                    assert running["deals"] == []
                    with redealt(table, table.seat_of(viewer.id if viewer else None), rng):
                        others = [client.get(at(table, end)) for end in ends]
                    assert list(map(plain, answers)) == list(map(plain, others))
                    looks += 1
            table = act(table, rng)
    assert looks > 10


def plain(answer: Any) -> bytes:
    return CHANGING.sub(b"", answer.content)


def test_who_waits_for_players_sees_the_promises_alone() -> None:
    table = create_game(player_id=person().id, plan=Plan(ruleset("lite"), client_seed=bytes(range(32))))
    answer = browser().get(at(table))
    (draw,) = deals_of(answer)["rounds"]
    assert draw["server_seed"] is draw["seat_seeds"] is draw["joined"] is None and len(draw["commitment"]) == 64
    assert not any(secret in answer.content.decode() for secret in [*secrets_of(table), bytes(range(32)).hex()])


@pytest.mark.parametrize("end", ["", "/0.json"])
def test_only_who_may_see_the_game_sees_its_deals(end: str) -> None:
    table, players = four_at_a_table(visibility="private")
    assert browser().get(at(table, end)).status_code == 401
    assert browser(person()).get(at(table, end)).status_code == 404
    assert browser(players[0]).get(at(table, end)).status_code == 200
    assert browser(players[0]).get(at(table, "/5.json")).status_code == 404


def test_the_deals_cost_few_queries() -> None:
    table, players = ENDINGS["eventful"]()
    client = browser(players[0])
    for _ in range(2):
        client.get(at(table))
        with CaptureQueriesContext(connection) as queries:
            client.get(at(table))
        assert len(queries) <= 8, [query["sql"][:80] for query in queries]
        archive_game(game_id=table.id, over_for=timedelta(0))


def test_a_proof_that_is_taken_away_is_what_verify_deal_reads(tmp_path: Path) -> None:
    table, players = ENDINGS["call-break-2"]()
    for number in (0, 1):
        answer = browser(players[0]).get(at(table, f"/{number}.json"))
        name = f"callbreak-{table.id}-deal-{number}.json"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        (tmp_path / name).write_bytes(answer.content)
        out = io.StringIO()
        call_command("verify_deal", str(tmp_path / name), stdout=out)
        assert f"Round {number} holds" in out.getvalue()


def test_the_example_for_players_is_the_published_one() -> None:
    page = browser().get("/fair-deals/").content.decode()
    published = Path("docs/fair-deals.md").read_text()
    (promise,) = re.findall("`([0-9a-f]{64})`", published)
    shown = re.findall(r'<span class="visually-hidden">(\w+) of (\w+)', page)
    ranks = dict(
        zip("two three four five six seven eight nine ten jack queen king ace".split(), "23456789TJQKA", strict=True)
    )
    cards = [ranks[rank] + suit[0].upper() for rank, suit in shown]
    deck, hand = re.findall(r"`((?:\w\w ){12}\w\w)`", published)
    assert promise in page and cards[:13] == deck.split() and sorted(cards[13:]) == sorted(hand.split())


CHECK = """async ([games, kept]) => {
  const { checkGame } = await import('/static/games/verify.js');
  return Promise.all(games.map(async (game) => [...(await checkGame(game, kept))].map(([round, checks]) =>
    [round, Object.fromEntries(checks)])));
}"""
VECTOR = """async () => {
  const { commitment, dealKey, deck, deal } = await import('/static/games/verify.js');
  const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const count = (length) => hex([...Array(length).keys()]);
  const seeds = [1, 2, 3, 4].map((byte) => hex(Array(32).fill(byte)));
  const cards = await deck(await dealKey(count(32), count(16), 1, seeds));
  return [await commitment(count(16), 1, count(32)), cards.slice(0, 13).join(' '), deal(cards, 3)[0].sort().join(' ')];
}"""


def altered(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what puts *value* (or what it makes of the old one) at a dotted path."""

    def change(game: dict[str, Any]) -> None:
        *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
        inner: Any = game
        for step in way:
            inner = inner[step]
        inner[last] = value(inner[last]) if callable(value) else value

    return change


def swapped(cards: list[Any]) -> list[Any]:
    return [cards[1], cards[0], *cards[2:]]


def dealt_again(game: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in game["rounds"] if row["redeals"])


def swap_earlier_hands(game: dict[str, Any]) -> None:
    earlier = dealt_again(game)["deals"][0]
    earlier["hands"] = swapped(earlier["hands"])


def name_a_seat_that_holds_a_spade(game: dict[str, Any]) -> None:
    earlier = dealt_again(game)["deals"][0]
    seat = next(seat for seat, hand in enumerate(earlier["hands"]) if any(card[1] == "S" for card in hand))
    earlier |= {"reason": "no_spade", "seat": seat}


OTHER = "ab" * 32
TAMPERED: dict[str, tuple[str, Callable[[dict[str, Any]], None], set[str]]] = {
    "another secret": ("lite", altered("rounds.1.server_seed", OTHER), {"promise", "deck", "hands"}),
    "a secret that is none": ("lite", altered("rounds.1.server_seed", "zz"), {"promise", "deck", "hands"}),
    "another promise": ("lite", altered("rounds.1.commitment", OTHER), {"promise", "kept"}),
    "another scheme": ("lite", altered("rounds.1.scheme", "callbreak-deal/2"), {"promise"}),
    "another game": ("lite", altered("game_id", "ab" * 16), {"promise", "deck", "draw", "hands"}),
    "my number replaced": ("lite", altered("rounds.1.seat_seeds.3", OTHER), {"seed", "seats", "deck", "hands"}),
    "another's number replaced": ("lite", altered("rounds.1.seat_seeds.1", OTHER), {"seats", "deck", "hands"}),
    "two cards swapped": ("lite", altered("rounds.1.deck", swapped), {"deck"}),
    "two hands swapped": ("lite", altered("rounds.1.hands", swapped), {"hands"}),
    "a hand too few": ("lite", altered("rounds.1.hands", lambda hands: hands[:3]), {"hands"}),
    "another dealer": ("lite", altered("rounds.1.dealer", lambda dealer: (dealer + 1) % 4), {"draw", "hands"}),
    "seats swapped": ("call-break-2", altered("rounds.0.joined", swapped), {"draw", "seats"}),
    "a drawn card replaced": ("call-break-2", altered("drawn.2", "??"), {"draw"}),
    "an earlier deal replaced": ("dealt_again", swap_earlier_hands, {"redeals"}),
    "an earlier deal left out": ("dealt_again", lambda game: dealt_again(game).update(deals=[]), {"redeals"}),
    "another reason": ("dealt_again", name_a_seat_that_holds_a_spade, {"redeals"}),
}


@needs_browser
def test_the_browser_reckons_every_deal_itself_and_finds_whatever_was_changed() -> None:
    games: dict[str, dict[str, Any]] = {}
    pages: dict[str, Any] = {}
    kept: dict[str, dict[str, Any]] = {}
    for ending in ("lite", "call-break-2", "dealt_again", "eventful", "void_in_a_round"):
        table, players = ENDINGS[ending]()
        me = players[-1]
        page = pages[at(table)] = browser(me).get(at(table))
        games[ending] = deals_of(page)
        promises = [row["commitment"] for row in games[ending]["rounds"]]
        seed = (me.id.bytes * 2).hex() if ending != "eventful" else None
        kept[ending] = {"commitments": promises, "seed": seed}
    cases = {name: (ending, copy.deepcopy(games[ending])) for name, (ending, _, _) in TAMPERED.items()}
    for name, (_, change, _) in TAMPERED.items():
        change(cases[name][1])
    with staged(pages) as tab:
        tab.goto(HOST + next(iter(pages)))
        promise, deck, hand = tab.evaluate(VECTOR)
        assert promise == "8d8a5821fa08fc21ada08dc740ada2d295f157163d9e25a707fa5ea1f10b254e"
        assert deck == "6H 5D KS 9D 6D 8H 5C QD KH 2H TD QC 5H"
        assert sorted(hand.split()) == sorted("7C AC 3D 4D 6D KD 5H 6H 9H QH KH 4S 9S".split())
        for ending, game in games.items():
            ((*rounds,),) = tab.evaluate(CHECK, [[game], kept[ending]])
            assert len(rounds) == sum(row["server_seed"] is not None for row in game["rounds"]) >= 2
            results = {holds for _, checks in rounds for holds in checks.values()}
            assert results == ({True} if kept[ending]["seed"] else {True, None}), ending
        for name, (ending, game) in cases.items():
            ((*rounds,),) = tab.evaluate(CHECK, [[game], kept[ending]])
            failed = {check for _, checks in rounds for check, holds in checks.items() if holds is False}
            assert failed >= TAMPERED[name][2] and failed <= TAMPERED[name][2] | {"draw", "seats", "seed"}, (
                name,
                failed,
            )


@needs_browser
def test_the_button_lists_each_check_and_compares_with_what_this_browser_kept() -> None:
    table, players = ENDINGS["lite"]()
    me = players[2]
    page = browser(me).get(at(table))
    promises = [row["commitment"] for row in deals_of(page)["rounds"]]
    seed = (me.id.bytes * 2).hex()
    with staged({at(table): page}) as tab:
        for promised, brought, verdict, lines in (
            (None, None, "Every deal that is over holds.", {"none": 4}),
            (promises, seed, "Every deal that is over holds.", {"none": 0, "no": 0}),
            (promises[::-1], seed, "Something does not hold", {"no": 2}),
            (promises, OTHER, "Something does not hold", {"no": 2}),
        ):
            tab.goto(HOST + at(table))
            for key, value in (("commitments", json.dumps(promised)), ("seed", brought)):
                if value is not None:
                    tab.evaluate("([key, value]) => localStorage.setItem(key, value)", [f"{key}:{table.id}", value])
            tab.click("#check")
            tab.wait_for_selector("#verdict:not([hidden])")
            assert verdict in tab.inner_text("#verdict")
            for outcome, count in lines.items():
                assert tab.locator(f".check--{outcome}").count() == count, (verdict, outcome)
            assert tab.locator(".check--yes").count() >= 7
