"""Children that never outlive their parent."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

LEASH = Path(__file__).with_name("leash.py")


class EmbeddedError(Exception):
    """Something that a person must put right; the text says what."""


def start(
    program: Sequence[str | Path],
    *,
    stop_signal: signal.Signals = signal.SIGTERM,
    user: tuple[int, int] | None = None,
    log: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start *program* in a session of its own, as *user* (uid, gid) if given, and have it stopped should we die.

    Call it from the main thread: Linux tells the child when the thread that made it ends.
    """
    uid, gid = user or (os.getuid(), os.getgid())
    leash = [sys.executable, "-I", "-S", LEASH, os.getpid(), int(stop_signal), uid, gid]
    output = log.open("ab") if log else None
    try:
        return subprocess.Popen(
            [str(part) for part in [*leash, *program]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )
    finally:
        if output:
            output.close()


def stop(child: subprocess.Popen[bytes], stop_signal: signal.Signals, seconds: float) -> bool:
    """Ask *child* to stop, and after *seconds* end its whole session; return whether it stopped when asked."""
    if child.poll() is None:
        child.send_signal(stop_signal)
    return wait_or_end(child, seconds)


def wait_or_end(child: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for *child*, which has been asked to stop; after *seconds* end its whole session and return False."""
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        kill_session(child.pid)
        child.wait()
        return False
    return True


def kill_session(leader: int) -> None:
    """End every process in the process group of *leader*, if any is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def last_lines(log: Path, count: int = 5) -> str:
    """Return the end of *log* for a message to a person."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return ""
