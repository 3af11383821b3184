"""The pretended table: bids, plays, votes, resigning, and everything that is read of a game."""

import random

from .. import rules
from . import present
from .forms import LEVELS, WHOLE
from .game import Refusal
from .lobby import check_version, find, shown

CHANCE = random.Random(7)


def seat_of(call, game):
    """Return the caller's seat; refuse who has none."""
    seat = game.seat_of(call.caller["username"])
    if seat is None:
        raise Refusal(403, "not_seated")
    return seat


def check_active(game):
    """Refuse what needs a running game."""
    if game.status != "active":
        raise Refusal(409, "game_not_active")


def act_at_table(call, game_id, action, field, is_value):
    """Bid or play: the checks in their order, then the act."""
    game = find(call, game_id)
    form = call.form(WHOLE | {field: is_value}, (field,))

    def act():
        seat, value = game.seat_of(call.caller["username"]), form[field]
        could_be_new = game.turn == (seat, action) and (action == "bid" or value in game.held(seat))
        if seat is not None and game.latest.get(seat) == value and not could_be_new:
            return 200, shown(call, game)
        seat_of(call, game)
        check_active(game)
        check_version(call, game, form)
        if game.turn[1] != action:
            raise Refusal(409, "wrong_phase")
        if game.turn[0] != seat:
            raise Refusal(409, "not_your_turn")
        if action == "bid":
            bid(game, seat, value)
        else:
            play(game, seat, value)
        return 200, shown(call, game)

    return call.once(form, act)


def bid(game, seat, value):
    """Bid, or refuse a bid out of range."""
    if value not in rules.legal_bids(game.ruleset):
        raise Refusal(422, "illegal_bid", legal_bids=rules.legal_bids(game.ruleset))
    game.bid(seat, value)


def play(game, seat, card):
    """Play, or refuse a card not held or against the rules."""
    if card not in game.held(seat):
        raise Refusal(422, "card_not_held")
    if card not in game.legal(seat):
        raise Refusal(422, "illegal_play", legal_plays=game.legal(seat))
    game.play(seat, card)


def post_bid(call, game_id):
    """Bid."""
    return act_at_table(call, game_id, "bid", "bid", lambda value: type(value) is int)


def post_play(call, game_id):
    """Play."""
    return act_at_table(call, game_id, "play", "card", lambda value: isinstance(value, str) and value in rules.PACK)


def after_leaving(call, game):
    """Return the answer to who may no longer see the game, or its state."""
    return (204, None) if game.visibility == "private" else (200, shown(call, game))


def post_resign(call, game_id):
    """Leave for good."""
    game = find(call, game_id)
    form = call.form(WHOLE)

    def act():
        seat = seat_of(call, game)
        check_active(game)
        check_version(call, game, form)
        game.to_bot(seat, "seat.resigned")
        return after_leaving(call, game)

    return call.once(form, act)


def vote(call, game_id):
    """Agree, or no longer agree, to finish."""
    game = find(call, game_id)
    form = call.form(WHOLE)
    seat = seat_of(call, game)
    check_active(game)
    check_version(call, game, form)
    if game.ruleset["rounds"] is not None:
        raise Refusal(422, "not_available")
    wants = call.method == "PUT"
    if not wants and game.is_agreed():
        raise Refusal(409, "finish_agreed")
    if game.places[seat]["wants"] != wants:
        game.places[seat]["wants"] = wants
        game.emit("vote.changed", seat, {"wants_to_finish": wants})
        game.count_votes()
    return 200, shown(call, game)


def get_game(call, game_id):
    """Show the state."""
    return 200, shown(call, find(call, game_id, call.query.get("invite")))


def get_events(call, game_id):
    """List events, fifty at a time."""
    game, after = find(call, game_id), call.query.get("after", "0")
    if not after.isdecimal():
        raise Refusal(400, "invalid", errors={"after": ["not a version"]})
    after = int(after)
    seat = game.seat_of(call.caller["username"]) if call.caller else None
    rows = present.events(game, after, seat)
    link = call.request.url.copy_set_param("after", after + 50)
    return 200, {"results": rows[:50], "next": str(link) if len(rows) > 50 else None}


def get_round(call, game_id, number):
    """Show one round."""
    game = find(call, game_id)
    seat = game.seat_of(call.caller["username"]) if call.caller else None
    return found(present.round_in_full(game, int(number), seat))


def get_proof(call, game_id, number):
    """Show the proof of one round."""
    return found(present.proof(find(call, game_id), int(number)))


def get_fairness(call, game_id):
    """Show the commitments."""
    return found(present.fairness(find(call, game_id)))


def found(answer):
    """Return *answer*, or refuse when there is none."""
    if answer is None:
        raise Refusal(404, "not_found")
    return 200, answer


def get_export(call, game_id):
    """Show the whole record of a finished game."""
    game = find(call, game_id)
    kind = call.query.get("format", "json")
    if kind not in ("json", "text"):
        raise Refusal(400, "invalid", errors={"format": ["json or text"]})
    if game.status != "finished":
        raise Refusal(409, "game_not_finished")
    rounds = [present.round_in_full(game, number, None) for number in range(1, len(game.board) + 1)]
    names = [place["player"] for place in game.places]
    return 200, {"id": game.id, "seats": names, "rounds": rounds} if kind == "json" else f"{game.id} {names} {rounds}"


def get_turns(call):
    """List the games that wait for the caller, most urgent first."""
    name, rows = call.caller["username"], []
    for game in call.server.games.values():
        seat = game.seat_of(name)
        if seat is not None and game.turn and game.turn[0] == seat:
            turn = present.turn_part(game)
            url = f"/api/v1/games/{game.id}"
            rows.append({"game": game.id, "url": url} | {each: turn[each] for each in turn if each != "seat"})
    rows.sort(key=lambda row: (row["deadline"] is None, row["deadline"]))
    return 200, {"results": rows, "next": None, "count": len(rows)}


def get_rulesets(call):
    """List the rulesets."""
    return 200, {"results": list(rules.RULESETS.values()), "next": None}


def get_bots(call):
    """List the levels of bots."""
    return 200, {"results": [{"level": level, "description": LEVELS[level]} for level in LEVELS], "next": None}


def get_limits(call):
    """List the limits, of which there are none."""
    return 200, {"results": [], "next": None}


def tick(server, game):
    """Let time pass in *game*: a turn runs out, a bot acts."""
    if not game.turn or not server.are_bots_awake:
        return
    seat, action = game.turn
    is_missed = game.deadline and game.deadline < server.clock()
    if game.places[seat]["kind"] != "bot" and not is_missed:
        return
    if game.places[seat]["kind"] != "bot":
        game.emit("turn.missed", seat)
    if action == "bid":
        game.bid(seat, max(game.ruleset["min_bid"], CHANCE.randint(2, 4)))
    else:
        game.play(seat, CHANCE.choice(game.legal(seat)))


GAME = r"/games/(\w+)"
ROUTES = [
    ("GET", GAME, "games:read", get_game),
    ("POST", GAME + "/bids", "games:play", post_bid),
    ("POST", GAME + "/plays", "games:play", post_play),
    ("POST", GAME + "/resign", "games:play", post_resign),
    ("PUT", GAME + "/finish-vote", "games:play", vote),
    ("DELETE", GAME + "/finish-vote", "games:play", vote),
    ("GET", GAME + "/events", "games:read", get_events),
    ("GET", GAME + r"/rounds/(\d+)", "games:read", get_round),
    ("GET", GAME + r"/rounds/(\d+)/proof", "games:read", get_proof),
    ("GET", GAME + "/fairness", "games:read", get_fairness),
    ("GET", GAME + "/export", "games:read", get_export),
    ("GET", "/me/turns", "games:read", get_turns),
    ("GET", "/rulesets", "games:read", get_rulesets),
    ("GET", "/bots", "games:read", get_bots),
    ("GET", "/limits", "games:read", get_limits),
]
