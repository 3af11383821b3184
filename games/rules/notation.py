"""The parts of a written record: numbered lines, headers, and a ruleset in a few words."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from games.rules.ruleset import CUSTOM, RULESETS, Ruleset, as_json, customised

HEADER = re.compile(r'\[([A-Z][A-Za-z0-9]*) (".*")\]')
OPTION = re.compile(r"([a-z_]+)=([a-z0-9_-]+)")


class RecordError(ValueError):
    """The text is not a record; the message names the line."""


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Name line *number* in any ValueError raised inside."""
    try:
        yield
    except ValueError as error:
        raise RecordError(f"Line {number}: {error}") from error


class Lines:
    """The lines of a text that are not blank, taken one after the other.

    >>> Lines("bids: 3 2 4 1").take("tricks: …", "tricks: (.*)")
    Traceback (most recent call last):
        ...
    games.rules.notation.RecordError: Line 1: expected 'tricks: …', not 'bids: 3 2 4 1'
    """

    def __init__(self, text: str) -> None:
        """Start before the first line of *text*."""
        lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        self._waiting = [(number, line) for number, line in reversed(lines) if line]
        self.number = 0

    @property
    def are_left(self) -> bool:
        """Whether there is another line."""
        return bool(self._waiting)

    def take(self, expected: str, pattern: str) -> tuple[str, ...]:
        """Return the groups of *pattern* in the next line, whose number is *number* from now on."""
        found = self.take_if(pattern)
        if found is None:
            number, line = self._waiting[-1] if self._waiting else (self.number + 1, None)
            with at_line(number):
                raise ValueError(f"expected {expected!r}, not {'the end' if line is None else repr(line)}")
        return found

    def take_if(self, pattern: str | re.Pattern[str]) -> tuple[str, ...] | None:
        """Return the groups of *pattern* in the next line, or leave it and return None when it does not match."""
        match = re.fullmatch(pattern, self._waiting[-1][1]) if self._waiting else None
        if match is None:
            return None
        self.number, _ = self._waiting.pop()
        return match.groups(default="")

    def check(self, text: str) -> None:
        """Raise RecordError unless the lines left are those of *text*."""
        for expected in filter(None, text.split("\n")):
            self.take(expected, re.escape(expected))


class Headers:
    """The headers of a record by name."""

    def __init__(self, lines: Lines) -> None:
        """Take all headers that come next from *lines*."""
        self.values: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        while found := lines.take_if(HEADER):
            name, quoted = found
            with at_line(lines.number):
                if name in self.values:
                    raise ValueError(f"the header {name} is there twice")
                self.values[name] = json.loads(quoted)
            self._numbers[name] = lines.number
        self._end = lines.number + 1

    def __getitem__(self, name: str) -> str:
        """Return the value of header *name*; raises RecordError when it is missing."""
        with self.at(name):
            if name not in self.values:
                raise ValueError(f"the header {name} is missing")
        return self.values[name]

    @contextmanager
    def at(self, name: str) -> Iterator[None]:
        """Name the line of header *name* in any ValueError raised inside."""
        with at_line(self._numbers.get(name, self._end)):
            yield


def header(name: str, value: str) -> str:
    """Return the header line *name*, with *value* quoted as in JSON; ValueError when *name* is not one.

    >>> header("Seat0", "ann")
    '[Seat0 "ann"]'
    """
    line = f"[{name} {json.dumps(value, ensure_ascii=False)}]"
    match = HEADER.fullmatch(line)
    if match is None or match[1] != name:
        raise ValueError(f"{name!r} cannot name a header")
    return line


def options_text(ruleset: Ruleset) -> str:
    """Return the options that make *ruleset* of the one that its name stands for.

    >>> options_text(customised("master", {"rounds": 3, "must_head": True}))
    'rounds=3 must_head=true'
    """
    usual = as_json(RULESETS.get(ruleset.name, CUSTOM))
    return " ".join(
        f"{option}={value if isinstance(value, str) else json.dumps(value)}"
        for option, value in as_json(ruleset).items()
        if option != "name" and value != usual[option]
    )


def ruleset_of(name: str, options: str) -> Ruleset:
    """Return the ruleset *name* with the *options* that `options_text` wrote.

    >>> ruleset_of("lite", "rounds=3").rounds
    3
    """
    chosen: dict[str, object] = {}
    for word in options.split():
        match = OPTION.fullmatch(word)
        if match is None or match[1] in chosen:
            raise ValueError(f"{word!r} is not an option, or is there twice")
        chosen[match[1]] = _option_value(match[2])
    return customised(name, chosen)


def _option_value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
