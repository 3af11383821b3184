"""`manage.py arena`: bots against bots."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bots.engine import LEVELS, choose
from bots.engine.arena import Player, Tally, compete, standard_error
from games.rules.ruleset import OptionErrors, customised

HEADINGS = ("level", "points a round", "lead a round", "bid", "made", "1st", "2nd", "3rd", "4th")
WIDTHS = (10, 16, 16, 6, 6, 6, 6, 6, 6)


class Command(BaseCommand):
    """Let bots play duplicate deals: each set of cards once from every rotation of the seats."""

    help = (
        "Let bots play duplicate deals, each set of cards once from every rotation of the seats. A lead is the "
        "points of a level less the mean of those of the others; figures come with their standard error."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the line-up, and how long to play what."""
        parser.add_argument("--levels", default="medium,easy,easy,easy", help="four levels, by seat")
        parser.add_argument("--games", type=int, default=200, help="sets of deals")
        parser.add_argument("--ruleset", default="lite")
        parser.add_argument("--options", default="{}", help='house rules as JSON, such as {"max_bid": 8}')
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **asked: Any) -> None:
        """Play, and print a line for each level."""
        line_up: list[str] = asked["levels"].split(",")
        if len(line_up) != 4 or not set(line_up) <= set(LEVELS):
            raise CommandError(f"--levels takes four of: {', '.join(LEVELS)}.")
        if asked["games"] < 1:
            raise CommandError("--games takes a number from 1.")
        try:
            ruleset = customised(asked["ruleset"], json.loads(asked["options"]))
        except OptionErrors as refusal:
            raise CommandError(f"These rules are none: {refusal}") from None
        except (ValueError, AttributeError):
            raise CommandError("--options takes a JSON object.") from None
        players: dict[str, Player] = {level: partial(choose, level) for level in line_up}
        tallies = compete(line_up, players, ruleset, asked["games"], asked["seed"])
        self._write(HEADINGS)
        for level, tally in tallies.items():
            self._write(_row(level, tally))

    def _write(self, cells: Sequence[str]) -> None:
        self.stdout.write("".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip())


def _row(level: str, tally: Tally) -> tuple[str, ...]:
    played = sum(tally.places)
    return (
        level,
        _figure(tally.points),
        _figure(tally.lead),
        f"{fmean(tally.bids):.2f}",
        f"{tally.made / len(tally.bids):.0%}",
        *(f"{count / played:.0%}" for count in tally.places),
    )


def _figure(figures: Sequence[float]) -> str:
    return f"{fmean(figures):+.2f} ± {standard_error(figures):.2f}"
