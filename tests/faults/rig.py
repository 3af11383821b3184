"""The whole service in parts that can each be killed and started alone, as production runs it, on private sockets."""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from callbreak_site.embedded import servers
from callbreak_site.embedded.binaries import redis_server
from callbreak_site.embedded.orphans import end_server
from callbreak_site.embedded.processes import start
from callbreak_site.embedded.redis import Redis
from callbreak_site.embedded.stack import CLOCK, WEB, WORKER
from tests.faults.parts import Part
from tests.services import ENVIRONMENT, new_cluster, temporary_folder
from tests.site.running import CHECKOUT, free_port

SECONDS_TO_BE_READY = 90
WEB_POINTS = "move.before_lock move.after_lock move.before_commit move.after_commit web.before_response".split()
KICK_POINTS = ["outbox.before_kick"]
WORKER_POINTS = """
    move.before_lock move.after_lock move.before_commit move.after_commit
    outbox.after_claim outbox.after_send bot.in_think bot.before_submit
""".split()


class Rig:
    """PostgreSQL, Redis, two web processes, workers and the clock; all of it ends with the process that made it."""

    def __init__(self, folder: Path, *, workers: int = 1, action: str = "exit") -> None:
        """Take an empty *folder*; *action* is what an armed failpoint does."""
        self.folder, self.port, self._action = folder, free_port(), action
        for name in ("logs", "redis", "armed/web", "armed/worker"):
            (folder / name).mkdir(parents=True)
        self.cluster = new_cluster(folder)
        self.redis = Redis(folder / "redis", folder, redis_server(), folder / "logs" / "redis.log")
        self.database = Part("database", self._begin_database, self.cluster.log, servers.FAST_SHUTDOWN, 30)
        self.broker = Part("Redis", self._begin_redis, self.redis.log)
        self.web = self.program("web", WEB, "--host", "127.0.0.1", "--port", str(self.port))
        self.workers = [self.program(f"worker{number}", WORKER, "-n", f"w{number}@rig") for number in range(workers)]
        self.clock = self.program("clock", CLOCK, str(folder / "schedule"))

    @property
    def parts(self) -> list[Part]:
        """Every part, in the order of starting."""
        return [self.database, self.broker, self.web, *self.workers, self.clock]

    def start(self) -> None:
        """Start everything for the first time."""
        self.database.start()
        self.cluster.create_database()
        self.broker.start()
        self.manage("migrate", "--verbosity", "0")
        self.revive()
        self.wait_until_ready()

    def revive(self) -> list[str]:
        """Start every part that is not running; return their names."""
        dead = [part for part in self.parts if not part.is_running]
        for part in dead:
            part.kill()  # its children may have outlived it
            part.start()
        return [part.name for part in dead]

    def tend_web(self) -> None:
        """Start the web server again if granian has given up, as it does after two crashes in five seconds."""
        if self.web.process and not self.web.is_running:
            self.web.kill()
            self.web.start()

    def kill_everything(self) -> None:
        """End every process at once, servers included."""
        for part in reversed(self.parts):
            part.kill()

    def wait_until_ready(self, seconds: float = SECONDS_TO_BE_READY) -> None:
        """Wait until /readyz finds nothing missing."""
        wait_until(self.is_ready, seconds, self.last_words)

    def is_ready(self) -> bool:
        """Tell whether all parts are there, as the service sees it."""
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=3) as answer:
            return bool(answer.status == 200)
        return False

    def last_words(self) -> str:
        """Return the ends of all logs."""
        return "\n".join(part.last_words() for part in self.parts)

    def arm(self, program: str, point: str) -> Path:
        """Let the next process of *program* (web or worker) that comes to *point* fail there; its file is then gone."""
        file = self.folder / "armed" / program / point
        file.touch()
        return file

    def disarm(self) -> None:
        """Let nothing fail that has not failed yet."""
        for file in (self.folder / "armed").glob("*/*"):
            file.unlink(missing_ok=True)

    def ask(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows that *statement* finds, asked over a connection of our own."""
        with psycopg.connect(self.cluster.url(), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def manage(self, *words: str) -> str:
        """Run one command of manage.py beside the service, and return what it said."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=CHECKOUT,
            env=self._environment("manage"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=1200,
        )
        if done.returncode:
            raise AssertionError(f"{' '.join(words)}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def program(self, name: str, command: str, *more: str, **environment: str) -> Part:
        """Return one program of ours, which has not been started."""
        log = self.folder / "logs" / f"{name}.log"
        program = [sys.executable, *command.split(), *more]
        environment = self._environment(name) | environment
        begin = lambda: start(program, log=log, env=environment, cwd=CHECKOUT)  # noqa: E731
        return Part(name, begin, log, seconds_to_stop=15)

    def _begin_database(self) -> subprocess.Popen[bytes]:
        end_server(self.cluster.pgdata / "postmaster.pid", "postgres", servers.FAST_SHUTDOWN)
        return self.cluster.start(servers.SETTINGS)

    def _begin_redis(self) -> subprocess.Popen[bytes]:
        return servers.start_redis(self.redis)

    def _environment(self, name: str) -> dict[str, str]:
        program = "web" if name == "web" else "worker"
        armed = self.folder / "armed" / program
        points = [*WEB_POINTS, *KICK_POINTS] if program == "web" else WORKER_POINTS
        return {
            **os.environ,
            **ENVIRONMENT,
            "DATABASE_URL": self.cluster.url(),
            "REDIS_URL": self.redis.url(),
            "CB_FAILPOINTS": ",".join(f"{point}={self._action}@once:{armed / point}" for point in points),
        }


@contextmanager
def running(*, workers: int = 1) -> Iterator[Rig]:
    """Run a service of our own in a folder of its own; nothing is left of it after the block."""
    with temporary_folder() as folder:
        rig = Rig(folder, workers=workers)
        try:
            rig.start()
            yield rig
        finally:
            rig.kill_everything()


def wait_until(is_so: Callable[[], bool], seconds: float, last_words: Callable[[], str] = str) -> float:
    """Wait until *is_so*, and return how long that took; fail after *seconds* with the last words."""
    began = time.monotonic()
    while not is_so():
        waited = time.monotonic() - began
        assert waited < seconds, f"not within {seconds} s\n{last_words()}"
        time.sleep(0.05)
    return time.monotonic() - began


def forget_messages(rig: Rig) -> None:
    """Let Redis, which must not be running, come back empty."""
    shutil.rmtree(rig.folder / "redis", ignore_errors=True)
    (rig.folder / "redis").mkdir()
