"""The rules by example: the pages draw these, and the tests hold the rules to them.

>>> from games.rules.cards import cards, show
>>> from games.rules.ruleset import LITE
>>> from games.rules.trick import legal_plays, trick
>>> all(show(legal_plays(cards(each.hand), trick(each.so_far), LITE)) == each.with_must_head for each in PLAYS)
True
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PlayExample:
    """A hand, the trick that it faces, and what it may play by rules with must-head and by rules without."""

    hand: str
    so_far: str
    with_must_head: str
    without: str


PLAYS = (
    PlayExample("AS KH 7H 2H", "9H", "KH", "KH 7H 2H"),
    PlayExample("AS KH 2H", "QH 3S", "KH 2H", "KH 2H"),
    PlayExample("AS 3H 2H", "QH", "3H 2H", "3H 2H"),
    PlayExample("AH JH 2H", "9H QH", "AH", "AH JH 2H"),
    PlayExample("JS 9S AD", "TS", "JS", "JS 9S"),
    PlayExample("3S 2D", "QH", "3S", "3S"),
    PlayExample("AS 3S 2D", "QH 4S", "AS", "AS"),
    PlayExample("3S 2D", "QH 4S", "3S 2D", "3S 2D"),
    PlayExample("JC AD 2D", "QH", "JC AD 2D", "JC AD 2D"),
)


@dataclass(frozen=True)
class TrickExample:
    """A whole trick and the place in it of the card that takes it."""

    played: str
    winner: int


TRICKS = (
    TrickExample("9H JH AH 4H", 2),
    TrickExample("9H AD AC KD", 0),
    TrickExample("9H 2S AH KH", 1),
    TrickExample("9H 2S JS AH", 2),
)


@dataclass(frozen=True)
class ScoreExample:
    """What a hand scores under a ruleset, with house rules if given."""

    ruleset: str
    bid: int
    tricks: int
    points: str
    options: Mapping[str, object] = field(default_factory=dict)


SCORES = (
    *(
        ScoreExample(name, *row)
        for name in ("call-break-2", "lite")
        for row in ((4, 3, "-4.0"), (4, 4, "4.0"), (4, 5, "4.1"), (5, 7, "5.2"), (8, 8, "8.0"), (8, 7, "-8.0"))
    ),
    *(
        ScoreExample("master", *row)
        for row in (
            (4, 3, "-4.0"),
            (4, 4, "4.0"),
            (4, 5, "4.0"),
            (4, 6, "-4.0"),
            (9, 9, "13.0"),
            (9, 10, "13.0"),
            (9, 11, "-9.0"),
        )
    ),
    ScoreExample("lite", 8, 10, "13.0", {"bonus_bid": True}),
    ScoreExample("lite", 5, 7, "5.0", {"overtrick_tenths": 0}),
    ScoreExample("lite", 5, 7, "-5.0", {"scoring": "exact-or-one-over"}),
)

DRAW = (("KH", 2), ("AS", 0), ("KS", 1), ("2D", 3))
"""Four cards that players draw for their seats, in order of joining, and the seat that each gets."""

REDEALS = (
    ("redeal_no_spade", "AH QH 9H 7H 3H KC JC 8C 4C AD TD 6D 2D"),
    ("redeal_no_honour", "TS 8S 5S 2S TH 9H 6H 8C 7C 3C 9D 5D 4D"),
)
"""A switch, and a hand that is dealt again when it is on."""
