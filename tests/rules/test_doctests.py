"""The examples in the docstrings of the rules are true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import games.rules

MODULES = [f"games.rules.{module.name}" for module in pkgutil.iter_modules(games.rules.__path__)]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_hold(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0


def test_there_are_examples_for_the_whole_game() -> None:
    examples = {module: doctest.testmod(import_module(module)).attempted for module in MODULES}
    assert {"cards", "ruleset", "trick", "scoring", "shuffle", "state", "view", "notation", "record"} <= {
        module.rpartition(".")[2] for module, count in examples.items() if count
    }
