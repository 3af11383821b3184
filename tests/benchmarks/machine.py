"""Where the figures are from: without that they say nothing."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from tests.benchmarks.house import CHECKOUT, House


def machine(house: House) -> dict[str, str | int]:
    """Return what this machine is, what runs on it, and what was measured."""
    with house.connect() as connection:
        return {
            "cpu": cpu_model(),
            "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 0,
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
            "kernel": f"{platform.system()} {platform.release()}",
            "python": platform.python_version(),
            "postgresql": version_of(connection),
            "date": datetime.now(UTC).date().isoformat(),
            "commit": commit(),
        }


def cpu_model() -> str:
    """Return the processor's name."""
    try:
        told = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")), "")


def version_of(connection: "psycopg.Connection[tuple[object, ...]]") -> str:
    """Return the version of a PostgreSQL."""
    number = connection.info.server_version
    return f"{number // 10_000}.{number % 10_000}"


def commit() -> str:
    """Return the commit that is checked out, with `+` when the files differ from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or "unknown"
