"""Each program of production, started as it stands, ends at once and says what is unsafe."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from callbreak_site.embedded.stack import CLOCK, WEB, WORKER
from tests.site.running import free_port
from tests.site.test_settings import CHECKOUT, SAFE

pytestmark = pytest.mark.slow
SECONDS = 60
COMMANDS = {
    "web server": lambda folder: [*WEB.split(), "--host", "127.0.0.1", "--port", str(free_port())],
    "worker": lambda folder: WORKER.split(),
    "clock": lambda folder: [*CLOCK.split(), str(folder / "schedule")],
    "migrate": lambda folder: ["manage.py", "migrate", "--noinput"],
}
DANGERS = {
    "DEBUG is on": {"DEBUG": "True"},
    "SECRET_KEY is a default": {"SECRET_KEY": "django-insecure-" + "k3y" * 20},
    "ALLOWED_HOSTS has a *": {"ALLOWED_HOSTS": "*"},
    "CB_FAILPOINTS is set": {"CB_FAILPOINTS": "move.before_commit=exit"},
}


def start(folder: Path, name: str, **unsafe: str) -> tuple[int, str]:
    """Start one program of production with these settings; return how it ended and what it told."""
    kept = {name: os.environ[name] for name in ("PATH", "DATABASE_URL", "REDIS_URL")}
    environment = {
        **kept,
        "CALLBREAK_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
        **SAFE,
    }
    program = subprocess.Popen(
        [sys.executable, *COMMANDS[name](folder)],
        env=environment | unsafe,
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with program:
        try:
            told, _ = program.communicate(timeout=SECONDS)
        finally:
            with suppress(ProcessLookupError):  # one that starts after all has workers
                os.killpg(program.pid, signal.SIGKILL)
    return program.returncode, told


@pytest.mark.parametrize("name", COMMANDS)
def test_everything_unsafe_is_told_at_once_and_nothing_starts(name: str, tmp_path: Path) -> None:
    status, told = start(
        tmp_path, name, **{variable: value for values in DANGERS.values() for variable, value in values.items()}
    )
    assert status != 0
    assert [complaint for complaint in DANGERS if complaint not in told] == [], told[-2000:]
    assert "Traceback" not in told and "django-insecure" not in told, told[-2000:]
