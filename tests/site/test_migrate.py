"""However many processes migrate at once, one works and the others wait."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from callbreak_site.health import migrations_of_this_code
from callbreak_site.management.commands.migrate import MIGRATE_LOCK
from tests.site.databases import empty_database
from tests.site.running import CHECKOUT

pytestmark = pytest.mark.slow
WAITS = "Others are bringing the tables up to date"


@pytest.fixture
def url() -> Iterator[str]:
    with empty_database() as found:
        yield found


def migrate(url: str, data: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "migrate", "--noinput", "--no-color"],
        cwd=CHECKOUT,
        env=os.environ | {"DATABASE_URL": url, "CALLBREAK_DATA_DIR": str(data)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def outcome(process: subprocess.Popen[str]) -> str:
    told, _ = process.communicate(timeout=120)
    assert process.returncode == 0, told
    return told


def is_up_to_date(url: str) -> bool:
    """Tell whether all migrations of this code are applied, with the tables of the last."""
    with psycopg.connect(url) as connection:
        applied = set(connection.execute("SELECT app, name FROM django_migrations").fetchall())
        tables = connection.execute("SELECT FROM pg_class WHERE relname IN ('games_game', 'bots_claim')").rowcount
    return applied == migrations_of_this_code() and tables == 2


def test_of_five_one_works_and_the_others_wait(url: str, tmp_path: Path) -> None:
    told = [outcome(process) for process in [migrate(url, tmp_path) for _ in range(5)]]
    assert sum("Applying games.0001_initial... OK" in text for text in told) == 1
    assert sum("No migrations to apply." in text for text in told) == 4
    assert sum(WAITS in text for text in told) >= 1
    assert is_up_to_date(url)


def test_who_waits_goes_on_when_the_first_is_killed(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url, autocommit=True) as first:
        first.execute("SELECT pg_advisory_lock(%s)", [MIGRATE_LOCK])
        # Longer than a request may wait for a lock, or for a statement.
        process = migrate(url, tmp_path, DB_LOCK_TIMEOUT_MS="200", DB_STATEMENT_TIMEOUT_MS="200")
        assert process.stdout
        assert WAITS in process.stdout.readline()
        time.sleep(1)
        assert process.poll() is None
    assert "Applying games.0001_initial... OK" in outcome(process)


def test_who_waits_does_not_hold_up_an_index_that_the_first_makes_beside_running_transactions(
    url: str, tmp_path: Path
) -> None:
    with psycopg.connect(url, autocommit=True) as first:
        first.execute("SELECT pg_advisory_lock(%s)", [MIGRATE_LOCK])
        first.execute("CREATE TABLE numbers (number int)")
        process = migrate(url, tmp_path)
        assert process.stdout
        assert WAITS in process.stdout.readline()
        first.execute("CREATE INDEX CONCURRENTLY ON numbers (number)")
    assert "Applying games.0001_initial... OK" in outcome(process)


def test_a_migration_killed_halfway_leaves_nothing_half_done(url: str, tmp_path: Path) -> None:
    process = migrate(url, tmp_path)
    assert process.stdout
    for line in process.stdout:
        if "Applying players.0001_initial... OK" in line or "Applying games.0001_initial" in line:
            break
    process.kill()
    process.communicate()
    assert "OK" in outcome(migrate(url, tmp_path))
    assert is_up_to_date(url)


def test_a_migration_does_not_wait_long_for_a_table_in_use(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url, autocommit=True) as user:
        user.execute("CREATE TABLE django_migrations (app text, name text)")
        with user.transaction():
            user.execute("LOCK TABLE django_migrations IN ACCESS EXCLUSIVE MODE")
            process = migrate(url, tmp_path, DB_LOCK_TIMEOUT_MS="200")
            told, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "lock timeout" in told
