"""A backup made under load comes back in an empty cluster, with the very lines of UPGRADING.md.

`make drill` runs this at length: DRILL_PEOPLE play for DRILL_SECONDS.
"""

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from callbreak_site.embedded.binaries import postgres_bindir
from callbreak_site.embedded.postgres import CARELESS, OWNER, Cluster, unprivileged_user
from tests.site.playing import Person
from tests.site.running import CHECKOUT
from tests.site.serving import HOST, House, ask, house, wait_until

pytestmark = pytest.mark.slow
PEOPLE = int(os.environ.get("DRILL_PEOPLE") or 2)
SECONDS = float(os.environ.get("DRILL_SECONDS") or 4)
LINES = re.findall(r"^docker compose exec -T (\w+) (.*)$", (CHECKOUT / "UPGRADING.md").read_text(), re.M)


@contextmanager
def empty_cluster(folder: Path) -> Iterator[Cluster]:
    """Run another PostgreSQL, with an empty database as the container makes it."""
    user = unprivileged_user()
    run = folder / "pg"
    run.mkdir(mode=0o700)
    if user:
        os.chown(run, *user)
    home = folder / "pg-home"
    home.mkdir(mode=0o711)
    cluster = Cluster(home / "data", run, postgres_bindir(home / "data"), folder / "postgres.log", user)
    cluster.create("--no-sync")
    server = cluster.start({**CARELESS, "shared_buffers": "64MB"})
    try:
        cluster.create_database()
        yield cluster
    finally:
        cluster.stop(server)


def run_line(words: str, url: str, folder: Path, **environment: str) -> str:
    """Run what a line of UPGRADING.md runs in a container, on the database at *url*."""
    command, _, file = words.partition(" < ")
    command, _, output = command.partition(" > ")
    told = psycopg.conninfo.conninfo_to_dict(url)
    env = dict(os.environ) | {"PGHOST": str(told["host"]), "PGPORT": str(told["port"])} | environment
    program, *rest = shlex.split(command)
    if program == "python":
        program = sys.executable
    else:
        program = str(postgres_bindir(folder / "none") / program)
        # The container's database is called as its user; the test's has a name of its own.
        rest = [str(told["dbname"]) if word == OWNER and rest[-1] is word else word for word in rest]
    with ExitStack() as files:
        done = subprocess.run(
            [program, *rest],
            env=env,
            cwd=CHECKOUT if program == sys.executable else folder,
            stdin=files.enter_context((folder / file).open("rb")) if file else subprocess.DEVNULL,
            stdout=files.enter_context((folder / output).open("wb")) if output else subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 0, (words, done.stderr.decode())
    return (done.stdout or b"").decode()


def started(place: House) -> None:
    place.start_web(place.web[0])
    place.workers[0].start()
    wait_until(lambda: ask(place.port, "GET", "/readyz")[0] == 200, 90, place.workers[0].log)


def old_fact(url: str) -> int:
    """Write a fact down that was news two hours ago, and return its number."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO outbox_fact (kind, subject, created_at, claimed_by, attempts, error)"
            " VALUES ('turn.started', repeat('0', 32), now() - interval '2 hours', '', 0, '') RETURNING id"
        ).fetchone()
    assert row
    return int(row[0])


def test_a_backup_made_under_load_comes_back_whole() -> None:
    dump = next(words for _, words in LINES if words.startswith("pg_dump"))
    restore = [words for _, words in LINES if not words.startswith("pg_dump")]
    assert [words.split()[0] for words in restore] == ["createdb", "pg_restore", "psql", "psql", "python"]
    with house() as before:
        started(before)
        people = [Person(before.port, HOST) for _ in range(PEOPLE)]
        for person in people:
            person.sign_up()
            person.start()
        time.sleep(SECONDS)
        fact = old_fact(before.database_url)
        acknowledged = [dict(person.versions) for person in people]
        run_line(dump, before.database_url, before.folder)
        for person in people:
            person.stop()
        assert all(versions for versions in acknowledged)
        with house() as after, empty_cluster(after.folder) as cluster:
            (before.folder / "callbreak.dump").rename(after.folder / "callbreak.dump")
            for words in restore[:-1]:
                run_line(words, cluster.url(), after.folder)
            after.database_url = cluster.url()
            verified = run_line(restore[-1], after.database_url, after.folder, DATABASE_URL=after.database_url)
            assert re.search(r"[1-9]\d* games verified, 0 with differences", verified)
            with psycopg.connect(after.database_url, autocommit=True) as connection:
                kept = dict(connection.execute("SELECT replace(id::text, '-', ''), version FROM games_game").fetchall())
                for versions in acknowledged:
                    assert all(kept[game] >= version for game, version in versions.items())
                started(after)
                for person in people:
                    person.port, person.failures = after.port, []
                    person.sign_in()
                    person.play_to_the_end()
                    person.close()
                    assert person.failures == []
                told = "SELECT error FROM outbox_fact WHERE id = %s AND handled_at IS NOT NULL"
                wait_until(lambda: connection.execute(told, [fact]).rowcount == 1, 30, after.workers[0].log)
                assert connection.execute(told, [fact]).fetchone() == ("stale",)
