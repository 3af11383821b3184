"""What creating a game refuses, and in which order refusals come."""

from ..client import blame
from ..pester import not_held, other_bid
from ..seating import create, full_table, seed_of
from ..shapes import must, same
from .tokens import token_for

NO_GAME = "0" * 32
BAD_OPTIONS = [
    {"rounds": 0}, {"rounds": 21}, {"rounds": "5"}, {"rounds": True}, {"rounds": 5.0}, {"min_bid": 0}, {"min_bid": 5},
    {"min_bid": None}, {"max_bid": 7}, {"max_bid": 14}, {"must_head": 1}, {"must_head": None}, {"scoring": "hearts"},
    {"overtrick_tenths": 2}, {"overtrick_tenths": True}, {"overtrick_tenths": 0.1}, {"bonus_bid": "yes"},
    {"seating": "chosen"}, {"redeal_no_spade": 0}, {"redeal_no_honour": []}, {"redeal_low_bids": "true"},
    {"forced_cards": "sometimes"}, {"jokers": 2}, {"name": "lite"},
]  # fmt: skip
BAD_FORMS = [
    {}, {"ruleset": "poker"}, {"ruleset": None}, {"ruleset": ["lite"]}, {"ruleset": "lite", "options": []},
    {"ruleset": "lite", "visibility": "secret"}, {"ruleset": "lite", "rated": "no"},
    {"ruleset": "lite", "bots": "easy"},
    {"ruleset": "lite", "bots": ["easy"] * 4}, {"ruleset": "lite", "bots": ["godlike"]}, {"ruleset": "lite", "seat": 1},
    {"ruleset": "lite", "fill_with": "godlike"}, {"ruleset": "lite", "time_control": "fast"},
    {"ruleset": "lite", "time_control": {"kind": "blitz"}}, {"ruleset": "lite", "status": "active"},
    {"ruleset": "lite", "time_control": {"kind": "correspondence", "per_turn": 59}},
    {"ruleset": "lite", "time_control": {"kind": "correspondence", "per_turn": 1209601}},
    {"ruleset": "lite", "time_control": {"kind": "live", "per_turn": 4}},
    {"ruleset": "lite", "time_control": {"kind": "live", "per_turn": 61}},
    {"ruleset": "lite", "time_control": {"kind": "live", "per_turn": "30"}},
]  # fmt: skip


def creating(world):
    """A form that is wrong anywhere creates nothing; what is not offered is refused by name."""
    person = world.people(1)[0]
    for form in BAD_FORMS:
        person.client.refused(400, "invalid", "POST", "games", form)
    for options in BAD_OPTIONS:
        person.client.refused(400, "invalid", "POST", "games", {"ruleset": "custom", "options": options})
    for options in BAD_OPTIONS[:3]:
        person.client.refused(400, "invalid", "POST", "games/reservations", {"ruleset": "lite", "options": options})
    for bots in ([], ["easy"], ["easy", "easy"]):
        form = {"ruleset": "lite", "time_control": {"kind": "untimed"}, "bots": bots}
        person.client.refused(422, "not_available", "POST", "games", form)
    person.client.refused(422, "not_available", "POST", "games", {"ruleset": "lite", "rated": True})
    for raw in (b"", b"[]", b"null", b'"lite"', b"{", b'{"ruleset": "lite", "ruleset": "master"}', b"\xff\xfe", b"nan"):
        person.client.refused(400, "invalid", "POST", "games", raw=raw)


def reservations(world):
    """A reservation serves its owner once, for its ruleset; its commitments are the game's."""
    owner, other = world.people(2)
    form = {"ruleset": "lite", "reservation": "nothing-like-it", "client_seed": seed_of(world)}
    owner.client.refused(422, "invalid_reservation", "POST", "games", form)
    reserved = owner.client.ask("POST", "games/reservations", {"ruleset": "lite"}, expect=201).answer
    form["reservation"] = reserved["reservation"]
    other.client.refused(422, "invalid_reservation", "POST", "games", form)
    owner.client.refused(422, "invalid_reservation", "POST", "games", form | {"ruleset": "master"})
    owner.client.refused(400, "invalid", "POST", "games", form | {"client_seed": "0" * 63})
    owner.client.refused(400, "invalid", "POST", "games", form | {"client_seed": "x" * 64})
    state = owner.client.ask("POST", "games", form, expect=201).answer
    same(state["id"], reserved["game_id"], "id of the reserved game")
    same(state["fairness"]["seeded"], [True, False, False, False], "seeded")
    fairness = owner.client.get(f"games/{state['id']}/fairness")
    same(fairness["commitments"], reserved["fairness"]["commitments"], "the commitments reserved")
    owner.client.refused(422, "invalid_reservation", "POST", "games", form)
    table = create(world, owner, {"ruleset": "lite", "client_seed": seed_of(world)})
    same(table.newest()["fairness"]["seeded"], [False] * 4, "seeded by a client_seed without a reservation")
    for game in (state["id"], table.game_id):
        owner.client.ask("DELETE", f"games/{game}", expect=200)


def order(world):
    """Two refusals apply at once: the earlier one in the documented order is the answer."""
    table = full_table(world, {"ruleset": "lite"})
    table.play_on(until=lambda state: state["round"]["trick_number"] > 2)
    person = table.holder(table.newest())
    state = table.watchers[person.name].look()
    other = next(one for one in table.seated() if one is not person)
    stranger, reader = table.outsider(), token_for(person, ["games:read"])
    account = token_for(person, ["account:read"])
    bid, play = f"{table.path}/bids", f"{table.path}/plays"
    stale = {"expected_version": state["version"] - 1}
    world.nobody().refused(401, "not_authenticated", "POST", f"games/{NO_GAME}/bids", {"bid": "x"})
    reader.refused(403, "missing_scope", "POST", f"games/{NO_GAME}/bids", {"bid": "x"})
    reader.refused(403, "missing_scope", "POST", bid, {"bid": "x"})
    account.refused(403, "missing_scope", "GET", f"games/{NO_GAME}")
    account.refused(403, "missing_scope", "GET", table.path)
    person.client.refused(404, "not_found", "POST", f"games/{NO_GAME}/bids", {"bid": "x"})
    person.client.refused(404, "not_found", "POST", f"games/{NO_GAME}/bids", {"bid": 3}, key="")
    stranger.client.refused(400, "invalid", "POST", play, {"card": "XX", **stale})
    stranger.client.refused(403, "not_seated", "POST", play, {"card": "AS", **stale})
    person.client.refused(409, "version_conflict", "POST", bid, {"bid": other_bid(table, person), **stale})
    other.client.refused(409, "version_conflict", "POST", bid, {"bid": 99, **stale})
    other.client.refused(409, "wrong_phase", "POST", bid, {"bid": 99})
    other.client.refused(409, "not_your_turn", "POST", play, {"card": not_held(table, other)})
    person.client.refused(422, "card_not_held", "POST", play, {"card": not_held(table, person)})
    exchange = other.client.ask("POST", play, {"card": table.latest[other.name], **stale}, expect=200)
    same(exchange.answer["version"], state["version"], "version after a retry")
    reader.get(table.path)
    events(table, person.client)
    with blame(reader.refused(403, "missing_scope", "GET", "me")) as refused:
        must("Bearer" in refused.headers.get("WWW-Authenticate", "Bearer"), "a challenge that isn't Bearer")
    order_in_open_game(world)


def events(table, client):
    """Check what lies beyond the events, and what is no version."""
    version = client.get(table.path)["version"]
    for after in (version, version + 50):
        same(client.get(f"{table.path}/events?after={after}")["results"], [], f"the events after {after}")
    same(
        len(client.get(f"{table.path}/events?after={version - 1}")["results"]),
        1,
        "the number of events after all but one",
    )
    for after in ("x", "-1", "1.5", ""):
        client.refused(400, "invalid", "GET", f"{table.path}/events?after={after}")


def order_in_open_game(world):
    """In a game that isn't active a seat comes first, then its status, then the version."""
    creator, stranger = world.people(2)
    table = create(world, creator, {"ruleset": "lite"})
    late = {"expected_version": 99}
    stranger.client.refused(403, "not_seated", "POST", f"{table.path}/bids", {"bid": 3, **late})
    creator.client.refused(409, "game_not_active", "POST", f"{table.path}/bids", {"bid": 3, **late})
    creator.client.refused(409, "game_not_active", "POST", f"{table.path}/plays", {"card": "AS"})
    creator.client.refused(400, "invalid", "POST", f"{table.path}/plays", {"card": "AS", "expected_version": None})
    creator.client.ask("DELETE", table.path, expect=200)


SCENARIOS = {"creating": creating, "reservations": reservations, "order": order}
