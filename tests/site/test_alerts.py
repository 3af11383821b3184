"""The alerting rules, run dry by Prometheus's own promtool over what /metrics really tells."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from callbreak_site.outbox.models import Fact, Heartbeat
from games.models import Game
from tests.games.tables import four_at_a_table
from tests.site.test_health import database_is_away  # noqa: F401 (a fixture)
from tests.site.test_metrics import Samples, alone_with_a_token, samples  # noqa: F401 (a fixture)
from tests.site.tools import tool

RULES = Path(__file__).resolve().parents[2] / "docs" / "alerts.yml"


@pytest.fixture
def healthy(db: None) -> None:
    """A service on which all is well."""
    for part in ("sweep", "worker", "beat"):
        Heartbeat.objects.create(name=part)
    four_at_a_table()
    Fact.objects.update(handled_at=Now())


def ask(client: Client, times: int = 20) -> None:
    for _ in range(times):
        client.get("/api/v1/rulesets")


def firing(folder: Path, *moments: Samples, up: int = 1) -> set[str]:
    """Return which alerts fire once Prometheus has scraped each of *moments* for three minutes."""
    steps = 12
    series = [{"series": 'up{job="callbreak",instance="web"}', "values": f"{up}x{steps * len(moments)}"}]
    for name, labels in sorted({key for moment in moments for key in moment}, key=str):
        shown = ",".join(f"{label}={json.dumps(text)}" for label, text in sorted(labels))
        told = [moment.get((name, labels)) for moment in moments]
        if name.startswith("callbreak_request_seconds") and len(set(told)) == 1:
            continue  # of an address that only other tests have asked: promtool has little room
        # Its notation has no infinity.
        values = " ".join("_" * (value is None) or f"{min(value, 1e18):g}" for value in told)
        series.append({"series": f"{name}{{{shown}}}", "values": values.replace(" ", f"x{steps} ") + f"x{steps}"})
    asked = {"expr": 'ALERTS{alertstate="firing"}', "eval_time": f"{3 * len(moments)}m", "exp_samples": []}
    test = {"interval": "15s", "input_series": series, "promql_expr_test": [asked]}
    file = folder / "test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "15s", "tests": [test]}))
    done = subprocess.run([tool("promtool"), "test", "rules", file], capture_output=True, text=True, check=False)
    told = done.stdout + done.stderr
    assert "SUCCESS" in told or "got:" in told, told
    return set(re.findall(r'alertname="Callbreak(\w+)"', told))


def deadlock() -> None:
    """Let two transactions wait for each other, until PostgreSQL ends one of them."""
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    with psycopg.connect(url) as one, psycopg.connect(url) as other, ThreadPoolExecutor(1) as aside:
        one.execute("SELECT pg_advisory_xact_lock(1)")
        other.execute("SELECT pg_advisory_xact_lock(2)")
        waiting = aside.submit(one.execute, "SELECT pg_advisory_xact_lock(2)")
        with suppress(psycopg.errors.DeadlockDetected):
            other.execute("SELECT pg_advisory_xact_lock(1)")
        other.rollback()
        with suppress(psycopg.errors.DeadlockDetected):
            waiting.result()


def after_more_answers(found: Samples, number: int) -> Samples:
    """Return what would be told after so many more answers of each kind but errors."""
    name = "callbreak_request_seconds_count"
    return {key: told + number * (key[0] == name and dict(key[1])["status"] < "5") for key, told in found.items()}


def once_more_deadlocks(client: Client, before: Samples) -> Samples:
    """Return what is told once PostgreSQL has counted a deadlock, which it does a moment later."""
    key = "callbreak_deadlocks_total", frozenset[tuple[str, str]]()
    ends_at = time.monotonic() + 10
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # a test is one transaction, which sees them frozen
        after = samples(client)
        if after[key] > before[key]:
            return after
        assert time.monotonic() < ends_at
        time.sleep(0.1)


def test_the_rules_are_rules() -> None:
    done = subprocess.run([tool("promtool"), "check", "rules", RULES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("healthy")
def test_nothing_fires_while_all_is_well(client: Client, tmp_path: Path) -> None:
    before = samples(client)
    ask(client)
    assert firing(tmp_path, before, samples(client)) == set()


def overdue() -> None:
    Game.objects.update(turn_ends_at=Now() - timedelta(seconds=61))


def bots_turn() -> None:
    Game.objects.update(is_bots_turn=True, changed_at=Now() - timedelta(seconds=61))


def waiting_fact() -> None:
    Fact.objects.create(kind="turn.started", subject="x", created_at=Now() - timedelta(seconds=61))


def silent_sweep() -> None:
    Heartbeat.objects.filter(name="sweep").update(seen_at=Now() - timedelta(seconds=31))


def no_sweep_ever() -> None:
    Heartbeat.objects.all().delete()


@pytest.mark.usefixtures("healthy")
@pytest.mark.parametrize(
    ("befall", "alert"),
    [
        (overdue, "TurnOverdue"),
        (bots_turn, "BotTurnWaits"),
        (waiting_fact, "FactWaits"),
        (silent_sweep, "SweepSilent"),
        (no_sweep_ever, "SweepSilent"),
    ],
)
def test_each_rule_fires_for_what_it_watches_and_for_nothing_else(
    client: Client, tmp_path: Path, befall: Callable[[], None], alert: str
) -> None:
    befall()
    assert firing(tmp_path, samples(client)) == {alert}


@pytest.mark.usefixtures("healthy")
def test_a_clock_that_is_away_fires_after_ten_minutes(client: Client, tmp_path: Path) -> None:
    Heartbeat.objects.filter(name="beat").update(seen_at=Now() - timedelta(seconds=61))
    found = samples(client)
    assert firing(tmp_path, found) == set()
    assert firing(tmp_path, *[found] * 4) == {"ClockSilent"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("database_is_away")
def test_a_database_that_is_away_fires(client: Client, tmp_path: Path) -> None:
    assert firing(tmp_path, samples(client)) == {"DatabaseDown"}


@pytest.mark.usefixtures("healthy")
def test_a_broker_that_is_away_fires(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/redis.sock?db=0"
    assert firing(tmp_path, samples(client)) == {"BrokerDown"}


@pytest.mark.usefixtures("healthy")
def test_a_web_server_that_is_away_fires(client: Client, tmp_path: Path) -> None:
    assert firing(tmp_path, samples(client), up=0) == {"WebDown"}


@pytest.mark.usefixtures("healthy")
def test_errors_of_the_server_fire_but_refusals_do_not(client: Client, tmp_path: Path, settings: Settings) -> None:
    def fail_once() -> None:
        settings.THROTTLES = {}
        client.raise_request_exception = False
        assert client.get("/api/v1/games").status_code == 500
        settings.THROTTLES = dict.fromkeys(throttles, "")

    throttles = settings.THROTTLES
    ask(client)
    fail_once()
    before = samples(client)
    for _ in range(10):
        client.get("/api/v1/nothing")
    refused = samples(client)
    assert firing(tmp_path, before, refused) == set()
    fail_once()
    ask(client, 300)
    failed = samples(client)
    assert firing(tmp_path, refused, failed) == {"ServerErrors"}
    assert firing(tmp_path, refused, after_more_answers(failed, 2_000)) == set()


@pytest.mark.usefixtures("healthy")
def test_a_deadlock_fires(client: Client, tmp_path: Path) -> None:
    before = samples(client)
    deadlock()
    assert firing(tmp_path, before, once_more_deadlocks(client, before)) == {"Deadlock"}
