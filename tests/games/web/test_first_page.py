"""The first page: a game at one tap, and what waits for whom."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.presenters.table import Table
from games.selectors.first_page import first_page
from games.services.lobby import Clock, Plan, create_game, give_up_seat, take_seat
from players.models import Player
from players.web.visitors import BACKEND
from tests.games.tables import four_at_a_table, people, person, play_on, ruleset

pytestmark = pytest.mark.django_db
QUICK = {"ruleset": "lite", "level": "easy"}


def signed_in(player: Player | None = None) -> Client:
    client = Client()
    client.force_login(player or person(), backend=BACKEND)
    return client


def text(response: Any) -> str:
    return str(response.content.decode())


def test_a_visitor_plays_as_a_guest_at_one_tap_and_is_remembered() -> None:
    client = Client()
    assert 'action="/play"' in text(client.get("/"))
    answer = client.post("/play", QUICK)
    game = Game.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/games/{game.id.hex}/")
    guest = Player.objects.get()
    assert (guest.kind, guest.quick_ruleset, guest.quick_level) == ("guest", "lite", "easy")
    assert (game.clock_kind, game.status, game.ruleset["forced_cards"]) == ("untimed", "active", "at_once")
    assert [seat.bot_level for seat in game.seats.order_by("joined_order")] == [None, "easy", "easy", "easy"]
    page = text(client.get("/"))
    assert '<option value="lite" selected' in page
    assert '<option value="easy" selected' in page
    assert page.count(f'href="/games/{game.id.hex}/"') == 1


@pytest.mark.parametrize("asked", [{}, {"ruleset": "custom", "level": "easy"}, {"ruleset": "lite", "level": "x" * 9999},
                                   {**QUICK, "client_seed": "0" * 63}, {**QUICK, "client_seed": "G" * 64}])  # fmt: skip
def test_a_quick_game_that_is_not_offered_is_refused_and_leaves_no_guest(asked: dict[str, str]) -> None:
    client = Client()
    page = client.post("/play", asked, follow=True)
    assert "Something in the form is not right." in text(page)
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_only_a_post_makes_a_game() -> None:
    client = Client()
    for path in ("/play", "/play/reserve", "/games/reserve"):
        assert client.get(path).status_code == 405
        assert Client(enforce_csrf_checks=True).post(path, QUICK).status_code == 403


def test_a_reservation_brings_the_players_own_randomness_into_the_game_that_was_promised() -> None:
    client = Client()
    promised = client.post("/play/reserve", QUICK).json()
    assert len(promised["commitments"]) == 6
    sent = {**QUICK, "reservation": promised["reservation"], "client_seed": "0a" * 32}
    first, again = (client.post("/play", sent).headers["Location"] for _ in range(2))
    assert first == again == f"/games/{promised['game_id']}/"
    seat = Game.objects.get().seats.get(player__isnull=False)
    assert bytes(seat.client_seed) == bytes([10] * 32)
    assert client.get(f"{first}deals.json").json()["commitments"] == promised["commitments"]
    assert Player.objects.count() == 1


def test_a_token_from_before_the_reservation_is_replaced_by_the_one_that_it_tells() -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    stale = {**QUICK, "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    promised = client.post("/play/reserve", stale).json()
    assert client.post("/play", stale).status_code == 403
    assert client.post("/play", {**stale, "csrfmiddlewaretoken": promised["token"]}).status_code == 302


def test_a_reservation_that_is_for_other_rules_is_done_without() -> None:
    client = Client()
    promised = client.post("/play/reserve", QUICK).json()
    sent = {**QUICK, "ruleset": "master", "reservation": promised["reservation"], "client_seed": "0a" * 32}
    assert client.post("/play", sent).status_code == 302
    game = Game.objects.get()
    assert game.id.hex != promised["game_id"]
    assert game.seats.get(player__isnull=False).client_seed is None
    stolen = {**QUICK, "reservation": promised["reservation"]}
    assert signed_in().post("/play", stolen).headers["Location"] != f"/games/{promised['game_id']}/"


def due(table: Table, hours: int) -> Table:
    Game.objects.filter(id=table.id).update(turn_ends_at=Now() + timedelta(hours=hours))
    return table


def test_games_are_listed_by_whose_turn_it_is_and_how_urgent_it_is() -> None:
    players = people()
    me = players[0]
    rules = ruleset("lite")

    def table(is_mine: bool, hours: int) -> Table:
        made = due(four_at_a_table(rules, players)[0], hours)
        seat = next(s.number for s in made.seats if s and s.player_id == me.id)
        Game.objects.filter(id=made.id).update(turn_seat=seat if is_mine else (seat + 1) % 4)
        return made

    late, others, soon = table(True, 30), table(False, 1), table(True, 2)
    mine = create_game(player_id=me.id, plan=Plan(rules, Clock("untimed", None), bots=["easy"] * 3))
    Game.objects.filter(id=mine.id).update(turn_seat=mine.seat_of(me.id), is_bots_turn=False)
    bots = table(True, 1)
    Game.objects.filter(id=bots.id).update(is_bots_turn=True)
    found = first_page(me.id)
    order = [each.id for each in found.running]
    assert order[:3] == [soon.id, late.id, mine.id]
    assert set(order[3:]) == {others.id, bots.id}
    page = text(signed_in(me).get("/"))
    assert [page.index(game) for game in order] == sorted(page.index(game) for game in order)
    assert page.count("Your call") == 3
    assert "until <time datetime=" in page


def test_tables_of_others_are_offered_and_ones_own_wait_above() -> None:
    me, other = people(2)
    mine = create_game(player_id=me.id, plan=Plan(ruleset("lite"), visibility="private"))
    own = create_game(player_id=me.id, plan=Plan(ruleset("lite")))
    give_up_seat(game_id=own.id, player_id=me.id)
    joined = create_game(player_id=other.id, plan=Plan(ruleset("lite")))
    take_seat(game_id=joined.id, player_id=me.id)
    theirs = create_game(player_id=other.id, plan=Plan(ruleset("master")))
    hidden = create_game(player_id=other.id, plan=Plan(ruleset("lite"), visibility="unlisted"))
    found = first_page(me.id)
    assert {t.id for t in found.waiting} == {mine.id, own.id, joined.id}
    assert [t.id for t in found.open_to_all] == [theirs.id]
    page = text(signed_in(me).get("/"))
    assert f'action="/games/{theirs.id}/join"' in page
    assert f'action="/games/{mine.id}/join"' not in page
    assert hidden.id not in page
    strangers = text(Client().get("/"))
    assert theirs.id in strangers
    assert mine.id not in strangers


def test_the_last_finished_games_are_shown_with_ones_place() -> None:
    players = people()
    table, _ = four_at_a_table(ruleset("lite", rounds=1), players)
    ended = play_on(table, random.Random(3))
    seat = next(s for s in ended.seats if s and s.player_id == players[0].id)
    page = text(signed_in(players[0]).get("/"))
    assert f"Place {seat.place} · " in page


def test_the_first_page_costs_at_most_eight_statements_however_much_is_on_it() -> None:
    players = people()
    for _ in range(3):
        four_at_a_table(players=players)
        create_game(player_id=players[0].id, plan=Plan(ruleset("lite")))
        create_game(player_id=players[1].id, plan=Plan(ruleset("lite")))
    play_on(four_at_a_table(ruleset("lite", rounds=1), players)[0], random.Random(3))
    client = signed_in(players[0])
    client.get("/")  # a session is written down when it begins
    for path, most in (("/", 8), ("/games/", 5)):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        assert len(captured) <= most, [query["sql"] for query in captured]


def test_the_list_of_tables_goes_on_where_its_first_page_ended() -> None:
    maker, joiner = people(2)
    made = [create_game(player_id=maker.id, plan=Plan(ruleset("lite"))).id for _ in range(23)]
    take_seat(game_id=made[0], player_id=joiner.id)
    client = Client()
    first = text(client.get("/games/"))
    onward = first.partition('href="/games/?after=')[2].partition('"')[0]
    second = text(client.get(f"/games/?after={onward}"))
    shown = [[game for game in made if game in page] for page in (first, second)]
    assert [len(part) for part in shown] == [20, 3]
    assert sorted(shown[0] + shown[1]) == sorted(made)
    assert joiner.username in second
    for nonsense in ("x", "%00", "a" * 5000, "WyJhIl0"):
        assert client.get(f"/games/?after={nonsense}").status_code == 400
