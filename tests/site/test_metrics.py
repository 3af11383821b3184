"""What operators watch is right, costs no secrets, and is for them alone."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from callbreak_site.metrics.sharing import VARIABLE
from callbreak_site.outbox.models import Fact, Heartbeat
from games.models import Game
from tests.games.tables import four_at_a_table
from tests.site.test_health import database_is_away  # noqa: F401 (a fixture)

TOKEN = "a-token-of-the-operators"
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(autouse=True)
def alone_with_a_token(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count for this process alone, also where something has imported the web server's own module."""
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.delenv(VARIABLE, raising=False)


def scraped(client: Client) -> str:
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    return response.content.decode()


def samples(client: Client) -> Samples:
    families = text_string_to_metric_families(scraped(client))
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0)


@pytest.mark.parametrize("brought", [None, "Bearer ", "Bearer wrong", TOKEN, f"Basic {TOKEN}"])
def test_who_does_not_bring_the_token_finds_nothing(client: Client, db: None, brought: str | None) -> None:
    headers = {"Authorization": brought} if brought else {}
    assert client.get("/metrics", headers=headers).status_code == 404


def test_without_a_token_in_the_settings_nobody_finds_anything(client: Client, db: None, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    for brought in ("", "Bearer ", "Bearer"):
        assert client.get("/metrics", headers={"Authorization": brought}).status_code == 404


def test_requests_and_refusals_are_counted(client: Client, db: None) -> None:
    asked = {"method": "GET", "route": "api/v1/games/<id:game_id>", "status": "401"}
    before = samples(client)
    for _ in range(3):
        client.get(f"/api/v1/games/{'a' * 32}")
    client.get("/healthz")
    after = samples(client)

    def more(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert more("callbreak_request_seconds_count", **asked) == 3
    assert more("callbreak_request_seconds_bucket", le="+Inf", **asked) == 3
    assert more("callbreak_refusals_total", code="not_authenticated") == 3
    assert not [labels for name, labels in after if ("route", "healthz") in labels or ("route", "metrics") in labels]


def test_no_label_is_what_a_request_made_up(client: Client, db: None) -> None:
    secret = "cb-made-up-by-a-stranger"
    client.generic(secret.upper(), f"/api/v1/games/{secret}", headers={"X": secret})
    client.get(f"/{secret}?{secret}")
    client.post(f"/api/v1/players/{secret}/stats", json.dumps({secret: secret}), content_type="application/json")
    text = scraped(client)
    assert secret not in text.lower()
    assert 'method="other"' in text
    assert 'route="none"' in text


def test_late_turns_waiting_facts_and_silent_parts_are_told(client: Client, db: None) -> None:
    Heartbeat.objects.create(name="sweep", seen_at=Now() - timedelta(seconds=40))
    Fact.objects.create(kind="turn.started", subject="x", created_at=Now() - timedelta(seconds=70))
    Fact.objects.create(kind="turn.started", subject="x", handled_at=Now(), created_at=Now() - timedelta(days=1))
    (late, _), (waiting, _) = four_at_a_table(), four_at_a_table()
    Game.objects.filter(id=late.id).update(turn_ends_at=Now() - timedelta(seconds=80), is_bots_turn=False)
    Game.objects.filter(id=waiting.id).update(changed_at=Now() - timedelta(seconds=90), is_bots_turn=True)
    found = samples(client)
    assert value(found, "callbreak_overdue_turns") == value(found, "callbreak_waiting_bot_turns") == 1
    assert value(found, "callbreak_unhandled_facts") >= 1
    for name, age in (
        ("callbreak_oldest_overdue_turn_seconds", 80),
        ("callbreak_oldest_waiting_bot_turn_seconds", 90),
        ("callbreak_oldest_unhandled_fact_seconds", 70),
    ):
        assert age <= value(found, name) < age + 5
    assert 40 <= value(found, "callbreak_heartbeat_age_seconds", part="sweep") < 45
    assert value(found, "callbreak_heartbeat_age_seconds", part="worker") == float("inf")
    assert value(found, "callbreak_database_up") == value(found, "callbreak_broker_up") == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("database_is_away")
def test_without_a_database_the_rest_is_told(client: Client) -> None:
    found = samples(client)
    assert value(found, "callbreak_database_up") == 0
    assert value(found, "callbreak_broker_up") == 1
    assert ("callbreak_overdue_turns", frozenset()) not in found


def test_without_a_broker_the_rest_is_told(client: Client, db: None, settings: Settings, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/redis.sock?db=0"
    found = samples(client)
    assert (value(found, "callbreak_broker_up"), value(found, "callbreak_database_up")) == (0, 1)


def test_a_slow_database_does_not_hold_the_reading_up(client: Client, db: None, settings: Settings) -> None:
    settings.READINGS_OF_ROWS = ["tests.site.slow.nap"]
    assert value(samples(client), "callbreak_database_up") == 0
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("10s",)


COUNT = """
import sys
from pathlib import Path
from callbreak_site.metrics.sharing import share_counts
share_counts(Path(sys.argv[1]))
import django; django.setup()
from callbreak_site.errors import Code
from callbreak_site.metrics.counters import count_refusal
for _ in range(int(sys.argv[2])):
    count_refusal(Code.INVALID)
from callbreak_site.metrics.views import registry
print(registry().get_sample_value("callbreak_refusals_total", {"code": "invalid"}))
"""


@pytest.mark.slow
def test_any_process_tells_the_sum_of_all_and_what_the_dead_have_counted(tmp_path: Path) -> None:
    dead = tmp_path / "counts" / "999999999"
    dead.mkdir(parents=True)
    told = [
        subprocess.run(
            [sys.executable, "-c", COUNT, tmp_path, str(n)], capture_output=True, text=True, check=True
        ).stdout.strip()
        for n in (3, 4)
    ]
    assert told == ["3.0", "7.0"]
    assert not dead.exists()
