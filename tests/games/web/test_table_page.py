"""The table in a browser: what each seat sees, what may be done, and how a refusal reads."""

import random
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.presenters.table import Table
from games.rules.cards import cards, name, names
from games.rules.state import legal_cards
from players.models import Player
from players.web.visitors import BACKEND
from tests.games.redealing import redealt
from tests.games.tables import four_at_a_table, person, play_on, reread, ruleset

pytestmark = pytest.mark.django_db
CHANGING = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
WORDS = re.compile(r'<script id="words".*?</script>', re.DOTALL)


def browser(player: Player | None = None) -> Client:
    """Return a browser in which *player* has signed in."""
    client = Client()
    if player:
        client.force_login(player, backend=BACKEND)
    return client


def at(table: Table, end: str = "") -> str:
    return f"/games/{table.id}/{end}"


def on_turn(table: Table, players: list[Player]) -> Player:
    assert table.state is not None
    seat = table.seats[table.state.turn or 0]
    return next(player for player in players if seat and player.id == seat.player_id)


def text_of(answer: Any) -> str:
    return WORDS.sub("", answer.content.decode())


def shown_cards(answer: Any) -> set[str]:
    return set(re.findall(r'data-card="(\w\w)"', text_of(answer)))


def test_who_is_on_turn_sees_the_own_hand_and_which_cards_may_be_played() -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=7)
    assert table.state is not None and table.state.turn is not None
    page = browser(on_turn(table, players)).get(at(table))
    held = table.state.hands[table.state.turn].held
    assert set(re.findall(r'<button class="hand-card" name="card" value="(\w\w)"', page.content.decode())) == set(
        names(held)
    )
    assert text_of(page).count("is-legal") == legal_cards(table.state).bit_count()
    assert "Your turn" in text_of(page)


def test_a_spectator_sees_the_cards_on_the_table_and_no_hand() -> None:
    table, _ = four_at_a_table()
    table = play_on(table, random.Random(1), acts=10)
    assert table.state is not None and table.state.last_trick is not None
    on_table = {name(card) for card in (*table.state.trick.cards, *table.state.last_trick.trick.cards)}
    for client in (browser(), browser(person())):
        page = client.get(at(table))
        assert shown_cards(page) == on_table
        assert "hand-card" not in text_of(page)


def test_redealing_what_is_hidden_changes_no_byte_of_a_page() -> None:
    rng = random.Random(3)
    compared = 0
    for rules in (ruleset("lite", rounds=1), ruleset("call-break-2", rounds=1, forced_cards="at_once")):
        table, players = four_at_a_table(rules)
        table = play_on(table, rng, acts=rng.randrange(5, 20))
        for viewer in [*players, person(), None]:
            client, seat = browser(viewer), table.seat_of(viewer.id if viewer else None)
            before = pages(client, table)
            with redealt(table, seat, rng):
                assert pages(client, table) == before
            compared += len(before)
    assert compared == 36


def pages(client: Client, table: Table) -> list[bytes]:
    return [CHANGING.sub(b"", client.get(at(table, end)).content) for end in ("", "table", "news?after=0")]


def test_a_page_of_a_running_game_costs_few_queries() -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=9)
    client = browser(players[0])
    for end in ("", "table"):
        client.get(at(table, end))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(at(table, end)).status_code == 200
        assert len(queries) <= 4, [query["sql"][:80] for query in queries]


def test_a_call_and_a_card_are_made_by_plain_forms() -> None:
    table, players = four_at_a_table()
    while reread(table).state.round_number == 1 and reread(table).state.trick_number == 1:
        table = reread(table)
        client = browser(on_turn(table, players))
        page = client.get(at(table)).content.decode()
        act, field = ("bid", "bid") if table.state.phase == "bid" else ("play", "card")
        value = re.search(rf'name="{field}" value="(\w+)"(?![^>]*aria-disabled)', page)
        assert value
        answer = client.post(at(table, act), {field: value[1]})
        assert (answer.status_code, answer.headers["Location"]) == (302, at(table))
    assert reread(table).state.trick_number == 2


def test_a_card_that_must_not_be_played_is_refused_in_words_that_name_what_to_beat() -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=4)
    while True:
        table = reread(table)
        state = table.state
        held, legal = state.hands[state.turn].held, legal_cards(state)
        if state.trick.cards and held & ~legal:
            break
        table = play_on(table, random.Random(1), acts=1)
    client = browser(on_turn(table, players))
    wrong = names(held & ~legal)[0]
    page = client.get(at(table)).content.decode()
    why = re.search(rf'value="{wrong}" aria-label="[^"]*" data-why="([^"]*)"', page)
    assert why and why[1].startswith(("You must", "You have no"))
    assert why[1] in client.post(at(table, "play"), {"card": wrong}, follow=True).content.decode()
    told = client.post(at(table, "play"), {"card": wrong}, headers={"X-Requested-With": "fetch"})
    assert (told.status_code, told.json()["refusal"]) == (422, why[1])
    assert reread(table).version == table.version


@pytest.mark.parametrize(
    ("end", "form", "status"),
    [
        ("play", {"card": "XX"}, 422),
        ("play", {"card": "\x00" * 300}, 422),
        ("play", {}, 422),
        ("bid", {"bid": "-1"}, 422),
        ("bid", {"bid": "1e9"}, 422),
        ("bid", {"bid": "٣"}, 409),
        ("vote", {"wants_to_finish": "maybe"}, 422),
        ("rematch", {}, 409),
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(
    end: str, form: dict[str, str], status: int
) -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=5)
    client = browser(on_turn(table, players))
    told = client.post(at(table, end), form, headers={"X-Requested-With": "fetch"})
    assert (told.status_code, bool(told.json()["refusal"])) == (status, True)
    assert reread(table).version == table.version


@pytest.mark.parametrize("end", ["bid", "play", "resign", "vote", "rematch"])
def test_nothing_is_done_without_the_token_of_the_form(end: str) -> None:
    table, players = four_at_a_table()
    client = Client(enforce_csrf_checks=True)
    client.force_login(players[0], backend=BACKEND)
    assert client.post(at(table, end), {"bid": "3"}).status_code == 403
    assert client.get(at(table, end)).status_code == 405


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
@pytest.mark.parametrize("end", ["", "table", "news"])
def test_a_table_that_is_not_for_all_is_shown_to_no_stranger(visibility: str, end: str) -> None:
    table, players = four_at_a_table(visibility=visibility)
    assert browser().get(at(table, end)).status_code in (401, 403, 404)
    assert browser(person()).get(at(table, end)).status_code == (200 if visibility == "unlisted" else 404)
    assert browser(players[0]).get(at(table, end)).status_code == 200


def test_a_table_that_has_not_changed_is_not_sent_again() -> None:
    table, players = four_at_a_table()
    client = browser(players[0])
    assert client.get(at(table, f"table?version={table.version}")).status_code == 304
    assert client.get(at(table, f"table?version={table.version - 1}")).status_code == 200


def test_the_news_after_a_version_count_the_tricks_that_one_missed() -> None:
    table, players = four_at_a_table()
    begun = table.version
    table = play_on(table, random.Random(1), acts=4 + 4 * 3)
    news = browser(players[0]).get(at(table, f"news?after={begun}")).json()
    assert news["missed"] == "3 tricks since you left."
    assert [event["version"] for event in news["events"]] == list(range(begun + 1, table.version + 1))


def test_a_game_that_is_over_shows_all_four_places_and_what_to_do_next() -> None:
    table, players = four_at_a_table(ruleset(rounds=1))
    table = play_on(table, random.Random(5))
    page = text_of(browser(players[0]).get(at(table)))
    assert page.count('<span class="place">') == 4
    assert f"/games/{table.id}/rematch" in page


def test_the_last_round_says_what_is_needed_to_catch_whom() -> None:
    table, players = four_at_a_table(ruleset(rounds=2))
    while table.state.round_number == 1:
        table = play_on(table, random.Random(5), acts=1)
    page = text_of(browser(players[0]).get(at(table)))
    assert len(re.findall("ahead of|to catch up|are level", page)) == 3


def test_a_suspended_player_may_look_as_everybody_may_and_not_play() -> None:
    table, players = four_at_a_table()
    player = on_turn(table, players)
    client = browser(player)
    Player.objects.filter(pk=player.pk).update(suspended_at="2026-01-01T00:00Z", suspension_reason="test")
    assert client.get(at(table)).status_code == 200
    told = client.post(at(table, "bid"), {"bid": "2"}, headers={"X-Requested-With": "fetch"})
    assert (told.status_code, told.json()["code"]) == (401, "not_authenticated")


def test_who_wants_to_confirm_each_card_is_asked_first() -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=4)
    player = on_turn(table, players)
    Player.objects.filter(pk=player.pk).update(confirms_plays=True)
    client, card = browser(Player.objects.get(pk=player.pk)), names(legal_cards(table.state))[0]
    asked = client.post(at(table, "play"), {"card": card})
    assert asked.status_code == 200 and f'name="card" value="{card}"' in asked.content.decode()
    assert reread(table).version == table.version
    client.post(at(table, "play"), {"card": card, "confirmed": "yes"})
    assert reread(table).version == table.version + 1


def test_cards_are_named_as_players_name_them() -> None:
    assert cards("QH")
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=4)
    page = browser(players[0]).get(at(table)).content.decode()
    assert re.search(r'aria-label="(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of ', page)
