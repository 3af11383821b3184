"""Processes that a killed supervisor left behind.

On Linux the kernel stops them itself, but a kill of everything may leave grandchildren, and stopping takes a moment.
"""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from callbreak_site.embedded.processes import EmbeddedError

MARK = "CALLBREAK_SUPERVISED_DATA"
SECONDS_TO_END = 15


def marked(data: Path) -> list[int]:
    """Return the processes whose environment says that they were started for *data*."""
    mark = os.fsencode(f"{MARK}={data}")
    own = {os.getpid(), os.getppid()}
    if Path("/proc/self/environ").exists():
        found = []
        for environ in Path("/proc").glob("[0-9]*/environ"):
            try:
                is_ours = mark in environ.read_bytes().split(b"\0")
            except OSError:
                continue
            if is_ours:
                found.append(int(environ.parent.name))
    else:
        listing = subprocess.run(["/bin/ps", "-axwwE", "-o", "pid=,command="], capture_output=True, check=False).stdout
        found = [int(line.split()[0]) for line in listing.splitlines() if mark + b" " in line + b" "]
    return [pid for pid in found if pid not in own]


def end_marked(data: Path) -> int:
    """End what was left of an earlier run on *data*; return how many processes that were."""
    left = count = len(marked(data))
    deadline = time.monotonic() + SECONDS_TO_END
    while left:
        is_late = time.monotonic() > deadline - SECONDS_TO_END / 2
        for pid in marked(data):
            send(pid, signal.SIGKILL if is_late else signal.SIGTERM)
        time.sleep(0.2)
        left = len(marked(data))
        if left and time.monotonic() > deadline:
            raise EmbeddedError(f"Processes of an earlier run on {data} do not end: {marked(data)}")
    return count


def end_server(pidfile: Path, name: str, stop_signal: signal.Signals) -> None:
    """End the server called *name* whose pid the first line of *pidfile* holds, and remove a stale *pidfile*."""
    deadline = time.monotonic() + SECONDS_TO_END
    while (pid := pid_in(pidfile)) and name in program_of(pid):
        send(pid, stop_signal)
        if time.monotonic() > deadline:
            raise EmbeddedError(f"A {name} of an earlier run (process {pid}) does not end; stop it.")
        time.sleep(0.1)
    # The number may by now belong to another process, at which the new server would take fright.
    pidfile.unlink(missing_ok=True)


def pid_in(pidfile: Path) -> int | None:
    """Return the process number in the first line of *pidfile*."""
    try:
        return int(pidfile.read_text().split("\n")[0])
    except (OSError, ValueError):
        return None


def program_of(pid: int) -> str:
    """Return the name of the program that process *pid* runs; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        if Path("/proc/self/comm").exists():
            return ""
    listing = subprocess.run(["/bin/ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True, check=False)
    return listing.stdout.strip()


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
