"""Failures made on purpose, at named points of the code: inert but in the tests of what must survive them.

`CB_FAILPOINTS` lists them: `move.after_commit=exit,bot.in_think=sleep:3@20%`. Each is a point, an action (`exit` ends
the process as a crash would, `sleep:SECONDS`, `raise`) and, after `@`, when: `3` only the third time in a process,
`20%` one time in five, `while:FILE` while there is such a file, `once:FILE` likewise, but the file is taken away first,
so that one process fails once. Without a condition a point fails every time.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from secrets import randbelow

from django.conf import settings

POINTS = frozenset(
    """
    move.before_lock move.after_lock move.before_commit move.after_commit web.before_response
    outbox.before_kick outbox.after_claim outbox.after_send bot.in_think bot.before_submit
    archive.before_delete
    """.split()
)
EXIT_CODE = 9


class FailureOnPurpose(Exception):
    """What the action `raise` raises."""


@dataclass(frozen=True)
class Failure:
    """What happens at a point, and whether it is time for it."""

    act: Callable[[], None]
    is_due: Callable[[], bool]


def failpoint(name: str) -> None:
    """Fail here if CB_FAILPOINTS says so; never outside tests."""
    if settings.FAILPOINTS and settings.CALLBREAK_ENV == "test":
        failure = failures(settings.FAILPOINTS).get(name)
        if failure is not None and failure.is_due():
            failure.act()


@cache
def failures(text: str) -> dict[str, Failure]:
    """Return the failure at each point that *text* names; raises ValueError with a sentence.

    >>> sorted(failures("move.after_commit=exit@2,bot.in_think=sleep:0.5"))
    ['bot.in_think', 'move.after_commit']
    >>> failures("move.sideways=exit")
    Traceback (most recent call last):
    ValueError: there is no point 'move.sideways'
    """
    found = {}
    for item in text.split(","):
        point, _, rest = item.strip().partition("=")
        if point not in POINTS:
            raise ValueError(f"there is no point {point!r}")
        if point in found:
            raise ValueError(f"{point} is there twice")
        action, at, condition = rest.partition("@")
        found[point] = Failure(_action(action), _condition(condition) if at else _always)
    return found


def _action(text: str) -> Callable[[], None]:
    name, _, seconds = text.partition(":")
    if text == "exit":
        return lambda: os._exit(EXIT_CODE)
    if text == "raise":
        return _raise
    if name == "sleep" and _is_number(seconds):
        return lambda: time.sleep(float(seconds))
    raise ValueError(f"{text!r} is not exit, raise or sleep:SECONDS")


def _condition(text: str) -> Callable[[], bool]:
    kind, _, file = text.partition(":")
    if text.isdecimal() and int(text) > 0:
        times = count(1)
        return lambda: next(times) == int(text)
    if text.endswith("%") and _is_number(text[:-1]) and float(text[:-1]) <= 100:
        return lambda: randbelow(1_000_000) < float(text[:-1]) * 10_000
    if kind == "while" and file.startswith("/"):
        return Path(file).exists
    if kind == "once" and file.startswith("/"):
        return lambda: _take_away(Path(file))
    raise ValueError(f"{text!r} is not a number of times, a percentage, while:/FILE or once:/FILE")


def _always() -> bool:
    return True


def _raise() -> None:
    raise FailureOnPurpose


def _take_away(file: Path) -> bool:
    """Remove *file*; tell whether it was there, which only one process is told."""
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    return True


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
