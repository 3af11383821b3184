"""Kombu's Redis transport, for workers that outlive their Redis."""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis


class Channel(redis.Channel):
    """A channel that says so when its connection is gone.

    That of kombu 5.7 raises an AttributeError then, which nobody expects: the worker ends while it acknowledges a task
    that was running when Redis went, or puts it back.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("The connection to the broker is closed.")
        parameters: dict[str, Any] = super()._connparams(asynchronous)
        return parameters


class Transport(redis.Transport):
    """The transport with these channels."""

    Channel = Channel


def use() -> None:
    """Let addresses that begin with `redis` mean this transport."""
    TRANSPORT_ALIASES["redis"] = f"{__name__}:{Transport.__name__}"
