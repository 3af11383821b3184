"""What is dealt comes from secrets that nobody could foresee, and from the seats' own seeds."""

import ast
import multiprocessing
from pathlib import Path

import pytest

import games
from games.rules.ruleset import LITE, MASTER
from games.rules.shuffle import split
from games.selectors.proofs import fairness_of
from games.services.dealing import fresh_secrets
from games.services.lobby import Plan, create_game, take_seat
from games.services.reservations import reserve_game
from tests.games.tables import four_at_a_table, people


def _draw(_: int) -> tuple[bytes, ...]:
    return fresh_secrets(LITE)


# Newer Pythons warn of forks beside threads: the test is about just such forks.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_ten_thousand_secrets_of_forked_processes_are_all_different() -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        drawn = [secret for secrets in pool.map(_draw, range(1700), chunksize=5) for secret in secrets]
    assert len(drawn) == len(set(drawn)) == 10_200


def test_nothing_about_a_deal_knows_a_generator_that_can_be_foreseen() -> None:
    for path in Path(games.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"random", "numpy"} & {name.partition(".")[0] for name in imported}, path


def test_an_open_ended_game_is_promised_250_rounds_and_the_draw() -> None:
    secrets = fresh_secrets(MASTER)
    assert len(secrets) == 251
    assert split(b"".join(secrets)) == secrets


@pytest.mark.django_db
def test_the_seat_of_a_creator_without_a_reservation_brings_nothing() -> None:
    players = people()
    table = create_game(player_id=players[0].id, plan=Plan(ruleset=LITE, client_seed=b"k" * 32))
    for player in players[1:]:
        table = take_seat(game_id=table.id, player_id=player.id, client_seed=b"j" * 32)
    assert fairness_of(table)["seeded"] == [False, True, True, True]


@pytest.mark.django_db
def test_the_promise_of_a_reservation_is_the_promise_of_its_game() -> None:
    players = people()
    reserved = reserve_game(player_id=players[0].id, ruleset=LITE)
    table, _ = four_at_a_table(LITE, players, reservation=reserved.reservation, client_seed=b"k" * 32)
    assert table.id == reserved.game_id.hex
    assert fairness_of(table)["seeded"] == [True] * 4
