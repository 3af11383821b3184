"""Programs of the machine that some tests need: found, or the test says why it was skipped."""

import shutil
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / ".tools"
PATH = f"{TOOLS}:/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/opt/homebrew/bin"


def library(name: str) -> str:
    """Return the path of a library that scripts/debian has fetched; skips the test where there is none."""
    if not (TOOLS / name).exists():
        pytest.skip(f"{name} is not on this machine; scripts/debian brings it on Debian")
    return str(TOOLS / name)


def tool(name: str) -> str:
    """Return the path of a program; skips the test where there is none."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not on this machine; scripts/debian brings it on Debian")
    return found
