"""Play every stored game again and compare."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from games.selectors.replay import differences
from games.selectors.tables import all_game_ids


class Command(BaseCommand):
    """`manage.py verify_games [ID …]`: exit 1 when the rows of a game are not what its record makes."""

    help = "Play every stored game again from its events and secrets, and compare with the rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take ids, or none for all games."""
        parser.add_argument("ids", nargs="*", help="only these games (32 hex digits each)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference, then the counts."""
        checked = wrong = 0
        for game_id in options["ids"] or all_game_ids():
            with transaction.atomic():
                # One moment for all statements, so that a game that is being played can be verified too.
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                found = differences(game_id)
            checked, wrong = checked + 1, wrong + bool(found)
            for difference in found:
                self.stderr.write(f"{game_id}: {difference}")
        self.stdout.write(f"{checked} games verified, {wrong} with differences")
        if wrong:
            raise CommandError("The rows of some games are not what their record makes.", returncode=1)
