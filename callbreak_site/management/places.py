"""Which database commands work on when they need not start one."""

import os

from django.conf import settings

from callbreak_site.embedded import folders
from callbreak_site.embedded.addresses import services_file
from callbreak_site.embedded.backup import Place
from callbreak_site.embedded.processes import EmbeddedError


def given_place() -> Place | None:
    """Return the database that DATABASE_URL names, or that of the running service; None if neither is there."""
    if not os.environ.get("DATABASE_URL"):
        if not folders.is_held(settings.DATA_DIR):
            return None
        if not services_file(settings.DATA_DIR).exists():
            raise EmbeddedError(
                "The service is starting or stopping, or a backup is being made; try again in a moment."
            )
    database = settings.DATABASES["default"]
    options = database["OPTIONS"]
    return Place(
        host=str(database["HOST"] or options.get("host", "")),
        port=str(database["PORT"]),
        database=str(database["NAME"]),
        user=str(database["USER"]),
        password=str(database["PASSWORD"]),
        sslmode=str(options.get("sslmode", "")),
    )
