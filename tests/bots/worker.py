"""The Celery application of a worker whose bots dawdle for as many seconds as `BOTS_DAWDLE` says."""

import os
import time
from random import Random

from bots.engine import LEVELS, Level
from callbreak_site.celery import app
from games.rules.view import View

__all__ = ["app"]


def dawdling(level: Level, seconds: float) -> Level:
    """Return *level*, whose bots wait before they bid or play."""

    def bid(seen: View, rng: Random) -> int:
        time.sleep(seconds)
        return level.bid(seen, rng)

    def play(seen: View, rng: Random) -> int:
        time.sleep(seconds)
        return level.play(seen, rng)

    return Level(level.name, level.description, bid, play)


for name, level in list(LEVELS.items()):
    LEVELS[name] = dawdling(level, float(os.environ["BOTS_DAWDLE"]))
