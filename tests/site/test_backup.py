"""A backup holds everything, and comes back whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from callbreak_site.embedded import backup, folders, servers
from callbreak_site.embedded.processes import EmbeddedError
from tests.site.running import data_folder, manage

pytestmark = pytest.mark.slow
KNOWN = {("games", "0001_initial")}


def silent(_: str) -> None:
    """Tell nobody."""


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """A database that could be ours, which does not run."""
    with data_folder() as folder:
        folders.make(folder)
        with folders.held(folder), running(folder) as connection:
            connection.execute("CREATE TABLE django_migrations (app text, name text)")
            connection.execute("INSERT INTO django_migrations VALUES ('games', '0001_initial')")
            connection.execute("CREATE TABLE players (name text)")
            connection.execute("INSERT INTO players VALUES ('Sita')")
        yield folder


@contextmanager
def running(data: Path) -> Iterator[psycopg.Connection]:
    cluster = servers.cluster_of(data, silent)
    server = servers.start_cluster(cluster, data, silent)
    try:
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            yield connection
    finally:
        cluster.stop(server)


def names(data: Path, *statements: str) -> list[str]:
    """Run *statements*, and return the players' names."""
    with folders.held(data), running(data) as connection:
        for statement in statements:
            connection.execute(statement)
        return [name for (name,) in connection.execute("SELECT name FROM players ORDER BY name")]


def databases(data: Path) -> set[str]:
    with folders.held(data), running(data) as connection:
        return {name for (name,) in connection.execute("SELECT datname FROM pg_database WHERE NOT datistemplate")}


def restore(data: Path, file: Path) -> Path:
    """Bring *file* back, and return where what was there before is."""
    with backup.embedded_place(data, silent) as place:
        safety_copy = data / "backups" / f"before-{file.stem}.dump"
        backup.bring_back(place, file, safety_copy, KNOWN, silent)
    return safety_copy


def test_what_was_saved_comes_back_and_so_does_what_was_there_before(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "sita.dump"
    saved = manage(data, "backup", str(file))
    assert (saved.returncode, saved.stderr) == (0, "")
    assert file.stat().st_mode & 0o777 == 0o600
    assert names(data, "UPDATE players SET name = 'Ravana'") == ["Ravana"]
    before = restore(data, file)
    assert before.stat().st_mode & 0o777 == 0o600
    assert names(data) == ["Sita"]
    restore(data, before)
    assert names(data) == ["Ravana"]
    assert databases(data) == {"callbreak", "postgres"}


def test_a_backup_without_a_name_goes_into_the_data_folder(data: Path) -> None:
    saved = manage(data, "backup")
    assert saved.returncode == 0
    (file,) = (data / "backups").glob("callbreak-*.dump")
    assert str(file) in saved.stdout
    assert file.stat().st_mode & 0o777 == 0o600
    backup.check_is_whole(file)


def test_a_backup_is_never_written_over(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.dump"
    file.write_text("kept")
    done = manage(data, "backup", str(file))
    assert (done.returncode, "exists already" in done.stderr) == (1, True)
    assert file.read_text() == "kept"


def test_a_backup_that_cannot_be_written_gets_a_sentence(data: Path, tmp_path: Path) -> None:
    done = manage(data, "backup", str(tmp_path / "missing" / "x.dump"))
    assert done.returncode == 1
    assert done.stderr.strip().endswith("cannot be written: No such file or directory.")


def test_what_is_cut_or_changed_is_not_whole(data: Path, tmp_path: Path) -> None:
    file, damaged = tmp_path / "whole.dump", tmp_path / "damaged.dump"
    with backup.embedded_place(data, silent) as place:
        backup.save(place, file, silent)
    whole = file.read_bytes()
    backup.check_is_whole(file)
    middle = len(whole) // 2
    for content in (
        b"",
        b"PGDMP nonsense",
        whole[:-1],
        whole[:-2000],
        whole[: -backup.SEAL_BYTES],
        whole + b"\n",
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ):
        damaged.write_bytes(content)
        with pytest.raises(EmbeddedError, match="is damaged or not whole"):
            backup.check_is_whole(damaged)


def test_what_cannot_be_brought_back_changes_nothing(data: Path, tmp_path: Path) -> None:
    kept = names(data, "INSERT INTO django_migrations VALUES ('games', '9999_future')")
    newer, foreign = tmp_path / "newer.dump", tmp_path / "foreign.dump"
    with backup.embedded_place(data, silent) as place:
        backup.save(place, newer, silent)
        with place.connect() as connection:
            connection.execute("DELETE FROM django_migrations WHERE name = '9999_future'")
            connection.execute("ALTER TABLE django_migrations RENAME TO others")
            backup.save(place, foreign, silent)
            connection.execute("ALTER TABLE others RENAME TO django_migrations")
    with pytest.raises(EmbeddedError, match=r"newer version of this service \(it knows games\.9999_future\)"):
        restore(data, newer)
    with pytest.raises(EmbeddedError, match="holds another program's database"):
        restore(data, foreign)
    assert names(data) == kept
    assert databases(data) == {"callbreak", "postgres"}


def test_a_database_in_use_is_not_replaced(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.dump"
    with backup.embedded_place(data, silent) as place:
        backup.save(place, file, silent)
        with place.connect(), pytest.raises(EmbeddedError, match=r"in use \(1 connections\)"):
            backup.bring_back(place, file, tmp_path / "safety.dump", KNOWN, silent)


def test_wrong_words_get_a_sentence(data: Path, tmp_path: Path) -> None:
    for file, complaint in (
        ("", "Say which backup: make restore FILE="),
        (str(tmp_path / "missing"), "There is no file"),
        (str(tmp_path), "There is no file"),
    ):
        done = manage(data, "restore", file)
        assert done.returncode == 1
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr


def test_without_a_database_there_is_nothing_to_save(tmp_path: Path) -> None:
    done = manage(tmp_path / "var", "backup")
    assert (done.returncode, "There is no database" in done.stderr) == (1, True)
