"""Scores are whole tenths of a point."""

from collections.abc import Sequence
from functools import cache

from games.rules.ruleset import EXACT_OR_ONE_OVER, OVERTRICKS, Ruleset

BONUS_FROM_BID = 8
BONUS_TENTHS = 130

TRICKS_OVER_ALLOWED = {OVERTRICKS: 13, EXACT_OR_ONE_OVER: 1}


def score_tenths(bid: int, tricks: int, ruleset: Ruleset) -> int:
    """Return what a hand that bid *bid* and took *tricks* scores.

    >>> from games.rules.ruleset import LITE, MASTER
    >>> score_tenths(5, 7, LITE), score_tenths(4, 3, LITE)
    (52, -40)
    >>> score_tenths(4, 5, MASTER), score_tenths(4, 6, MASTER), score_tenths(9, 10, MASTER)
    (40, -40, 130)
    """
    over = tricks - bid
    if not 0 <= over <= TRICKS_OVER_ALLOWED[ruleset.scoring]:
        return -10 * bid
    if ruleset.bonus_bid and bid >= BONUS_FROM_BID:
        return BONUS_TENTHS
    if ruleset.scoring == OVERTRICKS:
        return 10 * bid + over * ruleset.overtrick_tenths
    return 10 * bid


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each total, the highest first; equal totals share one.

    >>> places([52, -40, 52, 13])
    (1, 4, 1, 3)
    """
    return tuple(1 + sum(other > total for other in totals) for total in totals)


def gaps(totals: Sequence[int], seat: int) -> tuple[int, ...]:
    """Return what each seat's total has over that of *seat*, below nothing where it trails.

    >>> gaps([52, -40, 52, 13], seat=3)
    (39, -53, 39, 0)
    """
    return tuple(total - totals[seat] for total in totals)


@cache
def points(tenths: int) -> str:
    """Return *tenths* in points, with exactly one decimal.

    >>> points(52), points(-40), points(-3)
    ('5.2', '-4.0', '-0.3')
    """
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}.{rest}"
