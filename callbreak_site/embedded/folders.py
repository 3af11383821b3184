"""The data folder: what lies where, who holds it, and a place that PostgreSQL's user can reach."""

import fcntl
import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from callbreak_site.embedded.processes import EmbeddedError

User = tuple[int, int]
# The shortest limit among the systems we run on, for the longest name we put into a folder of sockets.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"


def make(data: Path) -> None:
    """Make the data folder and what is in it from the start."""
    # Root's servers run as somebody else, who has to pass through.
    mode = 0o711 if os.getuid() == 0 else 0o700
    try:
        if not data.is_dir():
            data.mkdir(parents=True)
            data.chmod(mode)
        lock = data / "lock"
        if lock.exists() and lock.stat().st_uid != os.getuid():
            # Root could go on, but would leave files that the owner can't use.
            raise EmbeddedError(
                f"The data folder {data} belongs to user number {lock.stat().st_uid}: run as that user, "
                f"or choose another folder with CALLBREAK_DATA_DIR."
            )
        for name in ("logs", "redis", "backups", "mails"):
            (data / name).mkdir(mode=0o700, exist_ok=True)
        lock.touch(0o600)
    except FileExistsError:
        raise EmbeddedError(f"{data} is not a folder. Choose another with CALLBREAK_DATA_DIR.") from None
    except OSError as error:
        hint = " It belongs to another user." if data.is_dir() and data.stat().st_uid != os.getuid() else ""
        raise EmbeddedError(f"The data folder {data} cannot be used: {error.strerror}.{hint}") from None


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


def name_of(data: Path) -> str:
    """Return a short name that no other data folder or user has."""
    digest = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:12]
    return f"callbreak-{os.getuid()}-{digest}"
