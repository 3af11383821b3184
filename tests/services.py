"""A pytest plugin (`-p tests.services`) that starts a real PostgreSQL and a real Redis for one run.

It runs before Django reads its settings. DATABASE_URL and REDIS_URL are used as they are when they are set. The servers
live in a short temporary folder and end with pytest, however it ends; xdist's workers share them, each with a database
and a Redis number of its own.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from callbreak_site.embedded.binaries import postgres_bindir, redis_server
from callbreak_site.embedded.postgres import CARELESS, Cluster, forget_other_databases, unprivileged_user
from callbreak_site.embedded.redis import Redis

PREFIX = "callbreak-tests-"
ENVIRONMENT = {
    "CALLBREAK_ENV": "test",
    "SECRET_KEY": "only-for-tests-" + "k" * 40,
    "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
    "LOG_LEVEL": "WARNING",
    # Tests are in a hurry; those of the limits set their own.
    **{
        f"THROTTLE_{lane}": ""
        for lane in ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS")
    },
}


def remove_folders_of_the_dead() -> None:
    """Remove what runs left behind that were killed; their servers have ended by themselves."""
    for folder in Path("/tmp").glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not is_alive(int(pid)) and folder.stat().st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)


def is_alive(pid: int) -> bool:
    """Tell whether there is a process *pid*."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder with a short path (sockets need that), which other users may pass through."""
    remove_folders_of_the_dead()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_cluster(folder: Path) -> Cluster:
    """Make a PostgreSQL cluster in *folder*, whose server is not running."""
    forget_other_databases()
    user = unprivileged_user()
    run = folder / "pg"
    run.mkdir(mode=0o700)
    if user:
        os.chown(run, *user)
    home = folder / "home"
    home.mkdir(mode=0o711)
    cluster = Cluster(home / "data", run, postgres_bindir(home / "data"), folder / "postgres.log", user)
    cluster.create("--no-sync")
    return cluster


@contextmanager
def postgres(folder: Path) -> Iterator[Cluster]:
    """Run a PostgreSQL that does not care for crashes in *folder*."""
    cluster = new_cluster(folder)
    server = cluster.start({**CARELESS, "max_connections": "200", "shared_buffers": "64MB"})
    try:
        cluster.create_database()
        yield cluster
    finally:
        cluster.stop(server)


@contextmanager
def redis(folder: Path) -> Iterator[Redis]:
    """Run a Redis that keeps nothing in *folder*."""
    server = Redis(folder, folder, redis_server(), folder / "redis.log")
    process = server.start(keeps_data=False)
    try:
        yield server
    finally:
        server.stop(process)


_running = ExitStack()


def _start() -> None:
    os.environ.update(ENVIRONMENT)
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        number = 1 + int(worker.removeprefix("gw"))
        base, _, _ = os.environ["REDIS_URL"].partition("?")
        if base.startswith("unix:"):
            os.environ["REDIS_URL"] = f"{base}?db={number}"
        return
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    folder = _running.enter_context(temporary_folder())
    if not os.environ.get("DATABASE_URL"):
        os.environ["DATABASE_URL"] = _running.enter_context(postgres(folder)).url()
    if not os.environ.get("REDIS_URL"):
        os.environ["REDIS_URL"] = _running.enter_context(redis(folder)).url()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Stop what was started."""
    _running.close()


_start()
