"""Where the data folder, the secret and the embedded servers are, for settings that were given none."""

import json
import os
import secrets
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

CHECKOUT = Path(__file__).resolve().parent.parent.parent
KINDS = {
    "DATABASE_URL": (("postgres", "postgresql"), "postgres://user:password@host:5432/name"),
    "REDIS_URL": (("redis", "rediss", "unix"), "redis://host:6379/0 or unix:///path/to/redis.sock?db=0"),
}
NOWHERE = Path("/nonexistent")


def data_folder() -> Path:
    """Return the folder that holds everything worth keeping."""
    return Path(os.environ.get("CALLBREAK_DATA_DIR") or CHECKOUT / "var").expanduser().absolute()


def services_file(data: Path) -> Path:
    """Return the file in which a running supervisor tells others where its servers are."""
    return data / "services.json"


def database_url(data: Path) -> str:
    """Return the address of the embedded PostgreSQL; nothing answers there until it has been started."""
    return _told(data, "database_url") or f"postgres://callbreak@/callbreak?host={NOWHERE}"


def redis_url(data: Path) -> str:
    """Return the address of the embedded Redis; nothing answers there until it has been started."""
    return _told(data, "redis_url") or f"unix://{NOWHERE}/redis.sock?db=0"


def checked(url: str, name: str) -> str:
    """Return *url* if it is an address of the kind that the variable *name* may hold; raises ValueError otherwise.

    >>> checked("mysql://localhost/callbreak", "DATABASE_URL")
    Traceback (most recent call last):
    ValueError: DATABASE_URL must look like postgres://user:password@host:5432/name
    """
    schemes, example = KINDS[name]
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in schemes and (parts.port or 1) > 0 and (len(parts.path) > 1 or name != "DATABASE_URL")
    except ValueError:  # a port that is no number, brackets that are not closed
        is_good = False
    if not is_good:
        raise ValueError(f"{name} must look like {example}")
    return url


def celery_url(redis: str) -> str:
    """Return *redis*, a REDIS_URL, as Celery's broker spells it.

    >>> celery_url("redis://localhost:6379/0")
    'redis://localhost:6379/0'
    >>> celery_url("unix:///tmp/redis.sock?db=2")
    'redis+socket:///tmp/redis.sock?virtual_host=2'
    """
    parts = urlsplit(redis)
    if parts.scheme != "unix":
        return redis
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"


def secret_key(data: Path) -> str:
    """Return the key in the data folder, or a passing one (enough for checks and tests) when there is none yet."""
    try:
        return (data / "secret_key").read_text().strip()
    except OSError:
        return secrets.token_urlsafe(48)


def _told(data: Path, name: str) -> str:
    try:
        told = json.loads(services_file(data).read_text())
    except (OSError, ValueError):
        return ""
    return str(told.get(name, ""))
