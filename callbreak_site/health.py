"""Is the process alive, and is everything there that it needs?"""

from collections.abc import Callable
from datetime import timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from callbreak_site.outbox.models import Heartbeat

SECONDS_TO_WAIT = 1


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that this process answers."""
    return JsonResponse({"status": "alive"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether the database, its migrations, the broker and a worker are there; 503 if one is missing."""
    parts = {name: check() for name, check in PARTS.items()}
    is_ready = all(parts.values())
    answer = {
        "status": "ready" if is_ready else "not ready",
        "parts": {k: "ok" if v else "missing" for k, v in parts.items()},
    }
    return JsonResponse(answer, status=200 if is_ready else 503, headers={"Cache-Control": "no-store"})


def is_database_there() -> bool:
    """Tell whether PostgreSQL answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def is_migrated() -> bool:
    """Tell whether every migration of this code has been applied."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return False
    return migrations_of_this_code() <= applied


@cache
def migrations_of_this_code() -> frozenset[tuple[str, str]]:
    """Return (app, name) of every migration that this process came with."""
    return frozenset(MigrationLoader(None).disk_migrations or {})


def is_broker_there() -> bool:
    """Tell whether Redis answers."""
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=SECONDS_TO_WAIT, socket_connect_timeout=SECONDS_TO_WAIT
        ) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def is_worker_there() -> bool:
    """Tell whether a worker has been seen lately, by the database clock."""
    lately = Now() - timedelta(seconds=settings.WORKER_SILENT_AFTER_SECONDS)
    try:
        return Heartbeat.objects.filter(name="worker", seen_at__gte=lately).exists()
    except DatabaseError:
        return False


PARTS: dict[str, Callable[[], bool]] = {
    "database": is_database_there,
    "migrations": is_migrated,
    "broker": is_broker_there,
    "worker": is_worker_there,
}
