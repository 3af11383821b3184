"""What a moderator finds, and at what cost: lists, searches, filters and the record of a game."""

import random
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.admin.record import EVENTS_SHOWN
from games.models import Event, Game
from games.presenters.events import event
from games.presenters.story import SENTENCES, in_words
from games.rules.ruleset import RULESETS
from games.selectors.events import all_events
from games.selectors.stories import holders
from games.services.lobby import Plan, create_game, give_up_seat, take_seat
from games.services.table import expire_turn, resign_seat, vote_to_finish
from players.models import Kind, Player, Token
from tests.admin.desks import browser, moderator, page, person
from tests.games.tables import four_at_a_table, play_on, reread, ruleset

pytestmark = pytest.mark.django_db

GAMES, PLAYERS = "/admin/games/game/", "/admin/players/player/"


@pytest.fixture
def desk() -> Client:
    """Return a moderator's browser."""
    return browser(moderator())


def test_a_game_is_found_by_its_id_however_it_is_written(desk: Client) -> None:
    table, _ = four_at_a_table()
    dashed = str(Game.objects.get().pk)
    link = f"https://callbreak.example/games/{table.id}?x=1"
    for words in (table.id, table.id.upper(), dashed, link, f"  {table.id} "):
        response = desk.get(GAMES, {"q": words})
        assert response.status_code == 302 and response.headers["Location"] == page("game", dashed), words
    assert found(desk, GAMES, q="0" * 32) == []


def test_games_are_found_by_who_sits_or_sat_or_made_them(desk: Client) -> None:
    asha, bo = person("asha"), person("bo_bo")
    left, _ = four_at_a_table(players=[person(), asha, person(), person()])
    resign_seat(game_id=left.id, player_id=asha.id)
    sits, _ = four_at_a_table(players=[person(), person(), person(), asha])
    made = create_game(player_id=asha.id, plan=Plan(ruleset=RULESETS["lite"]))
    four_at_a_table(players=[bo, person(), person(), person()])
    for words in ("asha", "ASH", " asha "):
        assert set(found(desk, GAMES, q=words)) == {left.id, sits.id, made.id}
    assert found(desk, GAMES, q="nobody") == []
    assert len(found(desk, GAMES, q="   ")) == 4


def test_games_are_narrowed_by_status_ruleset_and_turn(desk: Client) -> None:
    overdue, _ = four_at_a_table(RULESETS["master"])
    four_at_a_table(RULESETS["lite"])
    waits, _ = four_at_a_table(RULESETS["lite"])
    opened = create_game(player_id=person().id, plan=Plan(ruleset=RULESETS["master"]))
    Game.objects.filter(pk=overdue.id).update(turn_ends_at=Now() - timedelta(minutes=5))
    Game.objects.filter(pk=waits.id).update(is_bots_turn=True, changed_at=Now() - timedelta(minutes=2))
    assert found(desk, GAMES, status__exact="open") == [opened.id]
    assert set(found(desk, GAMES, ruleset="master")) == {overdue.id, opened.id}
    assert found(desk, GAMES, turn="overdue") == [overdue.id]
    assert found(desk, GAMES, turn="bot") == found(desk, GAMES, turn="late-bot") == [waits.id]
    assert found(desk, GAMES, turn="overdue", status__exact="open") == []
    text = words_of(desk.get(GAMES))
    assert "overdue for 5\xa0minutes" in text and "a bot, for 2\xa0minutes" in text and "hours" in text


def test_players_are_found_by_a_part_of_the_name_or_the_id(desk: Client) -> None:
    asha = person("asha", email="hidden@example.org")
    person("natasha")
    assert set(found(desk, PLAYERS, q="asha")) == set(
        Player.objects.filter(username__contains="asha").values_list("pk", flat=True)
    )
    assert found(desk, PLAYERS, q=str(asha.pk)) == found(desk, PLAYERS, q=asha.pk.hex) == [asha.pk]
    assert found(desk, PLAYERS, q="hidden@example.org") == []


def test_players_are_narrowed_by_standing_and_kind(desk: Client) -> None:
    suspended = person(suspended_at=Now())
    closed = person(is_active=False)
    guest = person(kind=Kind.GUEST)
    assert found(desk, PLAYERS, standing="suspended") == [suspended.pk]
    assert found(desk, PLAYERS, standing="closed") == [closed.pk]
    assert found(desk, PLAYERS, kind__exact="guest") == [guest.pk]
    assert found(desk, PLAYERS, standing="staff") == [Player.objects.get(username="mo").pk]


@pytest.mark.parametrize("words", ["\x00", "%", "'; --", "é" * 300, "0" * 64, "\\", '"'])
def test_no_words_break_a_search(desk: Client, words: str) -> None:
    for url in (GAMES, PLAYERS, "/admin/players/audit/", "/admin/outbox/fact/"):
        assert desk.get(url, {"q": words}).status_code in (200, 302)


def test_a_page_of_a_player_tells_tokens_by_name_and_use_only(desk: Client) -> None:
    asha = person("asha")
    Token.objects.create(player=asha, digest=b"\xab" * 32, name="My phone", scopes=["games:read"], last_used_at=Now())
    text = desk.get(page("player", asha.pk)).content.decode()
    assert "My phone" in text and "games:read" in text
    assert "abab" not in text.lower() and r"\xab" not in text
    assert "My phone" not in desk.get(page("player", person().pk)).content.decode()


@pytest.mark.parametrize("name", RULESETS)
def test_every_event_of_a_whole_game_is_a_sentence(desk: Client, name: str) -> None:
    table, players = four_at_a_table(ruleset(name, redeal_no_spade=True, redeal_low_bids=True))
    table = play_on(table, random.Random(4), acts=100)
    if table.ruleset.rounds is None:
        vote_to_finish(game_id=table.id, player_id=players[0].id, wants_to_finish=True)
    Game.objects.filter(pk=table.id).update(turn_ends_at=Now() - timedelta(minutes=1))
    assert expire_turn(game_id=table.id)
    table = reread(table)
    assert table.state is not None and table.state.turn is not None
    late = table.seats[table.state.turn]
    leaver = next(player for player in players if late and player.pk != late.player_id)
    resign_seat(game_id=table.id, player_id=leaver.pk)
    play_on(reread(table), random.Random(4), acts=120)
    held = holders(Game.objects.get().pk)
    told = [event(record, None) for record in all_events(Game.objects.get().pk)]
    sentences = [in_words(shown, held) for shown in told]
    assert {shown["type"] for shown in told} <= set(SENTENCES)
    for sentence in sentences:
        assert re.fullmatch(r"[\w“A].*[.!]", sentence) and "None" not in sentence and "seat None" not in sentence
    assert f"{leaver.username} left for good, and a bot took the seat." in sentences
    assert any("whose time had run out" in sentence for sentence in sentences)
    on_pages = []
    for chapter in range(20):
        response = desk.get(f"{page('game', table.id)}?round={chapter}")
        if response.context["chapter"] == chapter:
            on_pages += [told["sentence"] for told in response.context["events"]]
    assert on_pages == sentences


def test_an_act_is_told_of_who_held_the_seat_then(desk: Client) -> None:
    asha = person("asha")
    table, _ = four_at_a_table(players=[asha, person("bo-bo"), person("cyan"), person("dora")])
    table = play_on(table, random.Random(2), acts=20)
    resign_seat(game_id=table.id, player_id=asha.id)
    play_on(reread(table), random.Random(2), acts=20)
    text = words_of(desk.get(page("game", table.id)))
    before, after = text.split("asha left for good")
    assert "asha played" in before and "Medium bot played" not in before
    assert "Medium bot played" in after and "asha played" not in after


def test_a_game_nobody_has_joined_has_a_page_too(desk: Client) -> None:
    table = create_game(player_id=person("asha").id, plan=Plan(ruleset=RULESETS["lite"], visibility="private"))
    guest = person("guest-x", kind=Kind.GUEST)
    take_seat(game_id=table.id, player_id=guest.id, invite=table.invite)
    give_up_seat(game_id=table.id, player_id=guest.id)
    text = words_of(desk.get(page("game", table.id)))
    assert "asha took place 0." in text and "guest-x left place 1." in text and table.invite not in text


@pytest.mark.parametrize("asked", ["", "99", "-1", "x", "1e3", "9" * 30, "²", "٣"])
def test_an_absurd_round_is_the_latest_or_the_last(desk: Client, asked: str) -> None:
    table, _ = four_at_a_table()
    play_on(table, random.Random(1), acts=60)
    response = desk.get(page("game", table.id), {"round": asked, "from": asked})
    assert response.status_code == 200 and response.context["chapter"] == 2


def test_a_chapter_that_is_too_long_goes_on_on_another_page(desk: Client) -> None:
    table, players = four_at_a_table(RULESETS["master"])
    for number in range(EVENTS_SHOWN + 10):
        vote_to_finish(game_id=table.id, player_id=players[0].id, wants_to_finish=number % 2 == 0)
    first = desk.get(page("game", table.id))
    assert len(first.context["events"]) == EVENTS_SHOWN
    link = re.search(r'href="(\?round=1&amp;from=\d+)"', first.content.decode())
    assert link is not None
    rest = desk.get(page("game", table.id) + unescape(link[1]))
    versions = [told["version"] for told in [*first.context["events"], *rest.context["events"]]]
    told = Event.objects.filter(game_id=table.id, version__gte=versions[0]).order_by("version")
    assert versions == list(told.values_list("version", flat=True))
    assert rest.context["next_version"] is None


def test_a_page_costs_the_same_however_much_there_is(desk: Client) -> None:
    table, _ = four_at_a_table(RULESETS["lite"], [person("asha"), person(), person(), person()])
    play_on(table, random.Random(1), acts=60)
    asha = Player.objects.get(username="asha")
    urls = [
        "/admin/",
        GAMES,
        PLAYERS,
        "/admin/players/audit/",
        page("player", asha.pk),
        page("game", table.id),
        f"{GAMES}?q=a",
    ]
    few = {url: queries(desk, url) for url in urls}
    for number in range(30):
        other = four_at_a_table(RULESETS["lite"])[0] if number % 10 == 0 else None
        create_game(player_id=asha.id, plan=Plan(ruleset=RULESETS["lite"], bots=("easy",)))
        Token.objects.create(player=asha, digest=bytes([number] * 32), name=f"t{number}", scopes=[])
        if other:
            Game.objects.filter(pk=other.id).update(turn_ends_at=Now() - timedelta(minutes=5))
    play_on(reread(table), random.Random(1), acts=150)
    many = {url: queries(desk, url) for url in urls}
    assert all(many[url] <= few[url] for url in urls), (few, many)
    assert max(many.values()) <= 16, many


def test_names_and_reasons_cannot_become_markup(desk: Client) -> None:
    asha = person("asha")
    Token.objects.create(player=asha, digest=b"1" * 32, name="<img src=x onerror=alert(1)>{{ 7*7 }}", scopes=[])
    content = desk.get(page("player", asha.pk)).content.decode()
    assert "<img src=x" not in content and "&lt;img src=x onerror=alert(1)&gt;{{ 7*7 }}" in content


def found(client: Client, url: str, **query: str) -> list[Any]:
    """Return the ids of what a list shows, hexadecimal for games."""
    response = client.get(url, query)
    assert response.status_code == 200
    return (
        [row.pk.hex if isinstance(row, Game) else row.pk for row in response.context["cl"].result_list]
        if "cl" in response.context
        else []
    )


def queries(client: Client, url: str) -> int:
    """Return how many statements a page takes."""
    with CaptureQueriesContext(
        connection,
    ) as taken:
        assert client.get(url).status_code == 200
    return len(taken)


def words_of(response: Any) -> str:
    """Return a page's text without its markup."""
    assert response.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(response.content.decode())).split(" "))
