"""Keep children running until told to stop."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from callbreak_site.embedded.processes import EmbeddedError, kill_session, last_lines, wait_or_end

LONGEST_PAUSE_SECONDS = 30
STEADY_AFTER_SECONDS = 60
FAILURES_BEFORE_READY = 3
LONGEST_LOG_BYTES = 20_000_000
SECONDS_BETWEEN_LOG_LOOKS = 60


@dataclass
class Service:
    """One child: how to begin it, how to stop it, and how it has fared."""

    name: str
    begin: Callable[[], subprocess.Popen[bytes]]
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    seconds_to_stop: float = 10
    is_server: bool = False
    process: subprocess.Popen[bytes] | None = None
    began_at: float = 0
    retry_at: float = 0
    failures: int = 0

    def start(self) -> None:
        """Begin the child."""
        self.began_at = time.monotonic()
        self.process = self.begin()

    def note_failure(self, now: float) -> float:
        """Count a failure, plan the next try, and return the pause before it in seconds."""
        if now - self.began_at > STEADY_AFTER_SECONDS:
            self.failures = 0
        pause = min(2**self.failures, LONGEST_PAUSE_SECONDS)
        self.failures += 1
        self.retry_at = now + pause
        self.process = None
        return pause


@dataclass
class Supervisor:
    """The children in the order in which they were started."""

    say: Callable[[str], None]
    services: list[Service] = field(default_factory=list)
    is_stopping: bool = False
    is_ready: bool = False
    logs_looked_at: float = 0

    def listen(self) -> None:
        """Stop on Ctrl-C, on SIGTERM, and when the terminal goes away (unless told to ignore that)."""
        signal.signal(signal.SIGINT, self._told_to_stop)
        signal.signal(signal.SIGTERM, self._told_to_stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self._told_to_stop)

    def _told_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.is_stopping = True

    def start(self, service: Service) -> None:
        """Start a child and keep it running from now on."""
        self.services.append(service)
        service.start()

    def look(self) -> None:
        """Look after every child once: begin again those that have ended."""
        now = time.monotonic()
        for service in self.services:
            if service.process is None:
                if now >= service.retry_at and not self.is_stopping:
                    self._try_again(service)
            elif service.process.poll() is not None and not self.is_stopping:
                self._bury(service, f"ended ({_how(service.process.returncode)})")
        if now - self.logs_looked_at > SECONDS_BETWEEN_LOG_LOOKS:
            self.logs_looked_at = now
            for log in {service.log for service in self.services}:
                shorten(log)

    def _try_again(self, service: Service) -> None:
        try:
            service.start()
        except EmbeddedError as error:
            self._bury(service, f"did not start: {error}")

    def _bury(self, service: Service, what_happened: str) -> None:
        if service.process:
            kill_session(service.process.pid)  # Its own children would keep the port or the queue.
        pause = service.note_failure(time.monotonic())
        self.say(f"The {service.name} {what_happened}; starting it again in {pause} s. See {service.log}.")
        if not self.is_ready and service.failures >= FAILURES_BEFORE_READY:
            raise EmbeddedError(
                f"The {service.name} does not start. The end of {service.log}:\n{last_lines(service.log, 15)}"
            )

    def watch(self) -> None:
        """Look after the children until told to stop."""
        while not self.is_stopping:
            self.look()
            time.sleep(0.2)

    def stop(self) -> None:
        """Stop every child: all programs at the same time, then the servers that they use."""
        self.is_stopping = True
        running = [service for service in self.services if service.process]
        self._stop_together([service for service in running if not service.is_server])
        for server in reversed([service for service in running if service.is_server]):
            self._stop_together([server])

    def _stop_together(self, services: list[Service]) -> None:
        for service in services:
            if service.process and service.process.poll() is None:
                service.process.send_signal(service.stop_signal)
        for service in services:
            if service.process:
                if not wait_or_end(service.process, service.seconds_to_stop):
                    self.say(f"The {service.name} did not stop within {service.seconds_to_stop:.0f} s and was ended.")
                kill_session(service.process.pid)
                service.process = None


def shorten(log: Path) -> None:
    """Keep a log that has grown long as `….1` and begin it anew; its writers append, so they need not know."""
    try:
        if log.stat().st_size > LONGEST_LOG_BYTES:
            log.with_suffix(".log.1").write_bytes(log.read_bytes())
            with log.open("r+b") as file:
                file.truncate(0)
    except OSError:
        pass  # A full disk must not stop the game.


def _how(code: int) -> str:
    """Say how a process ended.

    >>> _how(1), _how(-9)
    ('exit code 1', 'SIGKILL')
    """
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
