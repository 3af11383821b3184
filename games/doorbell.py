"""Redis tells that something happened in a game: hints only, which may be lost and may come for nothing."""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import redis
import redis.asyncio
from django.conf import settings
from django.db import transaction
from redis.backoff import NoBackoff
from redis.connection import ConnectionInterface
from redis.retry import Retry

log = logging.getLogger(__name__)

CHANNEL = "callbreak:doorbell"
SECONDS_TO_WAIT = 0.2
"""How long connecting, or handing over a hint, may take."""
SECONDS_OF_QUIET = 5.0
"""How long nobody rings after a failure, so that a Redis that hangs does not slow every move."""
SECONDS_TO_COME_BACK = 1.0
SECONDS_BETWEEN_PINGS = 20.0


class Bell:
    """One connection of this process, on which hints are sent and nothing is answered, so that nobody waits for it."""

    def __init__(self, url: str | None = None) -> None:
        """Ring at the Redis at *url*; without one, at that of the settings."""
        self._url = url
        self.forget()

    def forget(self) -> None:
        """Begin anew, without the connection; a child process may not share that of its parent."""
        self._lock = threading.Lock()
        self._connection: ConnectionInterface | None = None
        self._quiet_until = 0.0

    def ring(self, game_id: str) -> None:
        """Tell whoever listens that something happened in a game; never raises, and never waits long."""
        if time.monotonic() < self._quiet_until:
            return
        with self._lock:
            if time.monotonic() < self._quiet_until:
                return
            try:
                self._send(game_id)
            except Exception as error:
                self._hang_up()
                self._quiet_until = time.monotonic() + SECONDS_OF_QUIET
                log.warning("doorbell out of order: %s", type(error).__name__)

    def _send(self, game_id: str) -> None:
        if self._connection is None or self._is_over(self._connection):
            self._hang_up()
            self._connection = self._connect()
        hint = self._connection.pack_command("PUBLISH", CHANNEL, game_id)
        self._connection.send_packed_command(hint, check_health=False)

    def _is_over(self, connection: ConnectionInterface) -> bool:
        """Tell whether the other side has ended it: there is nothing else that it could say."""
        try:
            return connection.can_read()
        except redis.RedisError:
            return True

    def _connect(self) -> ConnectionInterface:
        pool = redis.ConnectionPool.from_url(
            self._url or settings.REDIS_URL,
            socket_timeout=SECONDS_TO_WAIT,
            socket_connect_timeout=SECONDS_TO_WAIT,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        connection = pool.make_connection()
        connection.connect()
        connection.send_command("CLIENT", "REPLY", "OFF", check_health=False)
        return connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.disconnect()
            self._connection = None


class Hall:
    """Where this process listens: one subscription for all its listeners, while there are any."""

    def __init__(self, url: str | None = None) -> None:
        """Listen at the Redis at *url*; without one, at that of the settings."""
        self._url = url
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._hearing: asyncio.Task[None] | None = None

    @contextmanager
    def listen(self, game_id: str) -> Iterator[asyncio.Event]:
        """Yield what is set when something may have happened in a game, or hints may have been lost."""
        rung = asyncio.Event()
        self._listeners.setdefault(game_id, set()).add(rung)
        if self._hearing is None:
            self._hearing = asyncio.create_task(self._hear())
        try:
            yield rung
        finally:
            self._listeners[game_id].discard(rung)
            if not self._listeners[game_id]:
                del self._listeners[game_id]
            if not self._listeners:
                self._hearing.cancel()
                self._hearing = None

    async def _hear(self) -> None:
        """Pass hints on for as long as somebody listens, whatever becomes of Redis."""
        while True:
            try:
                await self._subscribe()
            except (redis.RedisError, OSError) as error:
                log.warning("nothing heard from the doorbell: %s", type(error).__name__)
            await asyncio.sleep(SECONDS_TO_COME_BACK)

    async def _subscribe(self) -> None:
        """Pass hints on until the connection ends, or does not even answer a ping."""
        client = redis.asyncio.Redis.from_url(
            self._url or settings.REDIS_URL, socket_connect_timeout=SECONDS_TO_COME_BACK, retry=Retry(NoBackoff(), 0)
        )
        async with client, client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            is_asked = False
            while True:
                message = await channel.get_message(timeout=SECONDS_BETWEEN_PINGS)
                if message is None:
                    if is_asked:
                        raise redis.ConnectionError
                    await channel.ping()
                is_asked = message is None
                if message is not None:
                    self._pass_on(message)

    def _pass_on(self, message: dict[str, object]) -> None:
        if message["type"] == "message" and isinstance(told := message["data"], bytes):
            for rung in self._listeners.get(told.decode(errors="replace"), ()):
                rung.set()
        elif message["type"] == "subscribe":
            # What was rung before is lost.
            for listeners in self._listeners.values():
                for rung in listeners:
                    rung.set()


_bell, _hall = Bell(), Hall()
os.register_at_fork(after_in_child=_bell.forget)
listen = _hall.listen


def ring_after_commit(game_id: str) -> None:
    """Tell whoever listens to a game, once what was done to it is there to be read."""
    transaction.on_commit(partial(_bell.ring, game_id))
