"""The folder in which the processes of one web server keep their counts, so that any of them can tell the sum."""

import os
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def share_counts(data: Path) -> None:
    """Keep this process's counts beside its siblings', in a folder named after their parent.

    Call it before anything imports prometheus_client, which reads the variable once.
    """
    mine = data / "counts" / str(os.getppid())
    mine.mkdir(mode=0o700, parents=True, exist_ok=True)
    for other in mine.parent.iterdir():
        if other.name.isdigit() and not is_alive(int(other.name)):
            rmtree(other, ignore_errors=True)
    os.environ[VARIABLE] = str(mine)


def is_alive(pid: int) -> bool:
    """Tell whether there is a process *pid*.

    >>> is_alive(os.getpid())
    True
    """
    with suppress(ProcessLookupError):
        with suppress(PermissionError):
            os.kill(pid, 0)
        return True
    return False
