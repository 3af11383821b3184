"""Check a deal from its proof alone."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.proof import told_by_proof, wrong_in_proof


class Command(BaseCommand):
    """`manage.py verify_deal FILE`: exit 1 when the proof does not hold."""

    help = "Check the proof of a round, as GET /api/v1/games/{id}/rounds/{n}/proof answers it; needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, help="a JSON file with the proof")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say that the proof holds, or what is wrong."""
        try:
            proof = json.loads(options["file"].read_text())
            wrong = wrong_in_proof(proof)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from None
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise CommandError(f"{options['file']} is not the proof of a round ({type(error).__name__}).") from None
        if wrong:
            raise CommandError(f"The proof does not hold: {wrong}")
        self.stdout.write(f"Round {proof['round']} holds: the secret is the one promised, and it makes this deck.")
        for sentence in told_by_proof(proof):
            self.stdout.write(f"  {sentence}")
