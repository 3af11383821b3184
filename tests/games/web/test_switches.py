"""The form for a table offers exactly what the rules allow, and the paces that the API allows too."""

from games.api.forms import PER_TURN
from games.rules.ruleset import OPTIONS
from games.web.forms import PACES
from games.web.switches import SWITCHES

WORDS = ["draw", "random", "off", "at_once", "overtricks", "exact-or-one-over", "masked"]
SOME_VALUES = [None, True, False, *range(-1, 252), *WORDS]


def test_every_switch_of_the_rules_is_offered_with_every_value_that_it_can_have() -> None:
    assert SWITCHES.keys() == OPTIONS.keys()
    for option, switch in SWITCHES.items():
        offered = [value for value, _ in switch.values]
        allowed = [value for value in SOME_VALUES if OPTIONS[option](value) is None]
        assert sorted(map(repr, offered)) == sorted(map(repr, allowed)), option


def test_every_pace_is_one_that_the_api_allows() -> None:
    for clock in PACES.values():
        if clock.kind == "untimed":
            assert clock.per_turn_s is None
            continue
        least, most, _ = PER_TURN[clock.kind]
        assert least <= (clock.per_turn_s or 0) <= most
