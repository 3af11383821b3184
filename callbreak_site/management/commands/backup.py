"""`manage.py backup [FILE]`: save the database, whether the service runs or not."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from callbreak_site.embedded import backup, folders
from callbreak_site.embedded.processes import EmbeddedError
from callbreak_site.management.places import given_place


class Command(BaseCommand):
    """Save the database."""

    help = "Saves the database in a file that only its owner may read."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file's name."""
        parser.add_argument("file", nargs="?", type=Path, help="default: a new file in the data folder's backups/")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        """Save."""
        data = settings.DATA_DIR
        say = self.stdout.write
        try:
            folders.make(data)
            file = (file or data / "backups" / backup.file_name()).absolute()
            if place := given_place():
                backup.save(place, file, say)
            else:
                with backup.embedded_place(data, say) as place:
                    backup.save(place, file, say)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        except psycopg.OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error
