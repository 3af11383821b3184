"""Leaving many games at once, and looking on while a game starts, gets nobody stuck and tells nobody too much."""

import random
import threading
from functools import partial

import pytest

from callbreak_site.errors import Code
from games.models import Game, Seat
from games.presenters.events import event
from games.rules.cards import names
from games.selectors.events import events_after
from games.selectors.tables import find_table
from games.services.lobby import Plan, create_game, give_up_seat, take_seat
from games.services.rematch import rematch_game
from players.models import Kind, Player
from players.services.accounts import close_account
from players.services.tokens import issue_token
from tests.contract import Api
from tests.games.tables import four_at_a_table, people, person, play_on, reread, ruleset
from tests.games.threads import race

pytestmark = pytest.mark.django_db(transaction=True)


def guest() -> Player:
    """Make somebody who needs no password to close the account."""
    player = person()
    Player.objects.filter(id=player.id).update(kind=Kind.GUEST)
    return player


def test_two_who_sit_in_each_others_games_leave_at_once() -> None:
    for _ in range(4):
        first, second = guest(), guest()
        for creator, other in [(first, second), (second, first)] * 3:
            table = create_game(player_id=creator.id, plan=Plan(ruleset=ruleset()))
            take_seat(game_id=table.id, player_id=other.id)
        assert race(partial(close_account, player_id=first.id), partial(close_account, player_id=second.id)) == [
            None,
            None,
        ]
        assert not Seat.objects.filter(player__in=[first, second], game__status="open").exists()


def test_a_creator_takes_a_place_again_while_he_leaves() -> None:
    for _ in range(6):
        creator = guest()
        table = create_game(player_id=creator.id, plan=Plan(ruleset=ruleset()))
        give_up_seat(game_id=table.id, player_id=creator.id)
        closed, _ = race(
            partial(close_account, player_id=creator.id), partial(take_seat, game_id=table.id, player_id=creator.id)
        )
        assert closed is None
        assert Game.objects.get(id=table.id).status == "cancelled"


def test_a_game_that_starts_meanwhile_does_not_keep_anybody_from_leaving() -> None:
    for _ in range(6):
        leaver, (creator, second, last) = guest(), people(3)
        table = create_game(player_id=creator.id, plan=Plan(ruleset=ruleset()))
        for player in (leaver, second):
            take_seat(game_id=table.id, player_id=player.id)
        closed, _ = race(
            partial(close_account, player_id=leaver.id), partial(take_seat, game_id=table.id, player_id=last.id)
        )
        assert closed is None
        assert not Seat.objects.filter(game=table.id, player_id=leaver.id).exists()


def test_whoever_looks_on_while_the_seats_are_drawn_sees_no_other_hand(settings) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "")
    for _ in range(3):
        players = people(4)
        clients = [Api(issue_token(player_id=player.id, name="test")) for player in players]
        table = create_game(player_id=players[0].id, plan=Plan(ruleset=ruleset("call-break-2")))
        for player in players[1:3]:
            take_seat(game_id=table.id, player_id=player.id)
        clients[0].get(f"/games/{table.id}")  # makes the API's text, which threads must not do at once
        has_started = threading.Event()

        def join(table=table, player=players[3], has_started=has_started) -> None:
            take_seat(game_id=table.id, player_id=player.id)
            has_started.set()

        def look(client: Api, table=table, has_started=has_started) -> list[list[str]]:
            seen, looks_after = [], 0
            while looks_after < 2:
                looks_after += has_started.is_set()
                told = client.get(f"/games/{table.id}/events?after=0").json()["results"]
                seen += [each["data"]["hand"] for each in told if "hand" in each["data"]]
                dealt = client.get(f"/games/{table.id}/rounds/1").json()
                seen += [hand["dealt"] for hand in dealt.get("hands", ()) if hand["dealt"]]
            return seen

        _, *looks = race(join, *[partial(look, client) for client in clients[:3]])
        table = reread(table)
        for player, seen in zip(players, looks, strict=False):
            own = names(table.state.hands[table.seat_of(player.id)].dealt)
            assert seen and all(hand == own for hand in seen)


def test_a_seat_that_was_left_shows_no_hand_in_the_events() -> None:
    table, players = four_at_a_table()
    told = events_after(Game.objects.get(id=table.id).id, 0, 100)
    dealt = next(record for record in told if record.type == "round.dealt")
    assert "hand" in event(dealt, table.seat_of(players[0].id))["data"]
    assert "hand" not in event(dealt, None)["data"]


def test_a_private_rematch_that_started_without_somebody_says_so() -> None:
    table, players = four_at_a_table(ruleset(rounds=1), visibility="private")
    play_on(table, random.Random(1))
    again = rematch_game(game_id=table.id, player_id=players[0].id)
    for player in players[1:3]:
        assert rematch_game(game_id=table.id, player_id=player.id).id == again.id
    assert rematch_game(game_id=table.id, player_id=players[0].id).id == again.id
    take_seat(game_id=again.id, player_id=person().id, invite=again.invite)
    assert find_table(again.id, players[0].id).status == "active"
    refused = race(partial(rematch_game, game_id=table.id, player_id=players[3].id))
    assert refused == [Code.GAME_NOT_OPEN]
