"""A web server of the test's own, on its database, with a Redis of its own; both to be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection
from django.test import Client

from callbreak_site.embedded import stack
from callbreak_site.embedded.processes import kill_session, last_lines, start, stop
from players.models import Player
from tests.bots.processes import Broker
from tests.site.running import CHECKOUT, family_of, free_port

HASTY = "tests.games.stream.hasty:application"
COMMAND = stack.WEB.replace("callbreak_site.asgi:application", HASTY).replace("--workers 2", "--workers 1")


class House:
    """The server and its Redis."""

    def __init__(self, folder: Path) -> None:
        self.broker = Broker(folder)
        self.port, self.log = free_port(), folder / "web.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
        environment = {**os.environ, "DATABASE_URL": database, "REDIS_URL": self.broker.server.url()}
        command = [sys.executable, *COMMAND.split(), "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = start(command, log=self.log, env=environment, cwd=CHECKOUT)
        wait_until(self.is_served, 60, lambda: last_lines(self.log, 30))

    def is_served(self) -> bool:
        try:
            with open_connection(self.port, "/healthz") as answer:
                return answer.status == 200
        except (OSError, HTTPException):
            return False

    def kill(self) -> None:
        assert self.process
        kill_session(self.process.pid)
        self.process.wait()

    def stop(self) -> bool:
        """Ask it to end; tell whether it did by itself."""
        assert self.process
        is_clean = stop(self.process, signal.SIGTERM, 8)
        kill_session(self.process.pid)
        return is_clean

    def open_files(self) -> int:
        """Return how many files the process that serves has open."""
        assert self.process
        return max(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in family_of(self.process.pid)[1:])


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """Run both until the block is left."""
    made = House(folder)
    try:
        made.start()
        yield made
    finally:
        if made.process:
            made.kill()
        made.broker.kill()


@contextmanager
def open_connection(
    port: int, path: str, *, source: str = "127.0.0.1", cookie: str = "", **headers: str
) -> Iterator[HTTPResponse]:
    """Ask once over a connection of its own, and yield the answer, which may not have ended."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    if cookie:
        told["Cookie"] = f"sessionid={cookie}"
    asked = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        asked.request("GET", path, headers=told)
        yield asked.getresponse()
    finally:
        asked.close()


def cookie_of(player: Player) -> str:
    """Sign *player* in, and return the key of the session."""
    client = Client()
    client.force_login(player)
    return client.cookies["sessionid"].value


def wait_until(is_so: Callable[[], bool], seconds: float, last_words: Callable[[], str] = str) -> float:
    """Wait until *is_so*, and return how long that took; fail after *seconds* with the last words."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() < began + seconds, f"not within {seconds} s\n{last_words()}"
        time.sleep(0.02)
    return time.monotonic() - began
