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

from callbreak_site.embedded.processes import EmbeddedError, last_lines, start, stop

OWNER = "callbreak"
SECONDS_TO_START = 60
SECONDS_TO_STOP = 30
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
        return f"postgres://{OWNER}@/{database}?host={quote(str(self.run))}"

    def create(self, *more_options: str) -> None:
        """Make the cluster, or nothing if that does not come to its end."""
        new = self.pgdata.with_name(f"{self.pgdata.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        if self.user:
            os.chown(new, *self.user)
        options = ["--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", f"--username={OWNER}", *more_options]
        child = start([self.bindir / "initdb", "-D", new, *options], user=self.user, log=self.log, cwd=Path("/"))
        if child.wait(SECONDS_TO_START):
            raise EmbeddedError(f"PostgreSQL could not make its folder {self.pgdata}:\n{last_lines(self.log)}")
        new.rename(self.pgdata)

    def start(self, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start the server in the foreground and return it once it answers."""
        settings = {"listen_addresses": "", "unix_socket_permissions": "0700", **settings}
        program: list[str | Path] = [self.bindir / "postgres", "-D", self.pgdata, "-k", self.run]
        program += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        server = start(program, stop_signal=signal.SIGINT, user=self.user, log=self.log, cwd=Path("/"))
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.is_ready():
            if server.poll() is not None:
                raise EmbeddedError(f"PostgreSQL stopped while starting:\n{last_lines(self.log)}")
            if time.monotonic() > deadline:
                self.stop(server)
                raise EmbeddedError(f"PostgreSQL did not answer within {SECONDS_TO_START} s; see {self.log}.")
            time.sleep(0.02)
        return server

    def stop(self, server: subprocess.Popen[bytes]) -> bool:
        """Stop the server, cutting off its clients; return whether it stopped cleanly."""
        return stop(server, signal.SIGINT, SECONDS_TO_STOP)

    def is_ready(self) -> bool:
        """Tell whether the server takes connections."""
        asking: list[str | Path] = [self.bindir / "pg_isready", "-q", "-h", self.run, "-U", OWNER, "-d", "postgres"]
        return subprocess.run(asking, check=False).returncode == 0

    def create_database(self, database: str = OWNER) -> None:
        """Make *database* if it is not there."""
        psql: list[str | Path] = [
            self.bindir / "psql",
            "-X",
            "-q",
            "-A",
            "-t",
            "-h",
            self.run,
            "-U",
            OWNER,
            "-d",
            "postgres",
            "-c",
        ]
        there = f"SELECT 1 FROM pg_database WHERE datname = '{database}'"  # noqa: S608
        if not subprocess.run([*psql, there], check=True, capture_output=True, text=True).stdout.strip():
            subprocess.run([*psql, f'CREATE DATABASE "{database}"'], check=True, capture_output=True)
