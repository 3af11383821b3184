"""Run a program that does not outlive its parent: `python leash.py PARENT SIGNAL UID GID PROGRAM [ARGUMENT…]`.

Linux itself sends SIGNAL to the program when PARENT dies; elsewhere this process stays and watches PARENT. It uses the
standard library only, so it can be run before anything is installed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
SECONDS_BETWEEN_LOOKS = 0.5


def become(uid: int, gid: int) -> None:
    """Give up root for *uid* and *gid*."""
    if os.getuid() == 0 and uid != 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def watch(parent: int, stop_signal: int, program: list[str]) -> int:
    """Run *program* until it ends or *parent* does, and return its exit code."""
    child = subprocess.Popen(program)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: child.send_signal(received))
    while child.poll() is None:
        if os.getppid() != parent:
            child.send_signal(stop_signal)
            return child.wait()
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return child.returncode


def main() -> None:
    """Become the program, or its watcher."""
    parent, stop_signal, uid, gid = map(int, sys.argv[1:5])
    program = sys.argv[5:]
    if sys.platform != "linux":
        become(uid, gid)
        sys.exit(watch(parent, stop_signal, program))
    libc = ctypes.CDLL(None)
    become(uid, gid)
    # After the change of user, which would clear it.
    libc.prctl(PR_SET_PDEATHSIG, stop_signal)
    if os.getppid() != parent:
        sys.exit("The parent ended before its child began.")
    os.execv(program[0], program)  # noqa: S606


if __name__ == "__main__":
    main()
