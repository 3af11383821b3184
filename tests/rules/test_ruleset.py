"""The published rulesets, and the house rules that tables may switch on."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given

from games.rules.ruleset import (
    CALL_BREAK_2,
    CUSTOM,
    LITE,
    MASTER,
    OPTIONS,
    RULESETS,
    OptionErrors,
    Ruleset,
    as_json,
    customised,
    from_json,
    is_house_rules,
)
from tests.rules.playing import rulesets

USUAL = {
    "rounds": 5,
    "min_bid": 1,
    "max_bid": 13,
    "must_head": True,
    "scoring": "overtricks",
    "overtrick_tenths": 1,
    "bonus_bid": False,
    "redeal_no_spade": False,
    "redeal_no_honour": False,
    "redeal_low_bids": False,
    "forced_cards": "off",
}
MASTER_DIFFERS = {
    "rounds": None,
    "min_bid": 2,
    "must_head": False,
    "scoring": "exact-or-one-over",
    "bonus_bid": True,
}


@pytest.mark.parametrize(
    ("ruleset", "switches"),
    [
        (CALL_BREAK_2, USUAL | {"name": "call-break-2", "seating": "draw"}),
        (MASTER, USUAL | MASTER_DIFFERS | {"name": "master", "seating": "random"}),
        (LITE, USUAL | {"name": "lite", "seating": "random"}),
        (CUSTOM, USUAL | {"name": "custom", "seating": "random"}),
    ],
    ids=lambda value: value.name if isinstance(value, Ruleset) else "",
)
def test_the_rulesets_are_those_of_the_three_games(ruleset: Ruleset, switches: dict[str, Any]) -> None:
    assert as_json(ruleset) == switches


def test_three_rulesets_are_published() -> None:
    assert RULESETS == {"call-break-2": CALL_BREAK_2, "master": MASTER, "lite": LITE}


def test_every_switch_is_an_option() -> None:
    assert list(OPTIONS) == [field.name for field in fields(Ruleset) if field.name != "name"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rounds", 1),
        ("rounds", 20),
        ("rounds", None),
        ("min_bid", 1),
        ("min_bid", 4),
        ("max_bid", 8),
        ("max_bid", 13),
        ("must_head", False),
        ("scoring", "exact-or-one-over"),
        ("scoring", "overtricks"),
        ("overtrick_tenths", 0),
        ("bonus_bid", True),
        ("seating", "draw"),
        ("seating", "random"),
        ("redeal_no_spade", True),
        ("redeal_no_honour", True),
        ("redeal_low_bids", True),
        ("forced_cards", "at_once"),
    ],
)
@pytest.mark.parametrize("name", [*RULESETS, "custom"])
def test_a_house_rule_changes_its_switch_and_nothing_else(name: str, option: str, value: object) -> None:
    start = RULESETS.get(name, CUSTOM)
    assert as_json(customised(name, {option: value})) == as_json(start) | {option: value}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rounds", 0),
        ("rounds", 21),
        ("rounds", -1),
        ("rounds", "5"),
        ("rounds", 5.0),
        ("rounds", True),
        ("min_bid", 0),
        ("min_bid", 5),
        ("min_bid", None),
        ("min_bid", True),
        ("max_bid", 7),
        ("max_bid", 14),
        ("must_head", 1),
        ("must_head", "true"),
        ("must_head", None),
        ("scoring", "none"),
        ("scoring", None),
        ("scoring", ["overtricks"]),
        ("overtrick_tenths", 2),
        ("overtrick_tenths", -1),
        ("overtrick_tenths", True),
        ("overtrick_tenths", 0.1),
        ("bonus_bid", 0),
        ("seating", "drawn"),
        ("redeal_no_spade", 1),
        ("redeal_no_honour", "no"),
        ("redeal_low_bids", {}),
        ("forced_cards", "masked"),
        ("forced_cards", False),
        ("name", "lite"),
        ("jokers", True),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(option: str, value: object) -> None:
    with pytest.raises(OptionErrors) as refusal:
        customised("lite", {"rounds": 3, option: value})
    assert list(refusal.value.errors) == [option]
    assert option in str(refusal.value)


def test_all_wrong_options_are_named_at_once() -> None:
    with pytest.raises(OptionErrors) as refusal:
        customised("master", {"rounds": 21, "min_bid": 2, "jokers": 2})
    assert refusal.value.errors == {
        "rounds": "Must be a whole number from 1 to 20, or null for an open-ended game.",
        "jokers": "Unknown option.",
    }


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(OptionErrors) as refusal:
        customised("spades", {})
    assert refusal.value.errors == {"ruleset": "Must be one of: call-break-2, master, lite, custom."}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_a_published_ruleset_with_its_own_values_has_no_house_rules(ruleset: Ruleset) -> None:
    options = as_json(ruleset)
    del options["name"]
    assert not is_house_rules(customised(ruleset.name, options))


def test_a_changed_ruleset_has_house_rules_and_a_custom_one_always() -> None:
    assert is_house_rules(customised("lite", {"rounds": 4}))
    assert is_house_rules(customised("custom", {}))


@given(rulesets)
def test_a_ruleset_goes_through_json_unchanged(ruleset: Ruleset) -> None:
    assert from_json(json.loads(json.dumps(as_json(ruleset)))) == ruleset


def test_the_order_of_the_switches_in_json_does_not_matter() -> None:
    assert from_json(dict(sorted(as_json(MASTER).items()))) == MASTER
