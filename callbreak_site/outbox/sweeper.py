"""The sweep from inside a worker."""

import logging
import threading

from django.db import connection

from callbreak_site.outbox.sweeping import note_heartbeat, sweep

log = logging.getLogger(__name__)

SECONDS_BETWEEN_SWEEPS = 5.0
SECONDS_TO_END = 5.0


class Sweeper:
    """A thread of a worker's main process that says it is alive and sweeps, until told to stop."""

    def __init__(self, seconds_between_sweeps: float = SECONDS_BETWEEN_SWEEPS) -> None:
        self._seconds = seconds_between_sweeps
        self._is_told_to_stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, with a sweep at once."""
        self._is_told_to_stop.clear()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, after the sweep that is running."""
        self._is_told_to_stop.set()
        if self._thread is not None:
            self._thread.join(SECONDS_TO_END)

    def _run(self) -> None:
        try:
            while not self._is_told_to_stop.is_set():
                self._sweep_once()
                self._is_told_to_stop.wait(self._seconds)
        finally:
            connection.close()

    def _sweep_once(self) -> None:
        try:
            connection.close_if_unusable_or_obsolete()
            note_heartbeat("worker")
            sweep()
        except Exception as error:
            # A database that is away comes back; this thread must still be there then.
            log.warning("no sweep: error=%s", type(error).__name__)
            connection.close()
