"""Is the process alive, and is everything there that it needs?"""

from collections.abc import Callable
from datetime import timedelta

import redis
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now
from django.http import HttpRequest, JsonResponse

SECONDS_TO_WAIT = 1


def healthz(request: HttpRequest) -> JsonResponse:
    """Say that this process answers."""
    return JsonResponse({"status": "alive"})


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
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False


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
    heartbeat = apps.get_model("outbox", "Heartbeat")
    lately = Now() - timedelta(seconds=settings.WORKER_SILENT_AFTER_SECONDS)
    try:
        return bool(heartbeat.objects.filter(seen_at__gte=lately).exists())
    except DatabaseError:
        return False


PARTS: dict[str, Callable[[], bool]] = {
    "database": is_database_there,
    "migrations": is_migrated,
    "broker": is_broker_there,
    "worker": is_worker_there,
}
