"""One program of a running service, to be killed, frozen and started again."""

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from callbreak_site.embedded.processes import kill_session, last_lines
from callbreak_site.embedded.supervisor import Service
from tests.site.running import family_of, is_gone, wait_until_gone


@dataclass
class Part(Service):
    """A child of ours and what came from it; *log* is where it writes."""

    @property
    def pid(self) -> int:
        """The number of the process that we started."""
        assert self.process
        return self.process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process that we started is there."""
        return self.process is not None and self.process.poll() is None

    def children(self) -> list[int]:
        """Return the processes that came from ours and are still there."""
        return [pid for pid in family_of(self.pid)[1:] if not is_gone(pid)] if self.is_running else []

    def kill(self) -> None:
        """End it and all that came from it at once, as a power cut would."""
        if self.process is None:
            return
        family = family_of(self.pid)
        signal_all(signal.SIGKILL, family)
        kill_session(self.pid)
        self.process.wait()
        wait_until_gone(family)
        self.process = None

    def stop(self) -> None:
        """Ask it to end, and wait; what is left after its time is killed."""
        self.send(self.stop_signal)
        if self.process:
            with suppress(Exception):
                self.process.wait(self.seconds_to_stop)
        self.kill()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process that we started."""
        if self.process and self.is_running:
            self.process.send_signal(number)

    def freeze(self) -> None:
        """Let none of its processes do anything."""
        signal_all(signal.SIGSTOP, family_of(self.pid))

    def thaw(self) -> None:
        """Let its processes go on."""
        signal_all(signal.SIGCONT, family_of(self.pid))

    def last_words(self, count: int = 40) -> str:
        """Return the end of its log."""
        return f"--- {self.name}:\n{last_lines(self.log, count)}"


def signal_all(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to processes, some of which may be gone."""
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def name_of(pid: int) -> str:
    """Return how a process calls itself; PostgreSQL's say what they are for."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
