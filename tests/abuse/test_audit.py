"""The quick part of `make audit` holds with every run of the tests; the rest says when it was not run."""

import os
import subprocess
from pathlib import Path

from tests.site.running import CHECKOUT

BIN = CHECKOUT / ".venv" / "bin"


def test_bandit_finds_nothing() -> None:
    command = [
        BIN / "bandit",
        "-q",
        "-ll",
        "--skip",
        "B101,B104,B108,B608",
        "-r",
        "callbreak_site",
        "players",
        "games",
        "bots",
    ]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_an_audit_that_was_not_run_says_so_and_fails(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "scripts").mkdir(parents=True)
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / "scripts" / "audit").write_text((CHECKOUT / "scripts" / "audit").read_text())
    for name, code in {"bandit": 0, "detect-secrets-hook": 0, "pip-audit": 1}.items():
        program = checkout / ".venv" / "bin" / name
        program.write_text(f"#!/bin/sh\necho nobody answered\nexit {code}\n")
        program.chmod(0o755)
    done = subprocess.run(
        ["sh", "scripts/audit"], cwd=checkout, capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 1
    assert done.stdout.count("audit not run") == 3
    assert "audit not run" in (CHECKOUT / "docs" / "releasing.md").read_text()
