"""What `make bench` prints, line by line: the names, the targets, and how each is measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

REPETITIONS = 3


@dataclass(frozen=True)
class Size:
    """How much is measured: the seconds of each repetition, the stored games (some of them no copies), how often."""

    seconds: float = 8
    games: int = 100_000
    played_games: int = 20
    finished_games: int = 40
    bots_turns: int = 30
    repetitions: int = REPETITIONS


@dataclass(frozen=True)
class Line:
    """One ratio (or size, or time) with its target, and the figures that it was made from, a row a repetition."""

    name: str
    says: str
    value: float
    unit: str
    least: float | None
    most: float | None
    figures: Sequence[Sequence[float]]

    @property
    def is_met(self) -> bool:
        """Whether the value is within its targets.

        >>> Line("x", "", 5, "", None, 5, ()).is_met, Line("x", "", 4, "", 5, None, ()).is_met
        (True, False)
        """
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)


def alternating(measures: Sequence[Callable[[], float]], repetitions: int) -> list[list[float]]:
    """Measure each in turn, so many times, and return a row for each repetition.

    >>> alternating([iter([1, 2]).__next__, iter([3, 4]).__next__], 2)
    [[1, 3], [2, 4]]
    """
    return [[measure() for measure in measures] for _ in range(repetitions)]


def ratio(
    name: str,
    says: str,
    rows: Sequence[Sequence[float]],
    above: int,
    below: int,
    *,
    least: float | None = None,
    most: float | None = None,
) -> Line:
    """Return the line of one column divided by another: the median of what each row gives.

    >>> ratio("x", "", [[1, 2], [3, 4], [1, 10]], 0, 1).value
    0.5
    """
    value = median(row[above] / row[below] for row in rows)
    return Line(name, says, value, "", least, most, [[row[above], row[below]] for row in rows])
