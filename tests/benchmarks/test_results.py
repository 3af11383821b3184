"""What is written down is what the README shows."""

import json
from pathlib import Path

import pytest

from tests.benchmarks import results
from tests.benchmarks.lines import Line

LINE = Line("plays", "plays ÷ floor", 0.2345, "", 0.15, None, [[234.5, 1000.0]])
MACHINE = {"cpu": "a CPU", "cores": 2, "memory_gb": 8, "kernel": "Linux 6", "python": "3.11.7", "postgresql": "18.4"}


def test_the_readme_shows_the_last_run_that_was_written_down() -> None:
    readme = results.README.read_text()
    if results.FILE.exists():
        assert results.with_table(readme, results.table(json.loads(results.FILE.read_text()))) == readme


def test_a_run_is_written_to_the_file_and_into_the_readme(tmp_path: Path) -> None:
    file, readme = tmp_path / "benchmarks.json", tmp_path / "README.md"
    readme.write_text(f"before\n{results.BEGIN}old\n{results.END}after\n")
    results.write({**MACHINE, "date": "2026-01-02", "commit": "abc"}, [LINE], file, readme)
    told = json.loads(file.read_text())
    assert told["lines"][0] | {"value": 0.234} == told["lines"][0]
    assert told["machine"]["cpu"] == "a CPU"
    assert "| plays ÷ floor | 0.234 | ≥ 0.15 |" in readme.read_text()
    assert (
        "a CPU, 2 cores, 8 GB, Linux 6, Python 3.11.7, PostgreSQL 18.4; 2026-01-02, commit abc." in readme.read_text()
    )
    assert "old" not in readme.read_text() and readme.read_text().endswith("after\n")


@pytest.mark.parametrize(("value", "is_met"), [(0.16, True), (0.14, False)])
def test_a_missed_target_is_said(value: float, is_met: bool) -> None:
    line = Line("plays", "", value, "", 0.15, None, [])
    assert line.is_met == is_met
    assert ("MISSED" in results.in_words(line)) != is_met
