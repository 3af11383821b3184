"""The watcher notices a service that tells one small lie, in whatever answer."""

import copy
import random
import re

import pytest

from .pretend.server import Pretend
from .seating import full_table
from .shapes import Wrong
from .tables import World

ROUND_1 = re.compile(r"/games/\w{32}/rounds/1")
PROOF_1 = re.compile(r"/games/\w{32}/rounds/1/proof")
PROOF_0 = re.compile(r"/games/\w{32}/rounds/0/proof")
EVENTS = re.compile(r"/games/\w{32}/events")
FAIRNESS = re.compile(r"/games/\w{32}/fairness")
STATE = re.compile(r"/games/\w{32}(/bids|/plays|/seats)?")


def play(tamper=None, options=None, busy=0, **how):
    """Play a game of two rounds on a service that tampers with its answers."""
    service = Pretend(tamper=tamper, busy=busy)
    world = World("http://pretend", random.Random(5), service.transport(), depth=0.1, pester=0.05)
    form = {"ruleset": "custom", "options": {"rounds": 2, "seating": "draw", **(options or {})}}
    return full_table(world, form, has_seeds=True, **how).play_on()


def at(pattern, change):
    """Return a tamper that applies *change* to the answers of *pattern*."""

    def tamper(call, body):
        return change(call, body) if pattern.fullmatch(call.path) else None

    return tamper


def event(kind, change):
    """Return a tamper that applies *change* to the events of *kind*."""

    def tamper(call, body):
        for row in body["results"]:
            if row["type"] == kind:
                change(row)

    return at(EVENTS, tamper)


def other_hand(call, body):
    """Show every hand of the running round."""
    game = call.server.games[body["id"]] if "id" in body else None
    if game and game.status == "active":
        body["hint"] = game.held((game.turn[0] + 1) % 4)[:1]


def show_hands(call, body):
    """Show the dealt cards of a seat that isn't the caller's."""
    game = call.server.games[call.path.split("/")[2]]
    for hand in body["hands"]:
        hand["dealt"] = game.round["hands"][hand["seat"]]


def early_seed(call, body):
    """Show the secret before the round is over."""
    game = call.server.games[call.path.split("/")[2]]
    body["server_seed"] = game.secrets[1].hex()


def hidden_seed(call, body):
    """Hide the secret of the next round in a field of another name."""
    game = call.server.games.get(body.get("id", ""))
    if game:
        body["trace"] = game.secrets[2].hex()


def gone(field):
    """Return a change that drops *field*."""

    def change(call, body):
        body.pop(field, None)

    return change


def put(field, value):
    """Return a change that sets *field*."""

    def change(call, body):
        body[field] = value

    return change


def swap_winner(call, body):
    """Let another seat win the first trick."""
    if body["tricks"] and body["tricks"][0]["winner"] is not None:
        body["tricks"][0]["winner"] = (body["tricks"][0]["winner"] + 1) % 4


def swap_cards(call, body):
    """Swap two cards between two dealt hands of a finished round."""
    if body["finished"]:
        one, two = body["hands"][0]["dealt"], body["hands"][1]["dealt"]
        one[0], two[0] = two[0], one[0]


def skip_event(call, body):
    """Leave one event out."""
    body["results"] = [row for row in body["results"] if row["version"] != 9]


def own_flag(call, body):
    """Show one viewer another score than the rest."""
    if call.caller and call.caller["username"] == max(call.server.players) and "seats" in body:
        body["seats"][0]["kind"] = "guest"


LIES = {
    "a card of another hand in a state": (at(STATE, other_hand), "is shown"),
    "the hands of a running round": (at(ROUND_1, show_hands), "dealt|hand of seat|shown"),
    "a seed too early": (at(PROOF_1, early_seed), "server_seed|before its time"),
    "a seed hidden elsewhere": (at(STATE, hidden_seed), "before its time"),
    "another commitment": (at(PROOF_1, put("commitment", "0" * 64)), "commitment"),
    "another deck": (at(PROOF_0, put("deck", ["AS"] * 52)), "deck"),
    "others joined first": (at(PROOF_0, put("joined", [0, 1, 2, 3])), "seat"),
    "another's seed": (at(FAIRNESS, lambda call, body: body["seat_seeds"] and body["seat_seeds"].reverse()), "seed"),
    "proof without redeals": (at(PROOF_1, gone("redeals")), "redeals"),
    "commitments of one round less": (at(FAIRNESS, lambda call, body: body["commitments"].pop() and None), "rounds"),
    "seeds before the start": (at(FAIRNESS, put("seat_seeds", ["0" * 64] * 4)), "seat_seeds"),
    "another winner of a trick": (at(ROUND_1, swap_winner), "winner"),
    "two cards swapped after the round": (at(ROUND_1, swap_cards), "seat"),
    "an event left out": (at(EVENTS, skip_event), "version of the next event"),
    "an event of no known type": (event("trick.won", lambda row: row.update(type="trick.lost")), "type"),
    "another card in an event": (event("card.played", lambda row: row["data"].update(card="2C")), "played|2C"),
    "two cards in an event": (event("card.played", lambda row: row["data"].update(next="KD")), "number of cards"),
    "a card in a bid's event": (event("bid.made", lambda row: row["data"].update(best="KD")), "cards"),
    "a hand dealt to a spectator": (event("round.dealt", lambda row: row["data"].update(hand=["AS"])), "round.dealt"),
    "a trick won by another": (event("trick.won", lambda row: row.update(seat=(row["seat"] + 1) % 4)), "trick.won"),
    "a time without Z": (event("bid.made", lambda row: row.update(at="2026-01-01 10:00")), "RFC 3339"),
    "one viewer told otherwise": (at(STATE, own_flag), "unlike|unchanged version"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_noticed(lie):
    tamper, words = LIES[lie]
    with pytest.raises(Wrong, match=words) as caught:
        play(tamper)
    assert caught.value.is_blamed
    assert "/api/v1/games/" in str(caught.value)


def test_a_service_that_tells_the_truth_passes():
    state = play()
    assert state["status"] == "finished"


def test_redeals_of_every_kind_pass():
    options = {"redeal_no_spade": True, "redeal_no_honour": True, "redeal_low_bids": True, "forced_cards": "at_once"}
    assert play(options=options)["status"] == "finished"


def test_a_redeal_that_was_not_owed_is_noticed(monkeypatch):
    honest = Pretend.respond

    def respond(service, call):
        status, body = honest(service, call)
        if ROUND_1.fullmatch(call.path) and status == 200 and body["finished"]:
            body = copy.deepcopy(body)
            body["redeals"] = [{"reason": "no_spade", "seat": 0}]
        return status, body

    monkeypatch.setattr(Pretend, "respond", respond)
    with pytest.raises(Wrong, match="redeal"):
        play(options={"redeal_no_spade": True})


def test_an_etag_that_stays_while_the_state_moves_is_noticed(monkeypatch):
    honest = Pretend.dress

    def dress(service, call, status, body):
        response = honest(service, call, status, body)
        if "ETag" in response.headers:
            response.headers["ETag"] = '"one for all"'
        return response

    monkeypatch.setattr(Pretend, "dress", dress)
    with pytest.raises(Wrong, match="ETag"):
        play()


def test_a_card_in_a_header_is_noticed(monkeypatch):
    honest = Pretend.dress

    def dress(service, call, status, body):
        response = honest(service, call, status, body)
        game = service.games.get(call.path.split("/")[-1])
        if game and game.status == "active":
            response.headers["X-Best"] = game.held((game.turn[0] + 2) % 4)[0]
        return response

    monkeypatch.setattr(Pretend, "dress", dress)
    with pytest.raises(Wrong, match=r"is shown|names cards"):
        play()


def test_an_answer_that_anybody_may_keep_is_noticed(monkeypatch):
    honest = Pretend.dress

    def dress(service, call, status, body):
        response = honest(service, call, status, body)
        response.headers["Cache-Control"] = "public, max-age=60"
        return response

    monkeypatch.setattr(Pretend, "dress", dress)
    with pytest.raises(Wrong, match="Cache-Control"):
        play()


def test_being_told_to_wait_is_obeyed():
    assert play(busy=9, options={"rounds": 1})["status"] == "finished"
