"""Ways to hurt a running service, one at random at a time."""

import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import psycopg

from tests.faults.parts import signal_all
from tests.faults.rig import KICK_POINTS, WEB_POINTS, WORKER_POINTS, Rig, forget_messages

BACKENDS = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


def kill_web_process(rig: Rig, rng: Random) -> None:
    """Kill one of the processes that answer requests; granian starts another."""
    signal_all(signal.SIGKILL, rng.sample(processes := rig.web.children(), min(1, len(processes))))


def kill_web(rig: Rig, _: Random) -> None:
    """Kill the whole web server."""
    rig.web.kill()


def kill_worker_process(rig: Rig, rng: Random) -> None:
    """Kill one of the processes that run tasks; its worker starts another."""
    processes = rng.choice(rig.workers).children()
    signal_all(signal.SIGKILL, rng.sample(processes, min(1, len(processes))))


def kill_worker(rig: Rig, rng: Random) -> None:
    """Kill a worker with all its processes."""
    rng.choice(rig.workers).kill()


def kill_clock(rig: Rig, _: Random) -> None:
    """Kill beat."""
    rig.clock.kill()


def kill_redis(rig: Rig, rng: Random) -> None:
    """Kill Redis; every other time it comes back empty."""
    rig.broker.kill()
    if rng.random() < 0.5:
        forget_messages(rig)


def kill_backend(rig: Rig, rng: Random) -> None:
    """Kill one process of PostgreSQL that serves a client: PostgreSQL then ends all of them and recovers."""
    with suppress(psycopg.Error):
        signal_all(signal.SIGKILL, [rng.choice(backends_of(rig))])


def end_backend(rig: Rig, rng: Random) -> None:
    """Let PostgreSQL end one connection."""
    with suppress(psycopg.Error):
        rig.ask("SELECT pg_terminate_backend(%s)", rng.choice(backends_of(rig)))


def crash_at_a_point(rig: Rig, rng: Random) -> None:
    """Let a process end at the next failpoint of a random name."""
    program, point = rng.choice(
        [*(("web", point) for point in [*WEB_POINTS, *KICK_POINTS]), *(("worker", point) for point in WORKER_POINTS)]
    )
    rig.arm(program, point)


KILLS: dict[str, Callable[[Rig, Random], None]] = {
    "web process": kill_web_process,
    "web": kill_web,
    "worker process": kill_worker_process,
    "worker": kill_worker,
    "beat": kill_clock,
    "Redis": kill_redis,
    "PostgreSQL backend": kill_backend,
    "PostgreSQL connection": end_backend,
    "process at a failpoint": crash_at_a_point,
}


def backends_of(rig: Rig) -> list[int]:
    """Return the processes of PostgreSQL that serve a client; raises psycopg.Error while it recovers."""
    found = [pid for (pid,) in rig.ask(BACKENDS)]
    if not found:
        raise psycopg.OperationalError("nobody is connected")
    return found


class Killer:
    """Hurts one service again and again: every kind in turn, in a random order."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self.rig, self.rng = rig, Random(seed)
        self.kills: Counter[str] = Counter()
        self.deadlocks = 0
        self._last_deadlocks = 0
        self._bag: list[str] = []

    def kill(self) -> str:
        """Hurt it in some way, start again what is not running, and return what was killed."""
        self.count_deadlocks()
        if not self._bag:
            self._bag = self.rng.sample(list(KILLS), len(KILLS))
        kind = self._bag.pop()
        KILLS[kind](self.rig, self.rng)
        self.kills[kind] += 1
        time.sleep(self.rng.uniform(0.1, 1.0))
        self.rig.revive()
        return kind

    def count_deadlocks(self) -> None:
        """Add what PostgreSQL has counted since it was asked last; after a crash it begins anew."""
        with suppress(psycopg.Error):
            [(count,)] = self.rig.ask(DEADLOCKS)
            self.deadlocks += count - self._last_deadlocks if count >= self._last_deadlocks else count
            self._last_deadlocks = count
