"""`manage.py arena` prints a line for each level, and a sentence for what it can't play."""

import io

import pytest
from django.core.management import CommandError, call_command

from bots.engine.weights import WEIGHTS


def arena(**asked: object) -> str:
    told = io.StringIO()
    call_command("arena", stdout=told, **asked)
    return told.getvalue()


def test_it_prints_points_leads_bids_and_places() -> None:
    heading, medium, easy = arena(games=2, seed=3).splitlines()
    assert heading.split("  ")[0] == "level"
    assert medium.startswith("medium")
    assert easy.startswith("easy")
    assert medium.count("±") == 2
    assert "%" in medium


def test_the_same_seed_gives_the_same_figures() -> None:
    assert arena(games=2, seed=3) == arena(games=2, seed=3) != arena(games=2, seed=4)


def test_it_plays_house_rules() -> None:
    assert "easy" in arena(games=1, levels="easy,easy,easy,easy", options='{"max_bid": 8, "redeal_no_spade": true}')


@pytest.mark.parametrize(
    "asked",
    [
        {"levels": "medium"},
        {"levels": "medium,easy,easy,grandmaster"},
        {"games": 0},
        {"ruleset": "whist"},
        {"options": "rounds=5"},
        {"options": "[5]"},
        {"options": '{"rounds": 99}'},
    ],
)
def test_what_it_cannot_play_gets_a_sentence(asked: dict[str, object]) -> None:
    with pytest.raises(CommandError):
        arena(**{"games": 1, **asked})


def test_fitting_prints_weights_for_every_kind_of_card() -> None:
    told = io.StringIO()
    call_command("fit_medium", rounds=8, stdout=told)
    written: dict[str, dict[str, dict[tuple[str, int], tuple[float, ...]]]] = {}
    exec(told.getvalue(), written)
    fitted = {scoring: {kind: len(row) for kind, row in rows.items()} for scoring, rows in written["WEIGHTS"].items()}
    used = {scoring: {kind: len(row) for kind, row in rows.items()} for scoring, rows in WEIGHTS.items()}
    assert fitted == used
