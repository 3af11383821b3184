"""Folders and programs that PostgreSQL's user can reach, when we are root and PostgreSQL will not be.

A wheel in root's private home, say, is out of everybody else's reach; so is a data folder there.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from callbreak_site.embedded.folders import User, name_of
from callbreak_site.embedded.processes import EmbeddedError

FOR_ALL = Path("/var/lib")
# One that needs the libraries beside it, unlike `postgres` itself.
TRIED = "initdb"


def elsewhere(data: Path) -> Path:
    """Return the place that stands in for a data folder which others cannot reach."""
    return FOR_ALL / name_of(data)


def postgres_home(data: Path, user: User | None, say: Callable[[str], None]) -> Path:
    """Return where PostgreSQL keeps its rows; outside the data folder, with a link in it, if *user* cannot get in."""
    rows = data / "postgres"
    if rows.is_symlink() and not rows.exists():
        raise EmbeddedError(f"{rows} points to {rows.readlink()}, which is gone.")
    if rows.exists() or user is None or may_enter(data, user):
        return rows.resolve()
    home = elsewhere(data)
    say(f"PostgreSQL does not run as root, and no other user may enter {data}: its rows are kept in {home}.")
    make_open(home)
    return home / "postgres"


def link_postgres(data: Path, home: Path) -> None:
    """Leave a link in the data folder to rows that are kept outside it."""
    rows = data / "postgres"
    if not rows.exists():
        rows.symlink_to(home)


def reachable_bindir(bindir: Path, data: Path, user: User | None, say: Callable[[str], None]) -> Path:
    """Return *bindir*, or that of a copy of its installation which *user* can run."""
    if user is None or can_run(bindir / TRIED, user):
        return bindir
    install = bindir.parent
    package = install.parent
    programs = elsewhere(data) / "programs"
    copy = programs / package.name / install.name
    if not can_run(copy / "bin" / TRIED, user) or version(copy / "bin" / TRIED) != version(bindir / TRIED):
        say(f"PostgreSQL does not run as root, and no other user may enter {install}: using a copy in {copy}.")
        shutil.rmtree(programs, ignore_errors=True)
        shutil.copytree(install, copy, symlinks=True)
        # Where a wheel keeps its libraries; its programs look for them from where they are.
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, programs / libraries.name)
        for folder in (elsewhere(data), programs, copy.parent):
            make_open(folder)
    if not can_run(copy / "bin" / TRIED, user):
        raise EmbeddedError(
            f"User number {user[0]} cannot run the PostgreSQL in {copy}; set PG_BINDIR or DATABASE_URL."
        )
    return copy / "bin"


def make_open(folder: Path) -> None:
    """Make *folder*, or open it, for others to pass through."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)


def may_enter(folder: Path, user: User) -> bool:
    """Tell whether *user* can pass into *folder*."""
    return _run(["/bin/sh", "-c", 'cd -- "$0"', folder], user) is not None


def can_run(program: Path, user: User) -> bool:
    """Tell whether *user* can run *program*."""
    return _run([program, "--version"], user) is not None


def version(program: Path) -> str | None:
    """Return what *program* says of its version."""
    return _run([program, "--version"], (os.getuid(), os.getgid()))


def _run(command: list[str | Path], user: User) -> str | None:
    """Return what *command* prints when *user* runs it; None if that fails."""
    uid, gid = user
    try:
        done = subprocess.run(
            command, user=uid, group=gid, extra_groups=[], cwd="/", capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
