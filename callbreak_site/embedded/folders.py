"""The data folder: what lies where, who holds it, and a place that PostgreSQL's user can reach."""

import fcntl
import hashlib
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from callbreak_site.embedded.processes import EmbeddedError

User = tuple[int, int]
# The shortest limit among the systems we run on, for the longest name we put into a folder of sockets.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
FOR_ALL = Path("/var/lib")


def make(data: Path) -> None:
    """Make the data folder and what is in it from the start."""
    # Root's servers run as somebody else, who has to pass through.
    mode = 0o711 if os.getuid() == 0 else 0o700
    try:
        if not data.is_dir():
            data.mkdir(parents=True)
            data.chmod(mode)
        for name in ("logs", "redis", "backups"):
            (data / name).mkdir(mode=0o700, exist_ok=True)
        (data / "lock").touch(0o600)
    except FileExistsError:
        raise EmbeddedError(f"{data} is not a folder. Choose another with CALLBREAK_DATA_DIR.") from None
    except OSError as error:
        raise EmbeddedError(f"The data folder {data} cannot be used: {error.strerror}. {_owner_hint(data)}") from None


def _owner_hint(data: Path) -> str:
    if data.is_dir() and data.stat().st_uid != os.getuid():
        return "It belongs to another user: run as that user, or choose another folder with CALLBREAK_DATA_DIR."
    return "Choose another with CALLBREAK_DATA_DIR."


@contextmanager
def held(data: Path) -> Iterator[None]:
    """Hold the data folder for this process alone; the hold ends with the process, however it ends."""
    with (data / "lock").open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.read().strip() or "unknown"
            raise EmbeddedError(
                f"Callbreak already runs on the data in {data} (process {holder}). Stop it first, "
                f"or give this one a folder and a port of its own: CALLBREAK_DATA_DIR=… PORT=…"
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        try:
            yield
        finally:
            lock.truncate(0)


def is_held(data: Path) -> bool:
    """Tell whether a running process holds the data folder."""
    try:
        with (data / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def secret_key(data: Path) -> str:
    """Return the key that signs sessions, made once."""
    path = data / "secret_key"
    if not path.exists():
        write_private(path, secrets.token_urlsafe(64))
    return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    new.replace(path)


def postgres_user(data: Path, unprivileged: User | None) -> User | None:
    """Return whom PostgreSQL runs as: as root the owner of its rows, or *unprivileged* if there are none yet."""
    rows = data / "postgres"
    if not rows.exists():
        return unprivileged
    owner = rows.stat()
    if os.getuid() == 0:
        return (owner.st_uid, owner.st_gid) if owner.st_uid else unprivileged
    if owner.st_uid != os.getuid():
        raise EmbeddedError(
            f"The database in {rows.resolve()} was made by another user (number {owner.st_uid}, or root): "
            f"run as that user, or choose another folder with CALLBREAK_DATA_DIR."
        )
    return None


def postgres_home(data: Path, user: User | None, say: Callable[[str], None]) -> Path:
    """Return where PostgreSQL keeps its rows; outside the data folder, with a link in it, if *user* cannot get in."""
    rows = data / "postgres"
    if rows.is_symlink() and not rows.exists():
        raise EmbeddedError(f"{rows} points to {rows.readlink()}, which is gone.")
    if rows.exists() or user is None or may_enter(data, user):
        return rows.resolve()
    home = elsewhere(data)
    say(f"PostgreSQL does not run as root, and no other user may enter {data}: its rows are kept in {home}.")
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    home.chmod(0o711)
    return home / "postgres"


def link_postgres(data: Path, home: Path) -> None:
    """Leave a link in the data folder to rows that are kept outside it."""
    rows = data / "postgres"
    if not rows.exists():
        rows.symlink_to(home)


def reachable_bindir(bindir: Path, data: Path, user: User | None, say: Callable[[str], None]) -> Path:
    """Return *bindir*, or a copy of its installation where *user* can run it."""
    if user is None or can_run(bindir / "postgres", user):
        return bindir
    install = bindir.parent
    copy = elsewhere(data) / install.name
    if not can_run(copy / "bin" / "postgres", user):
        say(f"PostgreSQL does not run as root, and no other user may enter {install}: using a copy in {copy}.")
        elsewhere(data).mkdir(mode=0o711, parents=True, exist_ok=True)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(install, copy, symlinks=True)
        for folder in (elsewhere(data), copy):
            folder.chmod(0o755)
    if not can_run(copy / "bin" / "postgres", user):
        raise EmbeddedError(
            f"User number {user[0]} cannot run the PostgreSQL in {copy}; set PG_BINDIR or DATABASE_URL."
        )
    return copy / "bin"


def sockets(wanted: Path, user: User | None) -> Path:
    """Make and return a folder for sockets: *wanted* if its path is short enough.

    It is closed to all but *user* (ourselves, if None) and root.
    """
    for folder in (wanted, Path(tempfile.gettempdir()) / name_of(wanted), Path("/tmp") / name_of(wanted)):  # noqa: S108
        if len(os.fsencode(folder / LONGEST_SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
            break
    owner = user or (os.getuid(), os.getgid())
    if not folder.is_dir():
        folder.mkdir(mode=0o700)
        os.chown(folder, *owner)
    # In a folder that all may write to, somebody else may have been first.
    if folder.is_symlink() or folder.lstat().st_uid != owner[0]:
        raise EmbeddedError(f"{folder} should be a folder of user number {owner[0]}; remove it.")
    folder.chmod(0o700)
    return folder


def elsewhere(data: Path) -> Path:
    """Return the place that stands in for a data folder which others cannot reach."""
    return FOR_ALL / name_of(data)


def name_of(data: Path) -> str:
    """Return a short name that no other data folder or user has."""
    digest = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:12]
    return f"callbreak-{os.getuid()}-{digest}"


def may_enter(folder: Path, user: User) -> bool:
    """Tell whether *user* can pass into *folder*."""
    return _succeeds(["/bin/sh", "-c", 'cd -- "$0"', folder], user)


def can_run(program: Path, user: User) -> bool:
    """Tell whether *user* can run *program*."""
    return _succeeds([program, "--version"], user)


def _succeeds(command: list[str | Path], user: User) -> bool:
    uid, gid = user
    try:
        done = subprocess.run(command, user=uid, group=gid, extra_groups=[], cwd="/", capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0
