"""Nothing is taken from a request but what the contract names, each with its type."""

from typing import Any

import pytest
from django.db.models import Model

from games.models import Event, Game, Hand, Reservation, Round, Seat
from players.models import Player, Token
from tests.games.api.tables import Someone, four, good, play_on, refused

pytestmark = pytest.mark.django_db

RIGHT: dict[str, Any] = {
    "visibility": "unlisted", "rated": False, "bots": ["easy"], "fill_with": "easy", "client_seed": "0A" * 32,
    "time_control": {"kind": "live", "per_turn": 5},
    "options": {
        "rounds": None, "min_bid": 4, "max_bid": 8, "must_head": False, "scoring": "exact-or-one-over",
        "overtrick_tenths": 0, "bonus_bid": True, "seating": "draw", "redeal_no_spade": True, "redeal_no_honour": True,
        "redeal_low_bids": True, "forced_cards": "at_once",
    },
}  # fmt: skip


@pytest.mark.parametrize("ruleset", ["call-break-2", "master", "lite", "custom"])
def test_every_switch_of_every_ruleset_can_be_set(ruleset: str) -> None:
    made = Someone().create(ruleset=ruleset, **RIGHT)
    assert made["ruleset"] == {"name": ruleset, **RIGHT["options"]}
    assert made["time_control"] == RIGHT["time_control"]
    assert (made["visibility"], made["fill_with"], made["seats"][1]["bot_level"]) == ("unlisted", "easy", "easy")


def test_custom_starts_from_the_switches_of_lite() -> None:
    [lite] = [row for row in good(Someone().get("/rulesets"))["results"] if row["name"] == "lite"]
    assert Someone().create(ruleset="custom")["ruleset"] == {**lite, "name": "custom"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, {"kind": "correspondence", "per_turn": 86400}),
        ({"kind": "correspondence"}, {"kind": "correspondence", "per_turn": 86400}),
        ({"per_turn": 60}, {"kind": "correspondence", "per_turn": 60}),
        ({"kind": "correspondence", "per_turn": 1209600}, {"kind": "correspondence", "per_turn": 1209600}),
        ({"kind": "live"}, {"kind": "live", "per_turn": 30}),
        ({"kind": "live", "per_turn": 60}, {"kind": "live", "per_turn": 60}),
    ],
)
def test_a_turn_has_the_time_that_is_asked_for_or_the_usual(asked: dict[str, Any], told: dict[str, Any]) -> None:
    assert Someone().create(time_control=asked)["time_control"] == told


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"ruleset": "whist"}, "ruleset"),
    ({"ruleset": None}, "ruleset"),
    ({"ruleset": ["lite"]}, "ruleset"),
    ({"options": None}, "options"),
    ({"options": []}, "options"),
    ({"options": {"jokers": 2}}, "options.jokers"),
    ({"options": {"name": "lite"}}, "options.name"),
    ({"options": {"rounds": 0}}, "options.rounds"),
    ({"options": {"rounds": 21}}, "options.rounds"),
    ({"options": {"rounds": 5.0}}, "options.rounds"),
    ({"options": {"rounds": True}}, "options.rounds"),
    ({"options": {"rounds": "5"}}, "options.rounds"),
    ({"options": {"min_bid": 0}}, "options.min_bid"),
    ({"options": {"min_bid": 5}}, "options.min_bid"),
    ({"options": {"max_bid": 7}}, "options.max_bid"),
    ({"options": {"max_bid": 14}}, "options.max_bid"),
    ({"options": {"must_head": 1}}, "options.must_head"),
    ({"options": {"bonus_bid": "true"}}, "options.bonus_bid"),
    ({"options": {"scoring": "points"}}, "options.scoring"),
    ({"options": {"scoring": {}}}, "options.scoring"),
    ({"options": {"overtrick_tenths": 2}}, "options.overtrick_tenths"),
    ({"options": {"seating": None}}, "options.seating"),
    ({"options": {"redeal_low_bids": None}}, "options.redeal_low_bids"),
    ({"options": {"forced_cards": "masked"}}, "options.forced_cards"),
    ({"visibility": "secret"}, "visibility"),
    ({"rated": 0}, "rated"),
    ({"rated": "false"}, "rated"),
    ({"time_control": "live"}, "time_control"),
    ({"time_control": {"kind": "blitz"}}, "time_control.kind"),
    ({"time_control": {"kind": "live", "per_turn": 4}}, "time_control.per_turn"),
    ({"time_control": {"kind": "live", "per_turn": 61}}, "time_control.per_turn"),
    ({"time_control": {"kind": "live", "per_turn": None}}, "time_control.per_turn"),
    ({"time_control": {"per_turn": 59}}, "time_control.per_turn"),
    ({"time_control": {"per_turn": 1209601}}, "time_control.per_turn"),
    ({"time_control": {"per_turn": 10**30}}, "time_control.per_turn"),
    ({"time_control": {"per_turn": "60"}}, "time_control.per_turn"),
    ({"time_control": {"kind": "untimed", "per_turn": 60}}, "time_control.per_turn"),
    ({"time_control": {"kind": "correspondence", "bank": 3600}}, "time_control.bank"),
    ({"bots": ["easy"] * 4}, "bots"),
    ({"bots": ["grandmaster"]}, "bots.0"),
    ({"bots": ["easy", None]}, "bots.1"),
    ({"bots": "easy"}, "bots"),
    ({"bots": {"easy": 1}}, "bots"),
    ({"fill_with": "hard"}, "fill_with"),
    ({"reservation": 7}, "reservation"),
    ({"client_seed": "0a" * 31}, "client_seed"),
    ({"client_seed": "0g" * 32}, "client_seed"),
    ({"client_seed": "０a" * 32}, "client_seed"),
    ({"client_seed": "0a" * 31 + "0\n"}, "client_seed"),
    ({"client_seed": 0}, "client_seed"),
]


@pytest.mark.parametrize(("changes", "field"), WRONG)
def test_a_field_that_is_not_right_is_named_and_no_game_is_made(changes: dict[str, Any], field: str) -> None:
    problem = refused(Someone().post("/games", {"ruleset": "lite", **changes}), 400, "invalid")
    assert list(problem["errors"]) == [field] and Game.objects.count() == 0


def test_rated_games_are_not_available_yet() -> None:
    refused(Someone().post("/games", {"ruleset": "lite", "rated": True}), 422, "not_available")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("seats", {"seat": 4}, "seat"),
        ("seats", {"seat": -1}, "seat"),
        ("seats", {"seat": "1"}, "seat"),
        ("seats", {"seat": None}, "seat"),
        ("seats", {"invite": 7}, "invite"),
        ("seats", {"client_seed": "x" * 64}, "client_seed"),
        ("seats", {"expected_version": "1"}, "expected_version"),
        ("seats", {"expected_version": 1.0}, "expected_version"),
        ("seats", {"expected_version": None}, "expected_version"),
        ("bots", {}, "level"),
        ("bots", {"level": "expert"}, "level"),
        ("bots", {"level": "easy", "seat": True}, "seat"),
        ("start", {"seat": 1}, "seat"),
        ("start", {"expected_version": True}, "expected_version"),
    ],
)
def test_forms_of_an_open_table_are_as_strict(path: str, body: dict[str, Any], field: str) -> None:
    creator = Someone()
    game_id = creator.create()["id"]
    assert list(refused(creator.post(f"/games/{game_id}/{path}", body), 400, "invalid")["errors"]) == [field]


def columns(*models: type[Model]) -> set[str]:
    """Return every field that a row has, under both its names."""
    fields = [field for model in models for field in model._meta.get_fields()]
    return {name for field in fields for name in (field.name, getattr(field, "attname", field.name))}


ROWS = columns(Game, Seat, Hand, Round, Event, Reservation, Player, Token)
NAMED = {
    "/games": {"ruleset", "visibility", "fill_with", "client_seed", "reservation"},
    "/games/reservations": {"ruleset"},
    "seats": {"seat", "invite", "client_seed"},
    "bots": {"level", "seat"},
    "bids": {"bid"},
    "plays": {"card"},
}


def test_no_field_of_a_row_can_be_set_but_those_that_the_contract_names() -> None:
    creator = Someone()
    open_id = creator.create()["id"]
    game_id, people = four(ruleset="master")
    play_on(game_id, people, acts=5)
    player = people[people[0].state(game_id)["turn"]["seat"]]
    rows = {model: list(model.objects.order_by("pk").values()) for model in (Game, Seat, Hand, Event, Player)}
    writes = [
        (creator, "POST", "/games", {"ruleset": "lite"}),
        (creator, "POST", "/games/reservations", {"ruleset": "lite"}),
        (Someone(player=people[0].player), "POST", f"/games/{open_id}/seats", {}),
        (creator, "POST", f"/games/{open_id}/bots", {"level": "easy"}),
        (creator, "POST", f"/games/{open_id}/start", {}),
        (creator, "DELETE", f"/games/{open_id}/seats/me", {}),
        (creator, "DELETE", f"/games/{open_id}/seats/0", {}),
        (creator, "DELETE", f"/games/{open_id}", {}),
        (player, "POST", f"/games/{game_id}/bids", {"bid": 3}),
        (player, "POST", f"/games/{game_id}/plays", {"card": "AS"}),
        (player, "POST", f"/games/{game_id}/resign", {}),
        (player, "POST", f"/games/{game_id}/rematch", {}),
        (player, "PUT", f"/games/{game_id}/finish-vote", {}),
        (player, "DELETE", f"/games/{game_id}/finish-vote", {}),
    ]
    extra = {"is_bot", "score", "hand", "user", "player", "deck", "turn"}
    for someone, method, path, body in writes:
        named = NAMED.get(path, NAMED.get(path.rpartition("/")[2], set()))
        unasked = dict.fromkeys((ROWS | extra) - named - set(body), 1)
        problem = refused(someone.send(method, path, {**body, **unasked}), 400, "invalid")
        assert problem["errors"] == {field: ["Unknown field."] for field in unasked} and len(unasked) > 60
    for model, before in rows.items():
        assert list(model.objects.order_by("pk").values()) == before
