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
from dataclasses import dataclass
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
WEB = "-m granian --interface wsgi --workers 2 --blocking-threads 4 --workers-kill-timeout 5 --no-ws --log-level error"
WORKER = "-m celery -A callbreak_site.celery worker --queues turns,maintenance --concurrency 2 --pool prefork"
WORKER += " --without-gossip --without-mingle --loglevel WARNING"
PRODUCT, TWIN = "callbreak_site.wsgi:application", "tests.benchmarks.twin.wsgi:application"
SECONDS_TO_START = 60
LANES = ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS")
FORGOTTEN = ("DEBUG", "CB_FAILPOINTS", "LOG_LEVEL", "CSRF_TRUSTED_ORIGINS", "DJANGO_SETTINGS_MODULE")


@dataclass(frozen=True)
class House:
    """Where the servers of one run are; what is started here ends with its `with`, and with this process."""

    folder: Path
    cluster: Cluster
    redis_url: str

    def database_url(self, database: str = "callbreak") -> str:
        """Return the address of one of the cluster's databases."""
        return self.cluster.url(database)

    def connect(self, database: str = "callbreak") -> "psycopg.Connection[tuple[object, ...]]":
        """Connect to one of the cluster's databases, each statement a transaction of its own."""
        return psycopg.connect(self.database_url(database), autocommit=True)

    def environment(self, database: str = "callbreak") -> dict[str, str]:
        """Return the environment of production, with every limit off."""
        kept = {name: value for name, value in os.environ.items() if name not in FORGOTTEN}
        return {
            **kept,
            "CALLBREAK_ENV": "production",
            "SECRET_KEY": secrets.token_urlsafe(48),
            "ALLOWED_HOSTS": "127.0.0.1",
            "CALLBREAK_DATA_DIR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
            "DATABASE_URL": self.database_url(database),
            "REDIS_URL": self.redis_url,
            **{f"THROTTLE_{lane}": "" for lane in LANES},
        }

    def make_database(self, database: str) -> None:
        """Make a database with the service's tables."""
        self.cluster.create_database(database)
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=CHECKOUT, env=self.environment(database), check=True)

    @contextmanager
    def web(self, application: str = PRODUCT, database: str = "callbreak") -> Iterator[Address]:
        """Serve *application* as the image does, and yield its address once it answers."""
        address = Address("127.0.0.1", free_port())
        where = ["--host", address.host, "--port", str(address.port), application]
        with self._running("web", [*WEB.split(), *where], database) as server:
            deadline = time.monotonic() + SECONDS_TO_START
            while not Connection.answers(address):
                self._expect(server, "web", deadline)
                time.sleep(0.05)
            yield address

    @contextmanager
    def worker(self, database: str = "callbreak") -> Iterator[None]:
        """Run what takes the bots' turns, and yield once it has been seen."""
        with self._running("worker", WORKER.split(), database) as worker, self.connect(database) as connection:
            deadline = time.monotonic() + SECONDS_TO_START
            while not connection.execute("SELECT FROM outbox_heartbeat WHERE name = 'worker'").rowcount:
                self._expect(worker, "worker", deadline)
                time.sleep(0.05)
            yield

    @contextmanager
    def _running(self, name: str, command: list[str], database: str) -> Iterator["subprocess.Popen[bytes]"]:
        log = self.folder / f"{name}.log"
        process = start([sys.executable, *command], log=log, env=self.environment(database), cwd=CHECKOUT)
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
        made = House(folder, cluster, redis.url())
        made.make_database("callbreak")
        yield made
