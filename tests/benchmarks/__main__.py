"""`make bench`: measure every line, or one, and write a whole run down."""

import argparse
import signal
import sys
from collections.abc import Callable
from dataclasses import replace

from tests.benchmarks import bots, growth, plays, results, room, rules, scaling, views
from tests.benchmarks.house import House, house
from tests.benchmarks.lines import Line, Size
from tests.benchmarks.machine import machine

MEASURES: dict[str, Callable[[House, Size], list[Line]]] = {
    "rules": rules.rules,  # while this process's memory is still in one piece
    "plays": plays.plays,
    "latency": plays.latency,
    "views": views.views,
    "bots": bots.bots,
    "room": room.room,
    "scaling": scaling.scaling,
    "growth": growth.growth,
}


def main(words: list[str]) -> int:
    """Print each line as soon as it is measured; 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--only", choices=MEASURES, help="measure one line, and write nothing down")
    parser.add_argument("--seconds", type=float, default=Size.seconds, help="how long each repetition takes")
    parser.add_argument("--games", type=int, default=Size.games, help="how many games are stored for `growth`")
    told = parser.parse_args(words)
    size = replace(Size(), seconds=told.seconds, games=told.games)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lines: list[Line] = []
    try:
        with house() as own:
            here = machine(own)
            for name in [told.only] if told.only else MEASURES:
                for line in MEASURES[name](own, size):
                    lines.append(line)
                    sys.stdout.write(results.in_words(line) + "\n")
                    sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    if not told.only:
        results.write(here, lines)
    return 0 if all(line.is_met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
