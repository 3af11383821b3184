"""A plain move and one under the lock leave the same rows behind."""

import random
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from games.models import Event, Game, Hand, Play, Round, Seat, Trick
from games.presenters.state import game_state
from games.presenters.table import Table
from games.rules.cards import highest
from games.rules.state import legal_cards
from games.selectors.replay import differences
from games.selectors.tables import find_snapshot
from games.services import table as services
from games.services.moves import play_of
from games.services.plain_moves import make_plain_move
from tests.games.tables import act, four_at_a_table, people, play_on, ruleset

pytestmark = pytest.mark.django_db
KEYS = {"id", "game_id", "round_id", "seat_id"}


def rows_of(table: Table) -> dict[str, Any]:
    """Return all rows that a move can change, by what they say."""
    game = Game.objects.filter(id=table.id).values().get()
    changed_at, _ = game.pop("changed_at"), game.pop("ended_at")
    game["turn_ends_at"] = game["turn_ends_at"] and game["turn_ends_at"] - changed_at
    its = {"round__game": table.id}
    return {
        "game": game,
        "seats": without_keys(Seat.objects.filter(game=table.id).order_by("number").values()),
        "rounds": without_keys(Round.objects.filter(game=table.id).order_by("number").values(), "finished_at"),
        "hands": without_keys(Hand.objects.filter(**its).order_by("round__number", "seat__number").values()),
        "tricks": without_keys(Trick.objects.filter(**its).order_by("round__number", "number").values()),
        "plays": without_keys(Play.objects.filter(**its).order_by("round__number", "trick_number", "order").values()),
        "events": without_keys(Event.objects.filter(game=table.id).order_by("version").values(), "at"),
    }


def without_keys(rows: Any, *more: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in KEYS | {*more}} for row in rows]


def without_times(table: Table, viewer_id: uuid.UUID) -> dict[str, Any]:
    """Return what a player sees, but for the clock."""
    return game_state(table, viewer_id) | {"turn": None, "ended_at": None}


class Undo(Exception):
    """Takes a try back."""


def seen_after(table: Table, seed: int) -> tuple[Table, dict[str, Any]]:
    """Return what one act makes of a table, and take it back."""
    found: list[Any] = []
    try:
        with transaction.atomic():
            after = act(table, random.Random(seed))
            found += [after, rows_of(after)]
            raise Undo
    except Undo:
        return found[0], found[1]


@pytest.mark.parametrize("options", [{}, {"forced_cards": "at_once"}, {"redeal_low_bids": True, "must_head": False}])
def test_a_plain_move_leaves_the_same_rows_as_one_under_the_lock(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    table, players = four_at_a_table(ruleset(rounds=2, **options))
    seed = 0
    while table.status == "active":
        seed += 1
        quick, its_rows = seen_after(table, seed)
        with monkeypatch.context() as patched:
            patched.setattr(services, "is_plain", lambda *_: False)
            slow, their_rows = seen_after(table, seed)
        assert its_rows == their_rows
        assert (quick.version, quick.is_bots_turn) == (slow.version, slow.is_bots_turn)
        for player in players:
            assert without_times(quick, player.id) == without_times(slow, player.id)
        table = act(table, random.Random(seed))


def test_no_ordinary_move_takes_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = four_at_a_table(ruleset(rounds=3))
    locked: list[int] = []
    under_lock = services._act_under_lock

    def counted(*args: Any) -> Table:
        locked.append(1)
        return under_lock(*args)

    monkeypatch.setattr(services, "_act_under_lock", counted)
    play_on(table, random.Random(1))
    assert locked == []


def test_a_plain_move_decided_on_an_older_version_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = four_at_a_table()
    table = play_on(table, random.Random(2), acts=6)
    stale: list[Any] = []

    def kept(seen: Any, move: Any) -> Table | None:
        stale.append((seen, move))
        return make_plain_move(seen, move)

    monkeypatch.setattr(services, "make_plain_move", kept)
    table = act(table, random.Random(3))
    before = rows_of(table)
    assert make_plain_move(*stale[0]) is None
    assert rows_of(table) == before


def wait_until_somebody_waits_for_a_lock() -> None:
    ends_at = time.monotonic() + 2
    with connection.cursor() as cursor:
        while not cursor.execute("SELECT FROM pg_locks WHERE NOT granted").rowcount:
            assert time.monotonic() < ends_at
            time.sleep(0.01)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_undone", [True, False])
def test_a_plain_move_that_waits_for_another_change_is_made_only_if_that_is_undone(is_undone: bool) -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(2), acts=6)
    seen = find_snapshot(table.id)
    state = seen.table.state
    assert state is not None
    move = play_of(state, highest(legal_cards(state)), "person")

    def make_it() -> Table | None:
        try:
            return make_plain_move(seen, move)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as aside:
        with suppress(Undo), transaction.atomic():
            services.resign_seat(game_id=table.id, player_id=players[0].id)
            waiting = aside.submit(make_it)
            wait_until_somebody_waits_for_a_lock()
            if is_undone:
                raise Undo
        assert (waiting.result() is not None) is is_undone
    assert Play.objects.count() == 2 + is_undone
    assert differences(uuid.UUID(table.id)) == []


@pytest.mark.parametrize(("seconds_ago", "is_made"), [(1, True), (3, False)])
def test_a_plain_move_is_made_within_the_grace_only(
    monkeypatch: pytest.MonkeyPatch, seconds_ago: int, is_made: bool
) -> None:
    table, _ = four_at_a_table(players=people())
    table = play_on(table, random.Random(2), acts=6)
    made: list[Any] = []

    def late(seen: Any, move: Any) -> Table | None:
        Game.objects.filter(id=uuid.UUID(table.id)).update(turn_ends_at=Now() - timedelta(seconds=seconds_ago))
        made.append(make_plain_move(seen, move))
        return made[0] or table

    monkeypatch.setattr(services, "make_plain_move", late)
    act(table, random.Random(3))
    assert (made[0] is not None) is is_made
