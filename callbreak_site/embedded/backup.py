"""Copies of the database: made while it runs or not, brought back while nothing uses it."""

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from psycopg import sql

from callbreak_site.embedded import binaries, folders, servers
from callbreak_site.embedded.postgres import OWNER, PORT, forget_other_databases
from callbreak_site.embedded.processes import EmbeddedError

Say = Callable[[str], None]
RESTORING = "callbreak_restoring"
REPLACED = "callbreak_replaced"
# Ends every backup: pg_restore does not look beyond its own end, and takes a file that was cut off for a smaller one.
SEAL = b"\ncallbreak-backup/1 sha256=%s\n"
SEAL_BYTES = len(SEAL % bytes(64))
BLOCK_BYTES = 1_048_576
# Any server has it; one can't rename the database one is connected to.
NEUTRAL = "postgres"


@dataclass(frozen=True)
class Place:
    """A database that answers, as libpq's settings in the environment name it."""

    host: str
    database: str = OWNER
    user: str = OWNER
    password: str = ""
    port: str = PORT
    sslmode: str = ""

    def environ(self) -> dict[str, str]:
        """Return an environment for PostgreSQL's programs; a password on their command line could be seen by others."""
        told = {
            "PGHOST": self.host,
            "PGPORT": self.port,
            "PGUSER": self.user,
            "PGPASSWORD": self.password,
            "PGDATABASE": self.database,
            "PGSSLMODE": self.sslmode,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return kept | {name: value for name, value in told.items() if value}

    def connect(self, database: str = "") -> psycopg.Connection:
        """Connect to this database, or to another one on the same server."""
        told = {"port": self.port, "password": self.password, "sslmode": self.sslmode}
        return psycopg.connect(
            host=self.host or None,
            dbname=database or self.database,
            user=self.user or None,
            autocommit=True,
            connect_timeout=5,
            **{name: value for name, value in told.items() if value},  # type: ignore[arg-type]
        )

    def programs(self) -> Path:
        """Return the folder of PostgreSQL's programs of this server's version."""
        with self.connect() as connection:
            return binaries.programs_for(str(connection.info.server_version // 10_000))


@contextmanager
def embedded_place(data: Path, say: Say) -> Iterator[Place]:
    """Start the embedded PostgreSQL of *data* for a while; raises if a running service holds it."""
    forget_other_databases()
    folders.make(data)
    if not (data / "postgres").exists():
        raise EmbeddedError(f"There is no database in {data} yet; `make run` makes it.")
    with folders.held(data):
        cluster = servers.cluster_of(data, say)
        server = servers.start_cluster(cluster, data, say)
        try:
            yield Place(str(cluster.run))
        finally:
            cluster.stop(server)


def save(place: Place, file: Path, say: Say) -> None:
    """Write the database to *file*, whole or not at all, readable by its owner only."""
    if file.exists():
        raise EmbeddedError(f"{file} exists already; choose another name.")
    say("Saving the database …")
    partial = file.with_name(f"{file.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "r+b") as output:
            _run([place.programs() / "pg_dump", "--format=custom"], place, stdout=output)
            output.seek(0)
            seal = SEAL % hashlib.file_digest(output, "sha256").hexdigest().encode()
            output.seek(0, os.SEEK_END)
            output.write(seal)
            output.flush()
            os.fsync(output.fileno())
        partial.replace(file)
    except OSError as error:
        raise EmbeddedError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        partial.unlink(missing_ok=True)
    say(f"Saved in {file} ({file.stat().st_size:,} bytes, readable by you only).")


def bring_back(place: Place, file: Path, safety_copy: Path, known: Set[tuple[str, str]], say: Say) -> None:
    """Replace the database by what *file* holds; until that is complete, nothing has changed.

    What is there now goes to *safety_copy* first. *known* are the migrations (app, name) of this code.
    """
    programs = place.programs()
    check_is_whole(file)
    with place.connect(NEUTRAL) as neutral:
        _check_unused(neutral, place.database)
        save(place, safety_copy, say)
        _drop(neutral, RESTORING)
        neutral.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(RESTORING)))
        try:
            say(f"Bringing {file} back …")
            options = [
                "--exit-on-error",
                "--single-transaction",
                "--no-owner",
                "--no-privileges",
                f"--dbname={RESTORING}",
            ]
            _run([programs / "pg_restore", *options, file], place)
            _check_is_ours(replace(place, database=RESTORING), file, known)
            _drop(neutral, REPLACED)
            _swap(neutral, place.database)
        finally:
            _drop(neutral, RESTORING)
        _drop(neutral, REPLACED)
    say(f"Done: the database is as {file} has it. What was there before is in {safety_copy}.")


def file_name(now: datetime | None = None, prefix: str = "callbreak") -> str:
    """Return the name of a new backup.

    >>> file_name(datetime(2026, 11, 30, 8, 5, tzinfo=UTC))
    'callbreak-20261130-080500.dump'
    """
    return f"{prefix}-{now or datetime.now(UTC):%Y%m%d-%H%M%S}.dump"


def check_is_whole(file: Path) -> None:
    """Raise unless *file* has its seal, and is what was sealed."""
    if not file.is_file():
        raise EmbeddedError(f"There is no file {file}.")
    try:
        with file.open("rb") as input_:
            seal = os.pread(input_.fileno(), SEAL_BYTES, max(file.stat().st_size - SEAL_BYTES, 0))
            digest = hashlib.sha256()
            left = file.stat().st_size - SEAL_BYTES
            while left > 0 and (block := input_.read(min(left, BLOCK_BYTES))):
                digest.update(block)
                left -= len(block)
    except OSError as error:
        raise EmbeddedError(f"{file} cannot be read: {error.strerror}.") from None
    if seal != SEAL % digest.hexdigest().encode():
        raise EmbeddedError(f"{file} is no backup made by `make backup`, or it is damaged or not whole.")


def _check_unused(neutral: psycopg.Connection, database: str) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
    (users,) = neutral.execute(query, [database]).fetchone() or (0,)
    if users:
        raise EmbeddedError(f"The database is in use ({users} connections). Stop the service first.")


def _check_is_ours(restored: Place, file: Path, known: Set[tuple[str, str]]) -> None:
    try:
        with restored.connect() as connection:
            applied = set(connection.execute("SELECT app, name FROM django_migrations").fetchall())
    except psycopg.errors.UndefinedTable:
        raise EmbeddedError(f"{file} holds another program's database.") from None
    if unknown := sorted(f"{app}.{name}" for app, name in applied - known):
        raise EmbeddedError(
            f"{file} was made by a newer version of this service (it knows {unknown[0]}); upgrade first."
        )


def _swap(neutral: psycopg.Connection, database: str) -> None:
    """Put the restored database in the place of *database*, in one step."""
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    with neutral.transaction():
        neutral.execute(rename.format(sql.Identifier(database), sql.Identifier(REPLACED)))
        neutral.execute(rename.format(sql.Identifier(RESTORING), sql.Identifier(database)))


def _drop(neutral: psycopg.Connection, database: str) -> None:
    neutral.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(database)))


def _run(command: list[str | Path], place: Place, stdout: object = subprocess.DEVNULL) -> None:
    done = subprocess.run(command, env=place.environ(), stdout=stdout, stderr=subprocess.PIPE, check=False)  # type: ignore[call-overload]
    if done.returncode:
        raise EmbeddedError(f"{Path(command[0]).name} failed: {done.stderr.decode(errors='replace').strip()}")
