"""A ruleset is a frozen value with a switch for everything in which tables differ."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

RULES_VERSION = 1
MAX_ROUNDS = 250

OVERTRICKS = "overtricks"
EXACT_OR_ONE_OVER = "exact-or-one-over"


@dataclass(frozen=True)
class Ruleset:
    """The switches of one table.

    >>> LITE.must_head, MASTER.must_head
    (True, False)
    """

    name: str
    rounds: int | None
    """How many rounds a game has; None where it is open-ended."""
    min_bid: int
    max_bid: int
    must_head: bool
    """Whether a seat that follows suit must beat the card that is winning the trick, if it can."""
    scoring: str
    """OVERTRICKS: a bid is made with as many tricks or more. EXACT_OR_ONE_OVER: with as many or one more."""
    overtrick_tenths: int
    """What each trick over the bid adds, under OVERTRICKS."""
    bonus_bid: bool
    """Whether a bid of 8 or more that is made scores 13."""
    seating: str
    """`draw`: cards drawn decide the seats and the first dealer. `random`: seats stay, the first dealer is random."""
    redeal_no_spade: bool
    redeal_no_honour: bool
    redeal_low_bids: bool
    forced_cards: str
    """`at_once`: a card that is the only legal one is played by itself. `off`: it is not."""


CALL_BREAK_2 = Ruleset(
    name="call-break-2",
    rounds=5,
    min_bid=1,
    max_bid=13,
    must_head=True,
    scoring=OVERTRICKS,
    overtrick_tenths=1,
    bonus_bid=False,
    seating="draw",
    redeal_no_spade=False,
    redeal_no_honour=False,
    redeal_low_bids=False,
    forced_cards="off",
)
MASTER = replace(
    CALL_BREAK_2,
    name="master",
    rounds=None,
    min_bid=2,
    must_head=False,
    scoring=EXACT_OR_ONE_OVER,
    bonus_bid=True,
    seating="random",
)
LITE = replace(CALL_BREAK_2, name="lite", seating="random")

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in (CALL_BREAK_2, MASTER, LITE)}

CUSTOM = replace(LITE, name="custom")


class OptionErrors(ValueError):
    """Some options are unknown, mistyped or out of range."""

    def __init__(self, errors: dict[str, str]) -> None:
        """Keep *errors*, a message for each option that is wrong."""
        super().__init__("; ".join(f"{option}: {message}" for option, message in errors.items()))
        self.errors = errors


Check = Callable[[object], str | None]


def _switch(value: object) -> str | None:
    return None if isinstance(value, bool) else "Must be true or false."


def _one_of(*choices: str) -> Check:
    def check(value: object) -> str | None:
        if isinstance(value, str) and value in choices:
            return None
        return f"Must be one of: {', '.join(choices)}."

    return check


def _whole(least: int, most: int, or_null: str = "") -> Check:
    def check(value: object) -> str | None:
        if value is None and or_null:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return None
        return f"Must be a whole number from {least} to {most}{or_null}."

    return check


OPTIONS: Mapping[str, Check] = {
    "rounds": _whole(1, 20, ", or null for an open-ended game"),
    "min_bid": _whole(1, 4),
    "max_bid": _whole(8, 13),
    "must_head": _switch,
    "scoring": _one_of(OVERTRICKS, EXACT_OR_ONE_OVER),
    "overtrick_tenths": _whole(0, 1),
    "bonus_bid": _switch,
    "seating": _one_of("draw", "random"),
    "redeal_no_spade": _switch,
    "redeal_no_honour": _switch,
    "redeal_low_bids": _switch,
    "forced_cards": _one_of("off", "at_once"),
}


def customised(name: str, options: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset *name*, a published one or `custom`, with *options* changed; raises OptionErrors.

    >>> customised("lite", {"rounds": 3}).rounds
    3
    >>> customised("lite", {"rounds": 21, "jokers": True})
    Traceback (most recent call last):
        ...
    games.rules.ruleset.OptionErrors: rounds: Must be a whole number from 1 to 20, or null for an open-ended game.; \
jokers: Unknown option.
    """
    start = CUSTOM if name == CUSTOM.name else RULESETS.get(name)
    if start is None:
        raise OptionErrors({"ruleset": f"Must be one of: {', '.join([*RULESETS, CUSTOM.name])}."})
    errors = {}
    for option, value in options.items():
        message = OPTIONS[option](value) if option in OPTIONS else "Unknown option."
        if message:
            errors[option] = message
    if errors:
        raise OptionErrors(errors)
    return replace(start, **options)


def is_house_rules(ruleset: Ruleset) -> bool:
    """Return whether *ruleset* differs from the published one of its name.

    >>> is_house_rules(LITE), is_house_rules(customised("lite", {"rounds": 3})), is_house_rules(CUSTOM)
    (False, True, True)
    """
    return RULESETS.get(ruleset.name) != ruleset


def as_json(ruleset: Ruleset) -> dict[str, Any]:
    """Return every switch of *ruleset*, and its name, as JSON values.

    >>> as_json(LITE)["rounds"]
    5
    """
    return dict(_switches(ruleset))


@lru_cache(maxsize=1024)  # custom tables have thousands
def _switches(ruleset: Ruleset) -> dict[str, Any]:
    return asdict(ruleset)


def from_json(switches: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that `as_json` wrote as *switches*.

    >>> from_json(as_json(MASTER)) == MASTER
    True
    """
    return Ruleset(**{field.name: switches[field.name] for field in fields(Ruleset)})
