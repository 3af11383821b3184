"""/healthz says that the process answers, /readyz what is missing."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from callbreak_site.outbox.models import Heartbeat

OK = {"database": "ok", "migrations": "ok", "broker": "ok", "worker": "ok"}


def ready(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/readyz")
    answer = json.loads(response.content)
    assert answer["status"] == ("ready" if response.status_code == 200 else "not ready")
    assert response.headers["Cache-Control"] == "no-store"
    return response.status_code, answer["parts"]


@pytest.fixture
def worker(db: None) -> Heartbeat:
    return Heartbeat.objects.create(name="worker")


@pytest.fixture
def database_is_away() -> Iterator[None]:
    host = connection.settings_dict["HOST"], connection.settings_dict["OPTIONS"].pop("host", None)
    connection.close()
    connection.settings_dict["HOST"] = "/nonexistent"
    yield
    connection.close()
    connection.settings_dict["HOST"] = host[0]
    if host[1]:
        connection.settings_dict["OPTIONS"]["host"] = host[1]


def test_it_is_alive(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, json.loads(response.content)) == (200, {"status": "alive"})


def test_it_is_ready_when_everything_is_there(client: Client, worker: Heartbeat) -> None:
    assert ready(client) == (200, OK)


def test_it_is_not_ready_without_a_worker(client: Client, db: None) -> None:
    assert ready(client) == (503, OK | {"worker": "missing"})


def test_it_is_not_ready_when_the_worker_has_been_silent_for_half_a_minute(client: Client, worker: Heartbeat) -> None:
    Heartbeat.objects.update(seen_at=Now() - timedelta(seconds=29))
    assert ready(client) == (200, OK)
    Heartbeat.objects.update(seen_at=Now() - timedelta(seconds=31))
    assert ready(client) == (503, OK | {"worker": "missing"})


def test_a_sweep_by_the_clock_is_no_worker(client: Client, worker: Heartbeat) -> None:
    Heartbeat.objects.update(name="beat")
    assert ready(client) == (503, OK | {"worker": "missing"})


def test_it_is_not_ready_while_a_migration_is_missing(client: Client, worker: Heartbeat) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'outbox'")
    assert ready(client) == (503, OK | {"migrations": "missing"})


def test_it_is_not_ready_without_a_broker(
    client: Client, worker: Heartbeat, settings: Settings, tmp_path: Path
) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/redis.sock?db=0"
    assert ready(client) == (503, OK | {"broker": "missing"})


@pytest.mark.django_db(transaction=True)
def test_it_is_alive_but_not_ready_without_a_database(client: Client, database_is_away: None) -> None:
    assert client.get("/healthz").status_code == 200
    assert ready(client) == (503, {"database": "missing", "migrations": "missing", "broker": "ok", "worker": "missing"})


def test_health_is_asked_with_get_or_head_only(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
    assert client.delete("/readyz").status_code == 405
    assert client.head("/healthz").status_code == 200
