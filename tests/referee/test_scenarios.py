"""The scenarios pass on a service that obeys the contract, and fail on one that breaks it."""

import random

import pytest

from . import play
from .pretend import game, lobby, table
from .pretend.server import Pretend
from .scenarios import SCENARIOS
from .tables import World

LONG = {name for name in SCENARIOS if name.startswith(("call-break-2", "lite", "master", "house-rules"))} | {
    "closing",
    "full-record",
    "redeals",
    "redeals-of-hands",
    "refusals-in-turn",
    "three-bots",
    "vote-in-mid-round",
}


def world(seed=1, speed=40):
    """Return a World around a fresh pretended service."""
    transport = Pretend(speed=speed).transport()
    return World("http://pretend", random.Random(seed), transport, patience_s=5, depth=0.03)


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in LONG])
def test_a_scenario_passes_where_the_contract_is_obeyed(name, capsys):
    assert play.run(world(), name), capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
def test_a_long_scenario_passes_where_the_contract_is_obeyed(name, capsys):
    assert play.run(world(), name), capsys.readouterr().out


def test_a_failure_names_the_request_and_the_answer(monkeypatch, capsys):
    monkeypatch.setattr(lobby, "check_creator", lambda call, game: None)
    assert not play.run(world(), "places")
    told = capsys.readouterr().out
    assert "WRONG places" in told
    assert "where 403 is right" in told
    assert "DELETE /api/v1/games/" in told


def no_refusal(call, game, form):
    """Look over a version that is past."""


BROKEN = [
    ("order", (table, "check_version"), no_refusal),
    ("vote-refused", (table, "check_version"), no_refusal),
    ("places", (lobby, "check_version"), no_refusal),
    ("cancel", (lobby, "check_open"), lambda game: None),
    ("resign", (game.Game, "to_bot"), lambda self, seat, kind: self.emit(kind, seat)),
    ("forced-cards", (game.Game, "play_forced"), lambda self: None),
    ("redeals", (game.Game, "redeal"), lambda self, reason, seat: None),
    ("vote-between-rounds", (game.Game, "count_votes"), lambda self: None),
]


@pytest.mark.parametrize(
    ("name", "place", "instead"), BROKEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_scenario_fails_where_a_safeguard_is_gone(name, place, instead, monkeypatch, capsys):
    monkeypatch.setattr(*place, instead)
    assert not play.run(world(), name)
    assert "WRONG" in capsys.readouterr().out
