"""Our rules against OpenSpiel's `spades`, both driven from Python on one core."""

import gc
import random

from tests.benchmarks.house import House
from tests.benchmarks.lines import Line, Size, ratio
from tests.benchmarks.rounds import play_our_round, play_their_round, rates_of


def rules(_: House, size: Size) -> list[Line]:
    """Measure random legal rounds."""
    import pyspiel  # noqa: PLC0415  # the one line that needs it; `make bench` installs it

    gc.collect()
    gc.freeze()  # what the benchmark itself has loaded is not for the rules to be searched for garbage
    spades, rng = pyspiel.load_game("spades"), random.Random(1)
    both = [lambda: play_our_round(rng), lambda: play_their_round(spades, rng)]
    rows = [rates_of(both, size.seconds / 4) for _ in range(size.repetitions)]
    return [ratio("rules", "random rounds by our rules ÷ by OpenSpiel's spades, from Python", rows, 0, 1, least=0.25)]
