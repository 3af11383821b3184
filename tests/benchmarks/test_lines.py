"""Each line of the benchmark, at the smallest size that still measures: so that it can't rot. No speed is asserted."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.benchmarks import __main__ as bench
from tests.benchmarks.bots import bots_at
from tests.benchmarks.connection import Address, Connection
from tests.benchmarks.growth import growth_between
from tests.benchmarks.house import TWIN, House, house
from tests.benchmarks.lines import Line, Size
from tests.benchmarks.load import CLIENTS
from tests.benchmarks.plays import latency_at, plays_at
from tests.benchmarks.room import room
from tests.benchmarks.rounds import one_of, play_our_round, rates_of
from tests.benchmarks.scaling import scaling
from tests.benchmarks.storing import multiply, play_games, tables_of_games
from tests.benchmarks.views import views_at

pytestmark = pytest.mark.slow
TINY = Size(seconds=1, games=4, played_games=1, finished_games=1, bots_turns=1, repetitions=1)


@pytest.fixture(scope="module")
def own() -> Iterator[House]:
    with house() as made:
        yield made


@pytest.fixture(scope="module")
def product(own: House) -> Iterator[Address]:
    with own.web() as address:
        yield address


def expect(lines: list[Line], *names: str) -> None:
    assert [line.name for line in lines] == list(names)
    for line in lines:
        assert 0 < line.value < float("inf") and line.figures and line.says


def test_plays_are_measured_beside_the_floor_and_the_twin(own: House, product: Address) -> None:
    with own.web(TWIN) as twin:
        expect(plays_at(own, product, twin, TINY), "plays", "twin")
    with own.connect() as connection:
        found = connection.execute("SELECT count(DISTINCT round_id), count(*) FROM games_play").fetchone()
    assert found is not None
    assert int(str(found[0])) >= CLIENTS and int(str(found[1])) > CLIENTS, "the plays that were counted are stored"
    with replace(own, database="floor").connect() as connection:
        bare = connection.execute("SELECT count(*), sum(version) FROM floor_game").fetchone()
        assert bare is not None and bare[0] == CLIENTS
        for table in ("floor_play", "floor_event"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (bare[1],)
        careful = [connection.execute(f"SHOW {name}").fetchone() for name in ("fsync", "synchronous_commit")]
        assert careful == [("on",), ("on",)]


def test_half_a_load_is_paced(product: Address) -> None:
    expect(latency_at(product, TINY), "latency")


def test_views_are_measured_whole_and_unchanged(own: House, product: Address) -> None:
    expect(views_at(own, product, TINY), "views", "unchanged")


def test_bots_answer_a_person_who_waits(own: House, product: Address) -> None:
    with own.worker():
        expect(bots_at(product, TINY), "bots")


def test_finished_games_take_room(own: House) -> None:
    expect(room(own, replace(TINY, finished_games=8)), "room")


def test_many_processes_are_measured_beside_few(own: House) -> None:
    expect(scaling(own, TINY), "scaling of plays", "scaling of bots")


def test_plays_and_views_are_measured_where_many_games_are_stored(product: Address) -> None:
    expect(growth_between(product, product, TINY), "growth of plays", "growth of views")


def test_copies_of_a_finished_game_are_whole(own: House) -> None:
    other = own.beside("copies")
    with other.web() as address:
        play_games(address, 1)
        with other.connect() as connection:
            tables = tables_of_games(connection)
            before = {table: count(connection, table) for table in tables}
            multiply(connection, 2)
            assert {table: count(connection, table) for table in tables} == {t: 3 * n for t, n in before.items()}
            for table, columns in tables.items():
                for column, target in columns.items():
                    key = "game_id" if target in ("games_dealsecrets", "games_archive") else "id"
                    lost = f"{column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {target})"
                    assert count(connection, table, lost) == 0, (table, column)
            ids = [str(row[0]).replace("-", "") for row in connection.execute("SELECT id FROM games_game").fetchall()]
        with Connection(address) as asking:
            token = asking.ask("POST", "/players/guest")["token"]
            seen = [asking.ask("GET", f"/games/{game_id}/export", token) for game_id in ids]
    assert len(ids) == 3 and seen[0]["rounds"] == seen[1]["rounds"] == seen[2]["rounds"] and seen[0]["rounds"]


def count(connection: Any, table: str, where: str = "true") -> int:
    return connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]


def test_a_random_round_is_played_to_its_score() -> None:
    rng = random.Random(1)
    assert min(rates_of([lambda: play_our_round(rng)] * 2, 0.01)) > 0
    assert {one_of(0b1011, rng) for _ in range(100)} == {0, 1, 3}


def test_every_line_can_be_asked_for_alone() -> None:
    assert set(bench.MEASURES) == {"plays", "latency", "views", "bots", "rules", "room", "scaling", "growth"}
