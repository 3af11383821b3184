"""`manage.py restore FILE`: bring a backup back, while nothing uses the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.migrations.loader import MigrationLoader

from callbreak_site.embedded import backup, folders
from callbreak_site.embedded.processes import EmbeddedError
from callbreak_site.management.places import given_place


class Command(BaseCommand):
    """Bring a backup back."""

    help = "Replaces the database by what a backup holds; what was there is saved first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file's name."""
        parser.add_argument("file", nargs="?", default="", help="a file that `backup` has made")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Restore."""
        data = settings.DATA_DIR
        say = self.stdout.write
        if not file:
            raise CommandError(f"Say which backup: make restore FILE=…\n{listing(data / 'backups')}")
        known = set(MigrationLoader(None).disk_migrations or {})
        try:
            folders.make(data)
            safety_copy = data / "backups" / backup.file_name(prefix="before-restore")
            if folders.is_held(data):
                raise EmbeddedError("The service is running. Stop it first (Ctrl-C where `make run` was started).")
            if place := given_place():
                backup.bring_back(place, Path(file).absolute(), safety_copy, known, say)
            else:
                with backup.embedded_place(data, say) as place:
                    backup.bring_back(place, Path(file).absolute(), safety_copy, known, say)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        except psycopg.Error as error:
            raise CommandError(f"Nothing was changed. PostgreSQL says: {error}") from error


def listing(folder: Path) -> str:
    """Return the backups in *folder* for a person to choose from."""
    names = sorted(str(path) for path in folder.glob("*.dump"))
    return "\n".join(["There are:", *names]) if names else f"There is none in {folder}."
