"""A stream tells a game as it happens, each thing once, and each viewer no more than he may know."""

import random
import re
import time
from contextlib import ExitStack

import pytest
import redis
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from games.doorbell import CHANNEL
from games.models import Hand
from games.presenters.table import Table
from games.rules.cards import names
from games.services.moderation import void_game
from games.services.table import resign_seat
from games.stream.places import FOR_ONE_SESSION
from games.stream.readers import THREADS
from tests.games.stream.house import House, cookie_of, open_connection, wait_until
from tests.games.stream.listening import Listener
from tests.games.tables import act, four_at_a_table, person, play_on, ruleset

pytestmark = pytest.mark.slow
CARD = re.compile(r"(?<![0-9A-Za-z_-])([2-9TJQKA][CDHS])(?![0-9A-Za-z_-])")
ONE_ROUND = ruleset("lite", rounds=1)
SOON = 1.0


def a_table(**plan: object) -> Table:
    return four_at_a_table(ONE_ROUND, **plan)[0]


def status(house: House, path: str, **told: str) -> int:
    with open_connection(house.port, path, **told) as answer:
        return answer.status


def dealt_hands(table: Table) -> dict[tuple[int, int], set[str]]:
    """Return who was dealt which cards, by round and seat."""
    hands = Hand.objects.filter(round__game=table.id).select_related("round", "seat")
    return {(hand.round.number, hand.seat.number): set(names(hand.dealt)) for hand in hands}


def test_everybody_hears_every_play_at_once_and_no_hidden_card(house: House) -> None:
    rng = random.Random(4)
    table, players = four_at_a_table(ruleset("lite", rounds=2))
    seats = {table.seat_of(player.id): cookie_of(player) for player in players}
    with ExitStack() as stack:
        everybody = {
            seat: stack.enter_context(Listener(house.port, table.id, cookie=cookie))
            for seat, cookie in {**seats, None: cookie_of(person()), -1: ""}.items()
        }
        for listener in everybody.values():
            listener.wait_for(table.version)
        while table.status == "active":
            table = act(table, rng)
            for listener in everybody.values():
                listener.wait_for(table.version, SOON)
        for listener in everybody.values():
            wait_until(lambda listener=listener: listener.is_at_end, 5)
    hands = dealt_hands(table)
    for seat, listener in everybody.items():
        assert listener.versions == list(range(1, table.version + 1))
        assert listener.statuses == [200]
        known: set[str] = {str(found.drawn_card) for found in table.seats if found}
        for event in listener.events:
            if event["type"] == "round.dealt":
                own = hands.get((event["data"]["round"], seat if seat is not None else -1), set())
                assert set(event["data"].get("hand", ())) == own
                known |= own
            elif event["type"] == "card.played":
                known.add(event["data"]["card"])
            assert set(CARD.findall(str(event))) <= known, f"seat {seat} learns {event}"


def test_nothing_is_lost_or_doubled_whatever_breaks_off(house: House) -> None:
    rng = random.Random(5)
    table = a_table()
    with Listener(house.port, table.id) as listener:
        listener.wait_for(table.version)
        house.kill()
        table = play_on(table, rng, acts=6)
        house.start()
        listener.wait_for(table.version)
        table = play_on(table, rng, acts=2)
        listener.wait_for(table.version)
        house.broker.kill()
        table = play_on(table, rng, acts=6)
        house.broker.start()
        table = play_on(table, rng, acts=6)
        listener.wait_for(table.version)
        listeners = house.broker.server
        with redis.Redis.from_url(listeners.url()) as client:
            wait_until(lambda: client.pubsub_numsub(CHANNEL)[0][1] == 1, 5)
        began = time.monotonic()
        assert house.stop()
        assert time.monotonic() - began < 7
        house.start()
        table = play_on(table, rng)
        wait_until(lambda: listener.is_at_end, 10)
    assert listener.versions == list(range(1, table.version + 1))
    assert len(listener.statuses) == 3


def test_without_a_hint_the_rows_are_looked_at_all_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.doorbell._bell.ring", lambda game_id: None)
    table = a_table()
    with Listener(house.port, table.id, after=table.version) as listener:
        listener.wait_to_begin()
        time.sleep(0.5)
        table = act(table, random.Random(6))
        assert listener.wait_for(table.version, 4) > SOON
        # Alive, but nothing new, and so without an id.
        wait_until(lambda: listener.text[-3:] == ["event: alive", "data:", ""], 5)


def test_fifty_streams_hold_no_connection_and_closing_them_frees_everything(house: House) -> None:
    table = a_table()
    before = house.open_files()
    with ExitStack() as stack:
        sources = [f"127.0.0.{2 + number % 5}" for number in range(50)]
        listeners = [
            stack.enter_context(Listener(house.port, table.id, source=source, after=table.version))
            for source in sources
        ]
        for listener in listeners:
            listener.wait_to_begin()
        assert house.open_files() >= before + 50
        for _ in range(3):
            wait_until(lambda: others_connected() == 0, 5)
            table = act(table, random.Random(7))
            assert others_connected() <= THREADS
            for listener in listeners:
                listener.wait_for(table.version, 5)
        for listener in listeners:
            listener.tell_to_stop()
    with redis.Redis.from_url(house.broker.server.url()) as client:
        wait_until(lambda: client.pubsub_numsub(CHANNEL)[0][1] == 0, 5)
    wait_until(lambda: house.open_files() <= before, 5, lambda: f"{house.open_files()} files, not {before}")


def others_connected() -> int:
    """Return how many connections to the database there are besides our own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def test_only_who_may_see_a_game_hears_it(house: House) -> None:
    table, (player, *_) = four_at_a_table(ONE_ROUND, visibility="private")
    path, stranger = f"/games/{table.id}/stream", cookie_of(person())
    assert status(house, path, cookie=cookie_of(player)) == 200
    assert status(house, path, cookie=stranger) == 404
    assert status(house, path) == status(house, path, cookie="made-up") == 401
    assert status(house, f"/games/{'0' * 32}/stream", cookie=stranger) == 404
    open_to_all = a_table(visibility="unlisted").id
    assert [status(house, f"/games/{open_to_all}/stream", **told) for told in ({}, {"cookie": stranger})] == [401, 200]
    assert Client().get(f"/games/{open_to_all}/stream").status_code == 503  # served without an event loop


@pytest.mark.parametrize(
    ("after", "last_id", "first"),
    [("3", "", 4), ("3", "5", 6), ("x", "y", 1), ("3", "-1", 4), ("", "9" * 40, 1), ("3", "999999", None)],
)
def test_where_one_goes_on_is_told_by_the_last_id_or_else_by_the_address(
    house: House, after: str, last_id: str, first: int | None
) -> None:
    table = a_table()
    told = {"Last_Event_ID": last_id} if last_id else {}
    with open_connection(house.port, f"/games/{table.id}/stream?after={after}", **told) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert (answer.headers["Cache-Control"], answer.headers["X-Accel-Buffering"]) == ("no-cache", "no")
        assert answer.readline() == b"retry: 2000\n"
        assert answer.readline() == b"\n"
        if first is None:
            first = act(table, random.Random(8)).version
        assert answer.readline() == f"id: {first}\n".encode()


def test_who_gave_up_his_seat_gets_no_hand_any_more(house: House) -> None:
    rng = random.Random(9)
    table, players = four_at_a_table(ruleset("lite", rounds=2))
    seat = table.seat_of(players[1].id)
    assert seat is not None
    with Listener(house.port, table.id, cookie=cookie_of(players[1])) as listener:
        listener.wait_for(table.version)
        table = resign_seat(game_id=table.id, player_id=players[1].id)
        play_on(table, rng)
        wait_until(lambda: listener.is_at_end, 10)
    first, second = [event["data"] for event in listener.events if event["type"] == "round.dealt"]
    assert set(first["hand"]) == dealt_hands(table)[1, seat]
    assert "hand" not in second


def test_a_stream_ends_with_the_session(house: House) -> None:
    table, players = four_at_a_table(ONE_ROUND)
    with open_connection(house.port, f"/games/{table.id}/stream", cookie=cookie_of(players[0])) as answer:
        assert answer.readline() == b"retry: 2000\n"
        Session.objects.all().delete()
        ends_at = time.monotonic() + 6
        while line := answer.readline():
            assert line != b"event: end\n"
            assert time.monotonic() < ends_at


def test_a_game_that_is_voided_ends_its_streams(house: House) -> None:
    table = a_table()
    moderator = person()
    type(moderator).objects.filter(pk=moderator.pk).update(is_staff=True, is_superuser=True)
    with Listener(house.port, table.id) as listener:
        listener.wait_for(table.version)
        void_game(game_id=table.id, moderator_id=moderator.pk, reason="A test.")
        wait_until(lambda: listener.is_at_end, 5)
    assert listener.events[-1]["type"] == "game.voided"
    with Listener(house.port, table.id, after=listener.versions[-1]) as late:
        wait_until(lambda: late.is_at_end, 5)
    assert late.events == []


def test_one_session_has_three_streams_at_a_time(house: House) -> None:
    table, (player, *_) = four_at_a_table(ONE_ROUND)
    path, cookie = f"/games/{table.id}/stream", cookie_of(player)
    with ExitStack() as stack:
        for _ in range(FOR_ONE_SESSION):
            answer = stack.enter_context(open_connection(house.port, path, cookie=cookie))
            assert answer.readline() == b"retry: 2000\n"
        with open_connection(house.port, path, cookie=cookie) as refused:
            assert (refused.status, refused.headers["Retry-After"]) == (429, "30")
        assert status(house, path, cookie=cookie_of(player)) == 200
    wait_until(lambda: status(house, path, cookie=cookie) == 200, 5)
