"""Thinking with an end: a bot gets so many seconds and so much memory, and what it answers is checked."""

import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from bots.engine import choose
from callbreak_site.failpoints import failpoint
from games.rules.view import View

MEGABYTE = 1 << 20
MEMORY_IN_USE = Path("/proc/self/statm")
DATA_PAGES = 5


class TimeUp(BaseException):
    """The bot has thought for too long. No Exception, so that no bot catches it."""


class IllegalChoice(Exception):
    """The bot chose what the rules forbid."""


def think(level: str, view: View, rng: Random, *, seconds: float, megabytes: int) -> int:
    """Return the legal bid or card that a bot chooses; raises TimeUp, IllegalChoice and whatever the bot raises."""
    with _at_most(seconds), _no_more_than(megabytes):
        failpoint("bot.in_think")
        choice = choose(level, view, rng)
    if not is_legal(choice, view):
        raise IllegalChoice
    return choice


def is_legal(choice: object, view: View) -> bool:
    """Tell whether *choice* is a bid or a card that the seat on turn may choose."""
    if type(choice) is not int:
        return False
    if view.legal_bids is not None:
        return choice in view.legal_bids
    return choice in range(52) and bool((view.legal_plays or 0) >> choice & 1)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block after *seconds*. Only a main thread gets signals; workers run their tasks in one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _time_up)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _no_more_than(megabytes: int) -> Iterator[None]:
    """Raise MemoryError in the block where it asks for *megabytes* more than the process has; on Linux only."""
    if threading.current_thread() is not threading.main_thread() or not MEMORY_IN_USE.exists():
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    in_use = int(MEMORY_IN_USE.read_text().split()[DATA_PAGES]) * resource.getpagesize()
    wanted = in_use + megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _time_up(signal_number: int, frame: FrameType | None) -> None:
    raise TimeUp
