"""The whole service under one supervisor: `manage.py up`."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from callbreak_site.embedded import folders, network, orphans, servers
from callbreak_site.embedded.addresses import CHECKOUT, services_file
from callbreak_site.embedded.network import Address
from callbreak_site.embedded.postgres import forget_other_databases
from callbreak_site.embedded.processes import EmbeddedError, start
from callbreak_site.embedded.supervisor import Service, Supervisor

SECONDS_TO_BE_READY = 120
SECONDS_BETWEEN_NEWS = 10
CELERY = "-m celery -A callbreak_site.celery"
# What our Python runs; the web server is told where to listen, the clock where to keep its schedule.
WEB = "-m granian --interface asginl --workers 2 --workers-kill-timeout 5 --no-ws"
WEB += " --http 1 --http1-buffer-size 32768"  # so much of headers
WEB += " --backpressure 900"  # connections to each: streams hold theirs, and many systems allow 1024 open files
WEB += " --respawn-failed-workers callbreak_site.asgi:application"
WORKER = f"{CELERY} worker --queues turns,maintenance --concurrency 2 --pool prefork --loglevel WARNING"
WORKER += " --without-gossip --without-mingle"
CLOCK = f"{CELERY} beat --loglevel WARNING --pidfile= --schedule"


@dataclass
class Stack:
    """One running service: its data folder, its address, and where its database and Redis are if they are not ours.

    *migrate* brings the tables of the database with the address that it is given up to date.
    """

    data: Path
    address: Address
    say: Callable[[str], None]
    migrate: Callable[[str], None]
    database_url: str = ""
    redis_url: str = ""

    def run(self) -> None:
        """Start everything, tell the address, and keep it running until told to stop."""
        folders.make(self.data)
        with folders.held(self.data):
            orphans.end_marked(self.data)
            network.check_free(self.address)
            folders.secret_key(self.data)
            supervisor = Supervisor(self.say)
            supervisor.listen()
            try:
                for begin in self._steps():
                    if supervisor.is_stopping:
                        break
                    begin(supervisor)
                supervisor.watch()
            finally:
                self.say("Stopping …")
                supervisor.stop()
                services_file(self.data).unlink(missing_ok=True)
        self.say(f"Stopped. What was played is kept in {self.data}.")

    def _steps(self) -> Iterator[Callable[[Supervisor], None]]:
        if not self.database_url:
            yield self._start_database
        if not self.redis_url:
            yield self._start_redis
        yield self._leave_word
        yield self._migrate
        yield self._start_programs
        yield self._wait_until_ready
        yield self._start_clock
        yield self._greet

    def _start_database(self, supervisor: Supervisor) -> None:
        forget_other_databases()
        cluster = servers.cluster_of(self.data, self.say)
        begin = lambda: servers.start_cluster(cluster, self.data, self.say)  # noqa: E731
        supervisor.start(Service("database", begin, cluster.log, servers.FAST_SHUTDOWN, 30, is_server=True))
        self.database_url = cluster.url()

    def _start_redis(self, supervisor: Supervisor) -> None:
        redis = servers.redis_of(self.data)
        supervisor.start(Service("Redis", lambda: servers.start_redis(redis), redis.log, is_server=True))
        self.redis_url = redis.url()

    def _leave_word(self, _: Supervisor) -> None:
        """Tell commands that are run beside us where the servers are."""
        told = {"database_url": self.database_url, "redis_url": self.redis_url, "pid": os.getpid()}
        folders.write_private(services_file(self.data), json.dumps(told))

    def _migrate(self, _: Supervisor) -> None:
        self.say("Bringing the tables up to date …")
        self.migrate(self.database_url)

    def _start_programs(self, supervisor: Supervisor) -> None:
        self.say("Starting the web server and a worker …")
        where = ["--host", self.address.ip, "--port", str(self.address.port)]
        self._keep(supervisor, "web server", "web", [*WEB.split(), *where], 10)
        self._keep(supervisor, "worker", "worker", WORKER.split(), 30)

    def _start_clock(self, supervisor: Supervisor) -> None:
        """Start beat; nobody has to wait for it, since the worker sweeps too."""
        self._keep(supervisor, "clock", "beat", [*CLOCK.split(), str(self.data / "beat-schedule")], 10)

    def _wait_until_ready(self, supervisor: Supervisor) -> None:
        deadline = time.monotonic() + SECONDS_TO_BE_READY
        news_at = time.monotonic() + SECONDS_BETWEEN_NEWS
        host = self._allowed_hosts()[0].lstrip(".")
        while (missing := network.missing_parts(self.address, host)) != []:
            now = time.monotonic()
            if now > deadline:
                raise EmbeddedError(
                    f"Not ready after {SECONDS_TO_BE_READY} s. Missing: {_listed(missing)}. See {self._log('')}"
                )
            if now > news_at:
                self.say(f"Waiting for: {_listed(missing)} …")
                news_at = now + SECONDS_BETWEEN_NEWS
            supervisor.look()
            if supervisor.is_stopping:
                return
            time.sleep(0.1)
        supervisor.is_ready = True

    def _greet(self, _: Supervisor) -> None:
        here = self.address.url(self.address.near)
        self.say(f"\nCallbreak is ready:  {here}")
        for host in network.own_addresses(self.address):
            self.say(f"  from a phone on this network:  {self.address.url(host)}")
        self.say(f"  what clients can ask:          {here}api/docs")
        self.say(f"  administration:                {here}admin/  (`make admin` makes an administrator)")
        self.say(f"Data are in {self.data}; logs too, in logs/. Ctrl-C stops everything.\n")

    def _keep(
        self, supervisor: Supervisor, name: str, log_name: str, command: list[str], seconds_to_stop: float
    ) -> None:
        log = self._log(log_name)
        service = Service(name, lambda: self._python(command, log), log, seconds_to_stop=seconds_to_stop)
        supervisor.start(service)

    def _python(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        """Start our Python on *command*, with an environment in which the settings find everything."""
        env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
            "CALLBREAK_DATA_DIR": str(self.data),
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "ALLOWED_HOSTS": ",".join(self._allowed_hosts()),
            orphans.MARK: str(self.data),
        }
        return start([sys.executable, *command], log=log, env=env, cwd=CHECKOUT)

    def _allowed_hosts(self) -> list[str]:
        given = os.environ.get("ALLOWED_HOSTS", "")
        return [host.strip() for host in given.split(",") if host.strip()] or network.allowed_hosts(self.address)

    def _log(self, name: str) -> Path:
        return self.data / "logs" / (f"{name}.log" if name else "")


def _listed(missing: list[str] | None) -> str:
    return ", ".join(missing) if missing else "an answer from the web server"
