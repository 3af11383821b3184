"""What a pretended form may hold: a predicate for each field."""

import re

from .. import rules

WHOLE = {"expected_version": lambda value: type(value) is int and value >= 0}
LEVELS = {"easy": "Easy bot", "medium": "Medium bot"}
HEX_SEED = re.compile(r"[0-9a-fA-F]{64}")


def is_flag(value):
    """Return whether *value* is true or false."""
    return type(value) is bool


def is_within(low, high):
    """Return the predicate of an integer from *low* to *high*."""
    return lambda value: type(value) is int and low <= value <= high


def is_among(*values):
    """Return the predicate of one of *values*."""
    return lambda value: any(value == one and type(value) is type(one) for one in values)


def is_seed(value):
    """Return whether *value* is 64 hex digits."""
    return isinstance(value, str) and HEX_SEED.fullmatch(value) is not None


OPTIONS = {
    "rounds": lambda value: value is None or is_within(1, 20)(value),
    "min_bid": is_within(1, 4),
    "max_bid": is_within(8, 13),
    "must_head": is_flag,
    "scoring": is_among("overtricks", "exact-or-one-over"),
    "overtrick_tenths": is_among(0, 1),
    "bonus_bid": is_flag,
    "seating": is_among("draw", "random"),
    "redeal_no_spade": is_flag,
    "redeal_no_honour": is_flag,
    "redeal_low_bids": is_flag,
    "forced_cards": is_among("off", "at_once"),
}
IS_LEVEL = is_among(*LEVELS)


def is_control(value):
    """Return whether *value* is a time control."""
    if not isinstance(value, dict) or set(value) - {"kind", "per_turn", "bank"}:
        return False
    limits = {"correspondence": (60, 1209600), "live": (5, 60)}
    if value.get("kind") in limits:
        return is_within(*limits[value["kind"]])(value.get("per_turn", 86400 if value["kind"] != "live" else 30))
    return value == {"kind": "untimed"}


def are_options(value):
    """Return whether *value* holds options alone, each within its limits."""
    return isinstance(value, dict) and all(name in OPTIONS and OPTIONS[name](one) for name, one in value.items())


BASE = {"ruleset": is_among(*rules.RULESETS, "custom"), "options": are_options}
CREATE = BASE | {
    "visibility": is_among("public", "unlisted", "private"),
    "rated": is_flag,
    "time_control": is_control,
    "bots": lambda value: isinstance(value, list) and len(value) <= 3 and all(IS_LEVEL(level) for level in value),
    "fill_with": IS_LEVEL,
    "reservation": lambda value: isinstance(value, str),
    "client_seed": is_seed,
}
