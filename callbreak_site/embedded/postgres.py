"""A PostgreSQL cluster of our own, on a unix socket that only its owner may enter."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from callbreak_site.embedded.binaries import major_version
from callbreak_site.embedded.processes import EmbeddedError, last_lines, start, stop

OWNER = "callbreak"
PORT = "5432"  # part of the socket's name only; nothing listens on the network
SECONDS_TO_START = 60
SECONDS_TO_STOP = 30
FIRST_WITH_LOCALE_OF_ITS_OWN = 17
# What a test cluster may do without: it never has to survive a crash.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def unprivileged_user() -> tuple[int, int] | None:
    """Return the (uid, gid) to run PostgreSQL as when we are root, which it refuses to run as; else None."""
    if os.getuid() != 0:
        return None
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedError("PostgreSQL does not run as root, and there is no user `nobody` to run it as.") from None
    return nobody.pw_uid, nobody.pw_gid


def forget_other_databases() -> None:
    """Drop from our environment what speaks of other databases: PGPORT, say, would move the server or its clients."""
    for name in [name for name in os.environ if name.startswith("PG") and name != "PG_BINDIR"]:
        del os.environ[name]


def locale_of(bindir: Path) -> list[str]:
    """Return how initdb is told to compare texts by code point, with upper and lower case of all of Unicode."""
    if int(major_version(bindir) or 0) >= FIRST_WITH_LOCALE_OF_ITS_OWN:
        return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    return ["--locale=C.UTF-8"]


@dataclass(frozen=True)
class Cluster:
    """Where one cluster keeps its rows (*pgdata*) and its socket (*run*), and who runs it."""

    pgdata: Path
    run: Path
    bindir: Path
    log: Path
    user: tuple[int, int] | None = None

    def url(self, database: str = OWNER) -> str:
        """Return the address of *database* as a DATABASE_URL, which psql understands too."""
        return f"postgres://{OWNER}@:{PORT}/{database}?host={quote(str(self.run))}"

    def create(self, *more_options: str) -> None:
        """Make the cluster, or nothing if that does not come to its end."""
        new = self.pgdata.with_name(f"{self.pgdata.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        if self.user:
            os.chown(new, *self.user)
        options = ["--encoding=UTF8", "--auth=trust", f"--username={OWNER}", *locale_of(self.bindir), *more_options]
        child = self._start(["initdb", "-D", new, *options])
        if child.wait(SECONDS_TO_START):
            raise EmbeddedError(f"PostgreSQL could not make its folder {self.pgdata}:\n{last_lines(self.log)}")
        new.rename(self.pgdata)

    def start(self, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start the server in the foreground and return it once it answers."""
        settings = {"listen_addresses": "", "unix_socket_permissions": "0700", **settings}
        program: list[str | Path] = ["postgres", "-D", self.pgdata, "-k", self.run, "-p", PORT]
        server = self._start([*program, *(part for item in settings.items() for part in ("-c", "=".join(item)))])
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.is_ready():
            if server.poll() is not None:
                raise EmbeddedError(f"PostgreSQL stopped while starting:\n{last_lines(self.log)}")
            if time.monotonic() > deadline:
                self.stop(server)
                raise EmbeddedError(f"PostgreSQL did not answer within {SECONDS_TO_START} s; see {self.log}.")
            time.sleep(0.02)
        return server

    def _start(self, program: list[str | Path]) -> subprocess.Popen[bytes]:
        name, *arguments = program
        command = [self.bindir / name, *arguments]
        return start(command, stop_signal=signal.SIGINT, user=self.user, log=self.log, cwd=Path("/"))

    def stop(self, server: subprocess.Popen[bytes]) -> bool:
        """Stop the server, cutting off its clients; return whether it stopped cleanly."""
        return stop(server, signal.SIGINT, SECONDS_TO_STOP)

    def is_ready(self) -> bool:
        """Tell whether the server takes connections."""
        asking: list[str | Path] = [
            self.bindir / "pg_isready",
            "-q",
            "-h",
            self.run,
            "-p",
            PORT,
            "-U",
            OWNER,
            "-d",
            "postgres",
        ]
        return subprocess.run(asking, check=False).returncode == 0

    def create_database(self, database: str = OWNER) -> None:
        """Make *database* if it is not there."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [database]).rowcount:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
