"""Asking workers to run a task now: never in the way of whoever asks, because the rows say what is due anyway."""

import logging
import time
from functools import cached_property

import structlog
from celery import current_app
from kombu import Connection
from kombu.pools import producers

log = logging.getLogger(__name__)

SECONDS_TO_WAIT = 0.2
"""How long each step of a publish may take."""
SECONDS_OF_QUIET = 5.0
"""How long nothing is published after a failure, so that a frozen broker does not slow every request."""


def where_it_began() -> dict[str, str]:
    """Return the headers that let a worker's log lines be found by the request that caused them."""
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    return {"request_id": request_id} if request_id else {}


class Publisher:
    """Messages to one broker: without retries, with short timeouts, and with a rest after each failure."""

    def __init__(self, url: str | None = None) -> None:
        """Publish to the broker at *url*; without one, to that of the settings."""
        self._url = url
        self._quiet_until = 0.0

    def publish(self, task: str, argument: object, *, queue: str, task_id: str | None = None) -> bool:
        """Tell whether the broker took the message that asks for *task*; never raises, and never waits long."""
        if time.monotonic() < self._quiet_until:
            return False
        try:
            with producers[self._broker].acquire(block=True, timeout=SECONDS_TO_WAIT) as producer:
                current_app.send_task(
                    task,
                    args=(argument,),
                    queue=queue,
                    task_id=task_id,
                    producer=producer,
                    retry=False,
                    headers=where_it_began(),
                )
        except Exception as error:
            self._quiet_until = time.monotonic() + SECONDS_OF_QUIET
            log.warning("broker did not take a message: task=%s error=%s", task, type(error).__name__)
            return False
        return True

    @cached_property
    def _broker(self) -> Connection:
        """The broker with timeouts of our own; a worker's connection for its tasks keeps its longer ones."""
        return current_app.connection_for_write(
            self._url,
            transport_options={
                "socket_timeout": SECONDS_TO_WAIT,
                "socket_connect_timeout": SECONDS_TO_WAIT,
                "max_retries": 0,
            },
        )


publish = Publisher().publish
