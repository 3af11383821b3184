"""The page of a player: what everybody may see."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.services.lobby import Plan, create_game
from games.web import people
from players.services.accounts import close_account
from tests.games.ended import eventful, finished
from tests.games.tables import four_at_a_table, ruleset
from tests.players.people import PASSWORD
from tests.players.web.browsers import browser, person, words_of

pytestmark = pytest.mark.django_db


def test_a_player_has_a_page_with_the_record_and_the_public_games(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    table, players = finished("lite")
    winner = next(seat for seat in table.seats if seat and seat.place == 1)
    with django_assert_max_num_queries(8):
        told = words_of(client.get(f"/players/{winner.username.upper()}/"))
    assert told.split()[0] == winner.username
    assert "Lite 1 1 0 0 0" in told
    assert "Place 1" in told
    assert all(player.username in told for player in players)


def test_nobodys_page_tells_of_private_games_or_says_that_it_is_the_readers_turn(client: Client) -> None:
    _, players = eventful()
    told = words_of(client.get(f"/players/{players[0].username}/"))
    assert "None yet." in told
    assert "No public game finished yet." in told
    running, people_there = four_at_a_table(ruleset("lite"))
    assert running.state is not None
    on_turn = running.seats[running.state.turn]
    assert on_turn is not None
    told = words_of(client.get(f"/players/{on_turn.username}/"))
    assert f"{on_turn.username} calls" in told
    assert "Your" not in told
    assert len(people_there) == 4


def test_the_games_come_in_pages_that_miss_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "A_PAGE", 2)
    asha = person()
    made = [create_game(player_id=asha.pk, plan=Plan(ruleset=ruleset("lite"))).id for _ in range(5)]
    seen, path = [], "/players/asha/"
    while path:
        shown = client.get(path).context
        seen += [game["id"] for game in shown["games"]]
        path = shown["onward"] and f"/players/asha/?after={shown['onward']}"
    assert seen == made[::-1]
    assert client.get("/players/asha/", {"after": "nonsense"}).status_code == 400


@pytest.mark.parametrize("name", ["nobody-here", "a b", "x" * 300, "%00"])
def test_who_is_not_there_has_no_page(client: Client, name: str) -> None:
    assert client.get(f"/players/{name}/").status_code == 404


def test_a_closed_account_has_no_page_under_either_name(client: Client) -> None:
    asha = person()
    assert client.get("/players/asha/").status_code == 200
    assert "Your account" in words_of(browser("asha").get("/players/asha/"))
    close_account(player_id=asha.pk, password=PASSWORD)
    asha.refresh_from_db()
    assert [client.get(f"/players/{name}/").status_code for name in ("asha", asha.username)] == [404, 404]
