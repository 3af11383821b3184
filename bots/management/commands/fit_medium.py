"""`manage.py fit_medium`: measures `bots/engine/weights.py` anew."""

from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand

from bots.engine import weights
from bots.engine.fitting import fit, samples
from games.rules.ruleset import LITE, MASTER


class Command(BaseCommand):
    """Print the module with the weights of the medium bots, fitted to rounds that they play among themselves."""

    help = "Print bots/engine/weights.py anew, fitted to rounds that medium bots play among themselves. Takes minutes."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take how long to play."""
        parser.add_argument("--rounds", type=int, default=1_000, help="for each scoring")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **asked: Any) -> None:
        """Play, fit and print."""
        self.stdout.write(f'"""{weights.__doc__}"""\n\n')
        self.stdout.write("WEIGHTS: dict[str, dict[tuple[str, int], tuple[float, ...]]] = {")
        for ruleset in (LITE, MASTER):
            self.stdout.write(f'    "{ruleset.scoring}": {{')
            for kind, found in sorted(samples(ruleset, asked["rounds"], Random(asked["seed"])).items()):
                row = ", ".join(f"{weight:.2f}" for weight in fit(found))
                self.stdout.write(f'        ("{kind[0]}", {kind[1]}): ({row}),')
            self.stdout.write("    },")
        self.stdout.write("}")
