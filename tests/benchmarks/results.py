"""A run written down in `docs/benchmarks.json`, and the README's table made from it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.house import CHECKOUT
from tests.benchmarks.lines import Line

FILE, README = CHECKOUT / "docs" / "benchmarks.json", CHECKOUT / "README.md"
BEGIN, END = "<!-- benchmarks -->\n", "<!-- end of benchmarks -->\n"


def write(machine: dict[str, str | int], lines: list[Line], file: Path = FILE, readme: Path = README) -> None:
    """Write a whole run down, and bring the README's table up to it."""
    told = {"machine": machine, "lines": [as_json(line) for line in lines]}
    file.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    readme.write_text(with_table(readme.read_text(), table(told)))


def as_json(line: Line) -> dict[str, Any]:
    """Return a line with figures that are not longer than they are exact."""
    return {
        **asdict(line),
        "value": short(line.value),
        "figures": [[short(one) for one in row] for row in line.figures],
    }


def short(number: float) -> float:
    """Return *number* with three digits that count.

    >>> short(0.0123456), short(1234.5)
    (0.0123, 1230.0)
    """
    return float(f"{number:.3g}")


def in_words(line: Line) -> str:
    """Return a line as `make bench` prints it.

    >>> in_words(Line("plays", "plays ÷ floor", 0.2, "", 0.15, None, [[200, 1000]]))
    'plays                0.2 (target ≥ 0.15)  plays ÷ floor  [200/1000]'
    """
    figures = ", ".join("/".join(f"{one:.3g}" for one in row) for row in line.figures[:5] if len(row) == 2)
    target = target_of(asdict(line))
    told = f"{line.name:16} {amount(line.value, line.unit):>7}"
    told += f" (target {target}{'' if line.is_met else ', MISSED'})" if target else ""
    return f"{told}  {line.says}" + (f"  [{figures}]" if figures else "")


def amount(value: float, unit: str) -> str:
    """Return a value with its unit.

    >>> amount(0.15, ""), amount(299.7, "ms")
    ('0.15', '300 ms')
    """
    return f"{value:.3g}" + (f" {unit}" if unit else "")


def target_of(line: dict[str, Any]) -> str:
    """Return what a line ought to be.

    >>> target_of({"least": 0.15, "most": None, "unit": ""}), target_of({"least": None, "most": 30, "unit": "kB"})
    ('≥ 0.15', '≤ 30 kB')
    """
    if line["least"] is not None:
        return f"≥ {amount(line['least'], line['unit'])}"
    return f"≤ {amount(line['most'], line['unit'])}" if line["most"] is not None else ""


def table(told: dict[str, Any]) -> str:
    """Return a run as the README shows it."""
    machine = told["machine"]
    rows = [f"| {line['says']} | {amount(line['value'], line['unit'])} | {target_of(line)} |" for line in told["lines"]]
    head = ["| measured | | target |", "|---|---|---|"]
    where = (
        f"On {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['kernel']}, "
        f"Python {machine['python']}, PostgreSQL {machine['postgresql']}; {machine['date']}, "
        f"commit {machine['commit']}."
    )
    return "\n".join([*head, *rows, "", where]) + "\n"


def with_table(readme: str, table: str) -> str:
    """Return the README with another table between its two marks.

    >>> with_table(f"a {BEGIN}old{END} z", "new ") == f"a {BEGIN}new {END} z"
    True
    """
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table + END + after
