"""`manage.py up`: the whole service, with its own PostgreSQL and Redis unless others are named."""

import os
from contextlib import suppress
from typing import Any

import environ
import redis
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError, connection

from callbreak_site.checks import refuse_dangers
from callbreak_site.embedded.network import parse_address
from callbreak_site.embedded.processes import EmbeddedError
from callbreak_site.embedded.stack import Stack


class Command(BaseCommand):
    """Start everything, and stop it on Ctrl-C."""

    help = "Starts PostgreSQL, Redis, the web server, a worker and the clock, and stops them on Ctrl-C."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until told to stop."""
        refuse_dangers()
        database_url, redis_url = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
        try:
            address = parse_address(os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000")
            if database_url:
                check_database()
            if redis_url:
                check_redis()
            Stack(settings.DATA_DIR, address, self.say, migrate, database_url, redis_url).run()
        except EmbeddedError as error:
            raise CommandError(str(error)) from error

    def say(self, text: str) -> None:
        """Tell a person something; their terminal may be gone."""
        with suppress(OSError):
            self.stdout.write(text)
            self.stdout.flush()


def migrate(url: str) -> None:
    """Bring the tables of the database at *url* up to date."""
    place = settings.DATABASES["default"] | environ.Env.db_url_config(url)
    # Changing a long table may take longer than any request may.
    place["OPTIONS"] = place.get("OPTIONS", {}) | {"options": f"-c lock_timeout={settings.LOCK_TIMEOUT_MS}"}
    connection.settings_dict.update(place)
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except (DatabaseError, CommandError) as error:
        raise EmbeddedError(f"The tables could not be brought up to date: {error}") from error
    finally:
        connection.close()


def check_database() -> None:
    """Raise if the database that DATABASE_URL names does not answer."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        why = str(error).strip().splitlines()[0]
        raise EmbeddedError(f"The database that DATABASE_URL names does not answer: {why}") from None
    connection.close()


def check_redis() -> None:
    """Raise if the Redis that REDIS_URL names does not answer."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise EmbeddedError(f"The Redis that REDIS_URL names does not answer: {error}") from None
