"""A house of one's own for each run: PostgreSQL as careful as in production, Redis, web servers, a worker."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg

from callbreak_site.embedded import servers
from callbreak_site.embedded.binaries import postgres_bindir, redis_server
from callbreak_site.embedded.postgres import Cluster, forget_other_databases, unprivileged_user
from callbreak_site.embedded.processes import last_lines, start, stop
from callbreak_site.embedded.redis import Redis
from tests.benchmarks.connection import Address, Connection
from tests.site.running import free_port

CHECKOUT = Path(__file__).resolve().parents[2]
WEB = "-m granian --interface wsgi --blocking-threads 4 --workers-kill-timeout 5 --no-ws --log-level error"
WORKER = "-m celery -A callbreak_site.celery worker --queues turns,maintenance --pool prefork"
WORKER += " --without-gossip --without-mingle --loglevel WARNING"
PRODUCT, TWIN = "callbreak_site.wsgi:application", "tests.benchmarks.twin.wsgi:application"
SECONDS_TO_START = 60
PROCESSES = 2
"""As many as the image runs, of each kind."""
LANES = ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS")
FORGOTTEN = ("DEBUG", "CB_FAILPOINTS", "LOG_LEVEL", "CSRF_TRUSTED_ORIGINS", "DJANGO_SETTINGS_MODULE")


@dataclass(frozen=True)
class House:
    """Where the servers of one run are, and its database; whatever is started ends with its `with`."""

    folder: Path
    cluster: Cluster
    redis_url: str
    database: str = "callbreak"

    @property
    def database_url(self) -> str:
        """The address of the database."""
        return self.cluster.url(self.database)

    def beside(self, database: str, *, is_ours: bool = True) -> "House":
        """Return the same house with another database of the same cluster, with the service's tables if *is_ours*."""
        self.cluster.create_database(database)
        other = replace(self, database=database)
        if is_ours:
            other.manage("migrate", "--verbosity", "0")
        return other

    def connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        """Connect to the database, each statement a transaction of its own."""
        return psycopg.connect(self.database_url, autocommit=True)

    def environment(self) -> dict[str, str]:
        """Return the environment of production, with every limit off."""
        kept = {name: value for name, value in os.environ.items() if name not in FORGOTTEN}
        return {
            **kept,
            "CALLBREAK_ENV": "production",
            "SECRET_KEY": secrets.token_urlsafe(48),
            "ALLOWED_HOSTS": "127.0.0.1",
            "CALLBREAK_DATA_DIR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            **{f"THROTTLE_{lane}": "" for lane in LANES},
        }

    def manage(self, *words: str) -> str:
        """Run one of the service's commands, and return what it tells."""
        return self.python("manage.py", *words)

    def python(self, *words: str) -> str:
        """Run our Python to its end, and return what it tells."""
        command = [sys.executable, *words]
        done = subprocess.run(
            command, cwd=CHECKOUT, env=self.environment(), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def web(self, application: str = PRODUCT, processes: int = PROCESSES) -> Iterator[Address]:
        """Serve *application* as the image does, and yield its address once it answers."""
        address = Address("127.0.0.1", free_port())
        where = ["--host", address.host, "--port", str(address.port), "--workers", str(processes), application]
        with self._running("web", [*WEB.split(), *where]) as server:
            deadline = time.monotonic() + SECONDS_TO_START
            while not Connection.answers(address):
                self._expect(server, "web", deadline)
                time.sleep(0.05)
            yield address

    @contextmanager
    def worker(self, processes: int = PROCESSES) -> Iterator[None]:
        """Run what takes the bots' turns, and yield once it has been seen."""
        command = [*WORKER.split(), "--concurrency", str(processes)]
        with self._running("worker", command) as worker, self.connect() as connection:
            connection.execute("DELETE FROM outbox_heartbeat WHERE name = 'worker'")
            deadline = time.monotonic() + SECONDS_TO_START
            while not connection.execute("SELECT FROM outbox_heartbeat WHERE name = 'worker'").rowcount:
                self._expect(worker, "worker", deadline)
                time.sleep(0.05)
            yield

    @contextmanager
    def _running(self, name: str, command: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
        log = self.folder / f"{name}.log"
        process = start([sys.executable, *command], log=log, env=self.environment(), cwd=CHECKOUT)
        try:
            yield process
        finally:
            stop(process, signal.SIGTERM, 15)

    def _expect(self, process: "subprocess.Popen[bytes]", name: str, deadline: float) -> None:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The {name} did not start:\n{last_lines(self.folder / f'{name}.log', 20)}")


@contextmanager
def house() -> Iterator[House]:
    """Start PostgreSQL (as `make run` starts it: fsync and synchronous commit on) and Redis in a private folder."""
    forget_other_databases()
    user = unprivileged_user()
    with ExitStack() as stack:
        # Sockets need a short path, and PostgreSQL's user must get in.
        folder = Path(tempfile.mkdtemp(prefix="callbreak-bench-", dir="/tmp"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o711)
        run, home = folder / "pg", folder / "home"
        run.mkdir(mode=0o700)
        home.mkdir(mode=0o711)
        if user:
            os.chown(run, *user)
        cluster = Cluster(home / "data", run, postgres_bindir(home / "data"), folder / "postgres.log", user)
        cluster.create()
        postgres = cluster.start(servers.SETTINGS)
        stack.callback(cluster.stop, postgres)
        redis = Redis(folder, folder, redis_server(), folder / "redis.log")
        process = redis.start()
        stack.callback(redis.stop, process)
        yield House(folder, cluster, redis.url()).beside("callbreak")
