"""A state with anything wrong in it is complained about: each change to a true one is noticed."""

import copy
import random

import pytest

from . import states
from .pretend.server import Pretend
from .seating import full_table
from .shapes import Wrong
from .tables import World


@pytest.fixture(scope="module")
def recorded():
    """States of one game as the seat on turn saw them: bidding, playing, in the last round, finished, and one open."""
    world = World("http://pretend", random.Random(3), Pretend().transport(), depth=0, pester=0)
    table = full_table(world, {"ruleset": "call-break-2", "options": {"rounds": 2}}, has_seeds=True)
    kept = {}

    def keep(name, until):
        state = table.play_on(until=until)
        person = table.holder(state) or table.seated()[0]
        kept[name] = table.watchers[person.name].look()

    keep("bidding", lambda state: sum(seat["bid"] is not None for seat in state["seats"]) == 2)
    keep("playing", lambda state: state["round"]["trick_number"] == 4 and len(state["round"]["trick"]) == 2)
    keep("last", lambda state: state["round"]["number"] == 2 and state["round"]["trick_number"] == 2)
    keep("finished", lambda state: False)
    opened = full_table(world, {"ruleset": "lite"}, count=2)
    kept["open"] = opened.watchers[opened.seated()[0].name].look()
    return kept


def reach(value, path):
    """Return what lies at *path* inside *value*."""
    for step in path:
        value = value[step]
    return value


CHANGES = [
    ("bidding", ("version",), "7"),
    ("bidding", ("version",), True),
    ("bidding", ("status",), "running"),
    ("bidding", ("status",), "finished"),
    ("bidding", ("you", "legal_bids"), None),
    ("bidding", ("you", "legal_bids"), [1, 2, 3]),
    ("bidding", ("you", "legal_plays"), []),
    ("bidding", ("turn", "action"), "play"),
    ("bidding", ("turn",), None),
    ("bidding", ("round", "trick_number"), 2),
    ("bidding", ("round", "of"), None),
    ("bidding", ("seats", 0, "cards"), 12),
    ("bidding", ("seats", 0, "tricks"), 1),
    ("bidding", ("seats", 0, "drawn_card"), None),
    ("bidding", ("seats", 1, "seat"), 2),
    ("bidding", ("seats", 1, "kind"), None),
    ("bidding", ("seats", 1, "kind"), "bot"),
    ("bidding", ("seats", 1, "wants_to_finish"), True),
    ("bidding", ("seats", 1, "place"), 1),
    ("bidding", ("final_round",), []),
    ("bidding", ("totals", 0), "0"),
    ("bidding", ("totals", 0), "1.0"),
    ("bidding", ("scoreboard",), None),
    ("bidding", ("fairness", "seeded"), [True, False, True]),
    ("bidding", ("ruleset", "must_head"), 1),
    ("bidding", ("result",), {"places": [1, 1, 1, 1], "winners": [0, 1, 2, 3], "totals": ["0.0"] * 4}),
    ("playing", ("turn", "action"), "bid"),
    ("playing", ("turn", "deadline"), None),
    ("playing", ("turn", "deadline"), "tomorrow"),
    ("playing", ("turn", "seconds_left"), 10**6),
    ("playing", ("round", "leader"), None),
    ("playing", ("round", "dealer"), 1),
    ("playing", ("round", "trick"), []),
    ("playing", ("round", "trick_number"), 5),
    ("playing", ("round", "last_trick"), None),
    ("playing", ("round", "last_trick", "number"), 2),
    ("playing", ("round", "last_trick", "round"), 2),
    ("playing", ("round", "trick", 0, "card"), "10H"),
    ("playing", ("you", "legal_plays"), []),
    ("playing", ("you", "legal_plays"), None),
    ("playing", ("you", "hand"), []),
    ("last", ("final_round",), None),
    ("last", ("final_round", 0, "gaps", 1), "99.9"),
    ("last", ("final_round", 2, "total"), "0.5"),
    ("last", ("scoreboard", 0, "scores", 2), "0.5"),
    ("last", ("scoreboard", 0, "bids", 2), 0),
    ("last", ("scoreboard", 0, "tricks", 2), 13),
    ("last", ("seats", 3, "score"), "77.0"),
    ("finished", ("result", "places"), [1, 1, 1, 1]),
    ("finished", ("result", "winners"), []),
    ("finished", ("result",), None),
    ("finished", ("round",), None),
    ("finished", ("round", "trick_number"), 1),
    ("finished", ("seats", 0, "place"), None),
    ("finished", ("you", "hand"), ["AS"]),
    ("finished", ("you", "legal_plays"), []),
    ("open", ("seats", 0, "cards"), 13),
    ("open", ("seats", 0, "bid"), 3),
    ("open", ("round",), {}),
    ("open", ("you", "hand"), ["AS"]),
    ("open", ("seats", 0, "player"), None),
]


@pytest.mark.parametrize(("name", "path", "value"), CHANGES)
def test_a_changed_field_is_noticed(recorded, name, path, value):
    states.check_state(recorded[name])
    spoilt = copy.deepcopy(recorded[name])
    *way, field = path
    reach(spoilt, way)[field] = value
    with pytest.raises(Wrong):
        states.check_state(spoilt)


@pytest.mark.parametrize("name", ["bidding", "playing", "last", "finished", "open"])
def test_a_missing_field_is_noticed(recorded, name):
    for field in recorded[name]:
        spoilt = {other: value for other, value in recorded[name].items() if other != field}
        with pytest.raises(Wrong, match=field):
            states.check_state(spoilt)


@pytest.mark.parametrize("name", ["bidding", "playing", "last", "finished", "open"])
def test_more_fields_are_no_fault(recorded, name):
    more = copy.deepcopy(recorded[name]) | {"more": 1}
    more["seats"][0]["more"] = 1
    for side in more["final_round"] or []:
        side["more"] = 1
    states.check_state(more)


@pytest.mark.parametrize("name", ["playing", "last"])
def test_a_legal_play_too_many_or_too_few_is_noticed(recorded, name):
    spoilt = copy.deepcopy(recorded[name])
    you = spoilt["you"]
    illegal = [card for card in you["hand"] if card not in you["legal_plays"]]
    you["legal_plays"] = you["legal_plays"] + illegal[:1] if illegal else you["legal_plays"][1:]
    with pytest.raises(Wrong, match="legal_plays"):
        states.check_state(spoilt)


def test_a_hand_in_another_order_is_noticed(recorded):
    spoilt = copy.deepcopy(recorded["playing"])
    spoilt["you"]["hand"].reverse()
    with pytest.raises(Wrong, match="order of the hand"):
        states.check_state(spoilt)


def test_another_winner_of_the_last_trick_is_noticed(recorded):
    spoilt = copy.deepcopy(recorded["playing"])
    last = spoilt["round"]["last_trick"]
    last["winner"] = (last["winner"] + 1) % 4
    with pytest.raises(Wrong, match="winner of last_trick"):
        states.check_state(spoilt)


def test_the_wrong_seat_on_turn_is_noticed(recorded):
    for name in ("bidding", "playing", "last"):
        spoilt = copy.deepcopy(recorded[name])
        spoilt["turn"]["seat"] = (spoilt["turn"]["seat"] + 1) % 4
        with pytest.raises(Wrong, match="turn"):
            states.check_state(spoilt)
