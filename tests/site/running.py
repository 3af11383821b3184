"""Run the whole service as a person does, in a folder of its own."""

import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from callbreak_site.embedded.processes import LEASH

CHECKOUT = Path(__file__).resolve().parents[2]
FORGOTTEN = ("DATABASE_URL", "REDIS_URL", "CALLBREAK_ENV", "SECRET_KEY", "LOG_LEVEL", "DJANGO_SETTINGS_MODULE")
SECONDS_TO_START = 90


class Running:
    """One `manage.py up`, and what it has told so far; nothing of it is left after its `with`."""

    def __init__(self, data: Path, port: int, **environment: str) -> None:
        self.data, self.port = data, port
        # On a leash, so that a test run which is killed leaves no service behind.
        leash = [LEASH, os.getpid(), int(signal.SIGTERM), os.getuid(), os.getgid()]
        self.process = subprocess.Popen(
            [sys.executable, *map(str, leash), sys.executable, "manage.py", "up"],
            cwd=CHECKOUT,
            env=environment_of(data, PORT=str(port), **environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.told: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        everything = self.processes()
        self.stop()
        kill(everything)
        self._reader.join(10)
        assert self.process.stdout
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def wait_for(self, text: str, seconds: float = SECONDS_TO_START) -> str:
        """Wait for a line with *text*, and return it."""
        deadline = time.monotonic() + seconds
        while True:
            with suppress(queue.Empty):
                self.told.append(self._lines.get(timeout=0.1))
                if text in self.told[-1]:
                    return self.told[-1]
            is_over = self.process.poll() is not None and self._lines.empty()
            if is_over or time.monotonic() > deadline:
                raise AssertionError(f"{text!r} was not told, but: " + "\n".join([*self.told, *self.logs()]))

    def wait_until_ready(self) -> float:
        """Wait for the greeting, and return the seconds that it took."""
        began = time.monotonic()
        self.wait_for("Callbreak is ready")
        seconds = time.monotonic() - began
        self.wait_for("Ctrl-C stops everything")
        return seconds

    def is_ready(self) -> bool:
        with suppress(OSError):
            return self.get("/readyz")["status"] == "ready"
        return False

    def logs(self) -> list[str]:
        return [f"{log.name}: {log.read_text(errors='replace')[-600:]}" for log in (self.data / "logs").glob("*.log")]

    def get(self, path: str, token: str = "") -> dict[str, object]:
        return self.ask(urllib.request.Request(self.url(path), headers=bearer(token)))

    def post(self, path: str, body: dict[str, object], token: str = "") -> dict[str, object]:
        headers = {"Content-Type": "application/json", **bearer(token)}
        return self.ask(urllib.request.Request(self.url(path), json.dumps(body).encode(), headers, method="POST"))

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def ask(self, request: urllib.request.Request) -> dict[str, object]:
        with urllib.request.urlopen(request, timeout=10) as response:
            answer: dict[str, object] = json.load(response)
            return answer

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(60)

    def processes(self) -> list[int]:
        """Return every process of this run, the supervisor first."""
        return family_of(self.process.pid)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def environment_of(data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in FORGOTTEN}
    return kept | {"CALLBREAK_DATA_DIR": str(data), "HOST": "127.0.0.1"} | more


def manage(data: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one command beside (or without) the running service."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=environment_of(data, **environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def data_folder() -> Iterator[Path]:
    """Make a folder that PostgreSQL's user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="callbreak-up-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        yield folder / "var"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kill(processes: list[int]) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def parent_of(pid: int) -> int | None:
    """Return the parent of a process; None if that is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def family_of(pid: int) -> list[int]:
    """Return a process and all that came from it, itself first."""
    numbers = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    parents = {number: parent_of(number) for number in numbers}
    found = [pid]
    for elder in found:
        found += [child for child, parent in parents.items() if parent == elder]
    return found


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def wait_until_gone(processes: list[int], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while left := [pid for pid in processes if not is_gone(pid)]:
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.1)
