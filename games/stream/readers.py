"""Threads that read rows for streams, so that a stream which only waits holds no connection to the database."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from django.db import close_old_connections, connections

Found = TypeVar("Found")
THREADS = 4
SECONDS_IDLE = 1.0
"""After so long without work a thread gives its connection back."""


class Readers:
    """A few threads, started when there is something to read: more streams wait longer, but take no more of them."""

    def __init__(self, threads: int = THREADS) -> None:
        self._free, self._lock = threads, threading.Lock()
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()

    async def read(self, look: Callable[[], Found]) -> Found:
        """Return what *look* finds; raises what it raises."""
        found: Future[Found] = Future()
        self._work.put((found, look))
        with self._lock:
            if self._free:
                self._free -= 1
                threading.Thread(target=self._go_on, name="stream-reader", daemon=True).start()
        return await asyncio.wrap_future(found)

    def _go_on(self) -> None:
        while True:
            found, look = self._next()
            if found.set_running_or_notify_cancel():
                try:
                    found.set_result(look())
                except Exception as error:
                    close_old_connections()  # those on which something failed
                    found.set_exception(error)
            del found, look

    def _next(self) -> tuple[Future[Any], Callable[[], Any]]:
        try:
            return self._work.get(timeout=SECONDS_IDLE)
        except Empty:
            connections.close_all()
            return self._work.get()


read = Readers().read
