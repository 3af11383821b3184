"""A backup holds everything, and comes back whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from callbreak_site.embedded import folders, servers
from callbreak_site.embedded.processes import EmbeddedError
from tests.site.running import Running, data_folder, free_port, kill, manage

pytestmark = pytest.mark.slow
NAMES = "SELECT array_agg(username ORDER BY username) FROM players_player"


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    with data_folder() as folder:
        yield folder


def silent(_: str) -> None:
    """Tell nobody."""


def names(data: Path, *statements: str) -> list[str]:
    """Run *statements* in the database of *data*, which is not running, and return the players' names."""
    with folders.held(data):
        cluster = servers.cluster_of(data, silent)
        server = servers.start_cluster(cluster, data, silent)
        try:
            with psycopg.connect(cluster.url(), autocommit=True) as connection:
                for statement in statements:
                    connection.execute(statement)
                (found,) = connection.execute(NAMES).fetchone() or ([],)
                return list(found or [])
        finally:
            cluster.stop(server)


def test_a_backup_made_while_the_service_runs_comes_back_when_it_does_not(data: Path, tmp_path: Path) -> None:
    service = Running(data, free_port())
    try:
        service.wait_until_ready()
        service.post("/api/v1/players", {"username": "Sita", "password": "correct horse battery"})
        file = tmp_path / "callbreak.dump"
        saved = manage(data, "backup", str(file))
        assert (saved.returncode, saved.stderr) == (0, "")
        assert file.stat().st_mode & 0o777 == 0o600
        again = manage(data, "backup", str(file))
        assert (again.returncode, "exists already" in again.stderr) == (1, True)
        refused = manage(data, "restore", str(file))
        assert refused.returncode == 1
        assert "The service is running. Stop it first" in refused.stderr
        assert service.stop() == 0
    finally:
        kill(service.processes())

    assert names(data, "UPDATE players_player SET username = 'Ravana'") == ["Ravana"]
    restored = manage(data, "restore", str(file))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert names(data) == ["Sita"]
    # What was there before can be had back too.
    (before,) = (data / "backups").glob("before-restore-*.dump")
    assert manage(data, "restore", str(before)).returncode == 0
    assert names(data) == ["Ravana"]


def test_a_backup_without_a_name_goes_into_the_data_folder(data: Path) -> None:
    saved = manage(data, "backup")
    assert saved.returncode == 0
    (file,) = (data / "backups").glob("callbreak-*.dump")
    assert str(file) in saved.stdout
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_is_no_backup_changes_nothing(data: Path, tmp_path: Path) -> None:
    kept = names(data)
    nonsense = tmp_path / "nonsense.dump"
    nonsense.write_bytes(b"PGDMP nonsense")
    cut = tmp_path / "cut.dump"
    (whole, *_) = (data / "backups").glob("callbreak-*.dump")
    cut.write_bytes(whole.read_bytes()[:-20_000])
    for file, complaint in (
        ("", "Say which backup: make restore FILE="),
        (str(tmp_path / "missing"), "There is no file"),
        (str(nonsense), "is no backup"),
        (str(cut), "is damaged or not whole"),
        (str(tmp_path), "There is no file"),
    ):
        done = manage(data, "restore", file)
        assert done.returncode == 1
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr
    assert names(data) == kept


def test_a_backup_of_a_newer_version_is_refused(data: Path, tmp_path: Path) -> None:
    kept = names(data, "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_future', now())")
    newer = tmp_path / "newer.dump"
    assert manage(data, "backup", str(newer)).returncode == 0
    names(data, "DELETE FROM django_migrations WHERE name = '9999_future'")
    done = manage(data, "restore", str(newer))
    assert done.returncode == 1
    assert "made by a newer version of this service (it knows games.9999_future)" in done.stderr
    assert names(data) == kept


def test_without_a_database_there_is_nothing_to_save(tmp_path: Path) -> None:
    done = manage(tmp_path / "var", "backup")
    assert (done.returncode, "There is no database" in done.stderr) == (1, True)


def test_only_one_process_at_a_time_works_on_the_data(data: Path) -> None:
    with folders.held(data), pytest.raises(EmbeddedError, match="already runs"), folders.held(data):
        pass
