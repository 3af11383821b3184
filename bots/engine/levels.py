"""The levels on offer."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bots.engine import easy, medium
from games.rules.ruleset import EXACT_OR_ONE_OVER
from games.rules.state import Phase
from games.rules.view import View

Choice = Callable[[View, Random], int]


@dataclass(frozen=True)
class Level:
    """One strength of play, under the name that its bots bear at a table."""

    name: str
    description: str
    bid: Choice
    play: Choice


LEVELS: dict[str, Level] = {
    "easy": Level(
        "Easy bot",
        "A careful beginner: bids its sure winners, plays high when it can win and low when it can't.",
        easy.bid,
        easy.play,
    ),
    "medium": Level(
        "Medium bot",
        "Counts cards, bids by its chances under the table's scoring, and plays for its bid.",
        medium.bid,
        medium.play,
    ),
}


def choose(level: str, view: View, rng: Random) -> int:
    """Return the bid or the card that a bot of *level* chooses on its turn, the same for the same view and *rng*."""
    playing = LEVELS[level]
    if view.phase is not Phase.BID:
        return playing.play(view, rng)
    bid = playing.bid(view, rng)
    # One over is a success too, so 13 tricks make a bid of 12, and 13 can only be worse.
    return min(bid, 12) if view.ruleset.scoring == EXACT_OR_ONE_OVER else bid
