"""The checker finds nothing in what is right, and whatever was spoilt by its letter."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from functools import cache
from random import Random
from typing import Any

import pytest
from django.db import connection

from bots.services import take_turns
from callbreak_site.outbox.models import Fact
from callbreak_site.outbox.services import deliver
from games.models import Game
from games.services.archiving import archive_game
from games.services.table import expire_turn
from tests.faults.checker import faults_of, faults_of_games
from tests.faults.history import Entry, now, told_by
from tests.faults.record import Record, records
from tests.games.api.tables import Someone, four, good, play_on

pytestmark = pytest.mark.django_db

Spoil = Callable[[Record, list[Entry]], Any]
Played = tuple[Record, list[Entry]]


def played(*, bots: int = 0, acts: int = 0, is_slow: bool = False) -> Played:
    """Return a game of people and bots as the tables and its clients have it: to the end, or so many acts of people."""
    record, entries = _played(bots, acts, is_slow)
    return deepcopy(record), deepcopy(entries)


@cache
def _played(bots: int, acts: int, is_slow: bool) -> Played:
    people, entries, rng = [Someone() for _ in range(4 - bots)], [], Random(1)

    def note(kind: str, who: Someone, state: dict[str, Any], began: float, **act: Any) -> None:
        told = told_by(state)
        entries.append(Entry(f"m{len(entries)}", who.name, kind, began, now(), 0, 200, state["id"], told=told, **act))

    state = people[0].create(options={"rounds": 1}, bots=["easy"] * bots)
    path = f"/games/{state['id']}"
    for joiner in people[1:]:
        good(joiner.post(f"{path}/seats", {}))
    count = 0
    while True:
        take_turns(state["id"])
        began = now()
        state = people[0].state(state["id"])
        note("look", people[0], state, began)
        if state["status"] != "active" or (acts and count == acts):
            break
        if is_slow and count == 2:
            Game.objects.update(per_turn_s=5, turn_ends_at=state["created_at"])
            is_slow = not expire_turn(game_id=state["id"])
            continue
        mover = next(who for who in people if who.name == state["seats"][state["turn"]["seat"]]["player"])
        began, you = now(), mover.state(state["id"])["you"]
        kind, what = ("bids", 2) if you["legal_bids"] else ("plays", rng.choice(you["legal_plays"]))
        after = good(mover.post(f"{path}/{kind}", {kind[:-1] if what == 2 else "card": what}))
        note(kind[:-1], mover, after, began, what=what, round=1)
        count += 1
    for fact in Fact.objects.filter(kind="turn.started"):
        deliver(fact.id)
    connection.ensure_connection()
    [record] = records(connection.connection)
    return record, entries


def letters(played: Played) -> set[str]:
    return {fault[0] for fault in faults_of(*played)}


@pytest.mark.parametrize("how", [{}, {"bots": 3}, {"bots": 2, "acts": 9}, {"acts": 30}], ids=str)
def test_what_is_right_has_no_fault(how: dict[str, int]) -> None:
    assert faults_of(*played(**how)) == []


def test_what_was_packed_is_read_as_it_was() -> None:
    game = four(options={"rounds": 1})
    play_on(*game)
    connection.ensure_connection()
    [before] = records(connection.connection)
    assert archive_game(game_id=game[0], over_for=timedelta())
    [after] = records(connection.connection)
    assert after._replace(game=before.game) == before


def of_type(record: Record, kind: str, place: int = 0) -> dict[str, Any]:
    event: dict[str, Any] = [event for event in record.events if event["type"] == kind][place]
    return event


def renumber(record: Record) -> None:
    for version, event in enumerate(record.events, start=1):
        event["version"] = version
    record.game["version"] = len(record.events)


def lose(record: Record, kind: str, place: int) -> None:
    record.events.remove(of_type(record, kind, place))
    renumber(record)


def double(record: Record, kind: str, place: int) -> None:
    event = of_type(record, kind, place)
    record.events.insert(event["version"], dict(event))
    renumber(record)


def exchange(record: Record, kind: str, one: int, other: int, *names: str) -> None:
    first, second = of_type(record, kind, one), of_type(record, kind, other)
    for name in names:
        first[name], second[name] = second[name], first[name]


def change(values: Any, **news: Any) -> None:
    values |= news


def deal_twice_the_same_card(record: Record, _: list[Entry]) -> None:
    hands = of_type(record, "round.dealt")["private"]
    hands["0"]["hand"][0] = hands["1"]["hand"][0]


def exchange_two_hands(record: Record, _: list[Entry]) -> None:
    hands = of_type(record, "round.dealt")["private"]
    hands["0"], hands["1"] = hands["1"], hands["0"]


def let_another_win(record: Record, _: list[Entry]) -> None:
    won = of_type(record, "trick.won", 2)
    won["seat"] = (won["seat"] + 1) % 4


def plays(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.kind == "play"]


def forget(entries: list[Entry], entry: Entry) -> None:
    entries.remove(entry)


def claim_another_card(record: Record, entries: list[Entry]) -> None:
    entries.append(Entry("more", entries[-2].who, "play", now(), now(), 0, 200, record.id, "2C", 2))


def refuse(entry: Entry) -> None:
    entry.status, entry.told = 409, None


def be_late(entries: list[Entry]) -> None:
    """Let the third play have been sent only after the fifth was answered."""
    third, fifth = plays(entries)[2], plays(entries)[4]
    third.sent, third.answered = fifth.answered + 0.001, fifth.answered + 0.002


def be_shown_the_past(entries: list[Entry]) -> None:
    first, last = (entry for entry in (entries[0], entries[-2]))
    first.sent, first.answered = last.answered + 0.001, last.answered + 0.002


WITH_PEOPLE: list[tuple[str, str, Spoil]] = [
    ("a", "an event is not there", lambda record, _: record.events.pop(20)),
    ("a", "an event is there twice", lambda record, _: record.events.insert(20, record.events[20])),
    ("a", "the game is said to be further", lambda record, _: change(record.game, version=999)),
    ("a", "a play was lost, and the rest numbered anew", lambda record, _: lose(record, "card.played", 10)),
    ("a", "a bid was lost, and the rest numbered anew", lambda record, _: lose(record, "bid.made", 1)),
    ("a", "a play was made twice", lambda record, _: double(record, "card.played", 7)),
    ("a", "two plays changed places", lambda record, _: exchange(record, "card.played", 5, 6, "seat", "public")),
    ("b", "an acknowledged play is not there", claim_another_card),
    ("b", "a refused play is there", lambda _, entries: refuse(plays(entries)[9])),
    ("b", "a hand was told wrongly", lambda _, entries: change(plays(entries)[3].told, hand=["2C"])),
    ("b", "a trick was told wrongly", lambda _, entries: change(plays(entries)[3].told, tricks=[9, 9, 9, 9])),
    ("b", "another's turn was told", lambda _, entries: change(plays(entries)[4].told, turn=[0, "bid"])),
    ("b", "a version that never was, was told", lambda _, entries: change(plays(entries)[4].told, version=9999)),
    ("c", "nobody sent a play", lambda _, entries: forget(entries, plays(entries)[9])),
    ("c", "nobody sent a bid", lambda _, entries: forget(entries, next(e for e in entries if e.kind == "bid"))),
    ("c", "a bot plays for a person", lambda record, _: change(of_type(record, "card.played", 9)["public"], by="bot")),
    ("c", "a free choice plays itself", lambda record, _: change(of_type(record, "card.played")["public"], by="rule")),
    ("d", "one card is dealt twice", deal_twice_the_same_card),
    ("d", "cards are played that another holds", exchange_two_hands),
    ("d", "another wins the trick", let_another_win),
    ("d", "a bid is too high", lambda record, _: change(of_type(record, "bid.made")["public"], bid=14)),
    ("e", "a score is wrong", lambda record, _: change(of_type(record, "round.scored")["public"], scores=["2.0"] * 4)),
    ("e", "a total is wrong", lambda record, _: change(of_type(record, "round.scored")["public"], totals=["9.9"] * 4)),
    ("e", "a place is wrong", lambda record, _: change(of_type(record, "game.finished")["public"], places=[4] * 4)),
    ("f", "a row of a play is not there", lambda record, _: record.plays.pop()),
    ("f", "two rows of plays changed places", lambda record, _: record.plays.reverse()),
    ("f", "a row of a trick has another winner", lambda record, _: change(record.tricks[4], winner=9)),
    ("f", "a total is another", lambda record, _: change(record.seats[2], total_tenths=999)),
    ("f", "a place is another", lambda record, _: change(record.seats[2], place=9)),
    ("f", "the scoreboard is another", lambda record, _: record.game["scoreboard"][0]["tricks"].reverse()),
    ("f", "the game is said to be over differently", lambda record, _: change(record.game, status="void")),
    ("h", "a play comes before what was answered earlier", lambda _, entries: be_late(entries)),
    ("h", "somebody was shown the past", lambda _, entries: be_shown_the_past(entries)),
]  # fmt: skip


@pytest.mark.parametrize(("letter", "what", "spoil"), WITH_PEOPLE, ids=[what for _, what, _ in WITH_PEOPLE])
def test_what_is_spoilt_in_a_finished_game_is_found(letter: str, what: str, spoil: Spoil) -> None:
    game = played()
    spoil(*game)
    assert letter in letters(game), what


RUNNING: list[tuple[str, str, Spoil]] = [
    ("f", "the turn is another's", lambda record, _: change(record.game, turn_seat=(record.game["turn_seat"] + 1) % 4)),
    ("f", "another act is due", lambda record, _: change(record.game, turn_action="bid")),
    ("f", "a card is on the table twice", lambda record, _: record.game["trick_cards"].append("AS")),
    ("f", "the trick is another", lambda record, _: change(record.game, trick_number=13)),
    ("f", "a bot is said to be on turn", lambda record, _: change(record.game, is_bots_turn=True)),
    ("f", "a card is still held", lambda record, _: change(record.hands[1], held=record.hands[1]["dealt"])),
    ("f", "a bid is another", lambda record, _: change(record.hands[1], bid=9)),
    ("f", "a trick is counted twice", lambda record, _: change(record.hands[1], tricks=9)),
]  # fmt: skip


@pytest.mark.parametrize(("letter", "what", "spoil"), RUNNING, ids=[what for _, what, _ in RUNNING])
def test_what_is_spoilt_in_a_running_game_is_found(letter: str, what: str, spoil: Spoil) -> None:
    game = played(acts=30)
    spoil(*game)
    assert letters(game) == {letter}, what


WITH_BOTS: list[tuple[str, str, Spoil]] = [
    ("c", "a person plays for a bot", lambda record, _: change(acts_of_bots(record)[3]["public"], by="person")),
    ("g", "a call was not heard", lambda record, _: change(record.facts[1], handled_at=None)),
    ("g", "a call was not written", lambda record, _: record.facts.pop()),
]  # fmt: skip


def acts_of_bots(record: Record) -> list[dict[str, Any]]:
    return [event for event in record.events if event["public"].get("by") == "bot"]


@pytest.mark.parametrize(("letter", "what", "spoil"), WITH_BOTS, ids=[what for _, what, _ in WITH_BOTS])
def test_what_is_spoilt_in_a_game_with_bots_is_found(letter: str, what: str, spoil: Spoil) -> None:
    game = played(bots=3)
    spoil(*game)
    assert letter in letters(game), what


def test_a_turn_is_missed_only_after_its_time() -> None:
    record, entries = played(acts=6, is_slow=True)
    missed = of_type(record, "turn.missed")
    for seconds, expected in ((-1, {"c"}), (1, set())):
        began = record.events[missed["version"] - 2]["at"]
        moved = began + timedelta(seconds=5 + 2 + seconds)
        later = moved - missed["at"]
        for event in record.events[missed["version"] - 1 :]:
            event["at"] += later
        assert letters((record, entries)) == expected


def test_a_game_that_was_promised_and_is_not_there_is_found() -> None:
    made = Entry("m1", "ada", "create", 1, 2, 0, 201, "a" * 32)
    assert list(faults_of_games({"a" * 32}, [made])) == []
    assert list(faults_of_games(set(), [made])) == [f"b: the game {'a' * 32} is not there"]


def test_a_request_that_made_two_games_is_found() -> None:
    made = Entry("m1", "ada", "create", 1, 2, 0, 201, "a" * 32)
    lost = Entry("m1", "ada", "create", 0, 1)
    assert list(faults_of_games({"a" * 32, "b" * 32}, [lost, made])) == [f"b: a request made a second game: {'b' * 32}"]


def test_two_requests_that_were_promised_one_game_are_found() -> None:
    both = [Entry(move, "ada", "create", 1, 2, 0, 201, "a" * 32) for move in ("m1", "m2")]
    assert list(faults_of_games({"a" * 32}, both)) == [f"b: one game for several requests: {'a' * 32}"]
