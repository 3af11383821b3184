"""Real Celery workers on the database and the Redis of the test, to be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection
from django.db.models.functions import Now

from callbreak_site.embedded.binaries import redis_server
from callbreak_site.embedded.processes import kill_session, last_lines, start, stop
from callbreak_site.embedded.redis import Redis
from callbreak_site.outbox.models import Heartbeat

COMMAND = "-m celery -A tests.bots.worker worker --queues turns,maintenance --concurrency 2 --pool prefork"
COMMAND += " --without-gossip --without-mingle --loglevel WARNING"
CHECKOUT = Path(__file__).resolve().parent.parent.parent


class Worker:
    """One worker and its children."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log

    def children(self) -> list[int]:
        """Return the processes that run the tasks."""
        return [
            int(pid)
            for thread in Path(f"/proc/{self.process.pid}/task").iterdir()
            for pid in (thread / "children").read_text().split()
        ]

    def kill_children(self) -> None:
        """Kill what runs the tasks; the worker starts others."""
        for pid in self.children():
            os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill it and all its children at once."""
        kill_session(self.process.pid)
        self.process.wait()


class Broker:
    """A Redis of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.server = Redis(folder, folder, redis_server(), folder / "redis.log")
        self.process = self.server.start(keeps_data=False)

    def kill(self) -> None:
        """Kill it, with all that it knows."""
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()

    def start(self) -> None:
        """Start an empty one in its place."""
        self.process = self.server.start(keeps_data=False)

    def freeze(self) -> None:
        """Let it answer nobody."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def worker(folder: Path, *, dawdle: float = 0.0, redis_url: str = "") -> Iterator[Worker]:
    """Run a worker, without a clock beside it, until the block is left."""
    log = folder / "worker.log"
    database = connection.settings_dict["NAME"]
    environment = {
        **os.environ,
        "DATABASE_URL": urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl(),
        "BOTS_DAWDLE": str(dawdle),
    }
    if redis_url:
        environment["REDIS_URL"] = redis_url
    Heartbeat.objects.all().delete()
    process = start([sys.executable, *COMMAND.split()], log=log, env=environment, cwd=CHECKOUT)
    made = Worker(process, log)
    try:
        wait_until(lambda: Heartbeat.objects.filter(name="sweep", seen_at__lte=Now()).exists(), 60, made)
        yield made
    finally:
        stop(process, signal.SIGTERM, 15)
        kill_session(process.pid)


def wait_until(is_so: Callable[[], bool], seconds: float, worker: Worker) -> float:
    """Wait until *is_so*, and return how long that took; fail after *seconds* with what the worker said last."""
    began = time.monotonic()
    while not is_so():
        waited = time.monotonic() - began
        assert waited < seconds, f"not within {seconds} s\n{last_lines(worker.log, 300)}"
        time.sleep(0.02)
    return time.monotonic() - began
