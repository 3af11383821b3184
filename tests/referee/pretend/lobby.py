"""The pretended lobby: reserving, creating, taking and freeing places, starting, cancelling, rematches."""

import secrets as chance

from .. import rules
from . import present
from .forms import BASE, CREATE, IS_LEVEL, LEVELS, WHOLE, is_seed, is_within
from .game import Game, Refusal, new_secrets


def ruleset_of(form):
    """Return the ruleset that a form asks for."""
    base = rules.LITE | {"name": "custom"} if form["ruleset"] == "custom" else rules.RULESETS[form["ruleset"]]
    return base | form.get("options", {})


def find(call, game_id, invite=None):
    """Return the game when the caller may see it."""
    game, name = call.server.games.get(game_id), call.caller and call.caller["username"]
    if game is None or (call.token and call.token["game"] not in (None, game_id)):
        raise Refusal(401, "not_authenticated") if not call.caller else Refusal(404, "not_found")
    if game.visibility == "private" and game.seat_of(name) is None and game.creator["username"] != name:
        is_invited = call.caller and invite == game.invite and game.status == "open"
        if not is_invited:
            raise Refusal(404 if call.caller else 401, "not_found" if call.caller else "not_authenticated")
    if not call.caller and game.visibility != "public":
        raise Refusal(401, "not_authenticated")
    call.server.tick(game)
    return game


def shown(call, game):
    """Return the state of *game* to its caller."""
    return present.state(game, game.seat_of(call.caller["username"]) if call.caller else None)


def check_version(call, game, form):
    """Refuse when the game has moved on."""
    if form.get("expected_version", game.version) != game.version:
        raise Refusal(409, "version_conflict", current=shown(call, game))


def check_open(game):
    """Refuse what goes before the start alone."""
    if game.status in ("active", "finished"):
        raise Refusal(409, "already_started")
    if game.status != "open":
        raise Refusal(409, "game_not_open")


def check_creator(call, game):
    """Refuse anybody but the creator."""
    if game.creator is not call.caller:
        raise Refusal(403, "not_creator")


def free_place(game, wanted=None):
    """Return the place *wanted*, or the first free one."""
    if None not in game.places:
        raise Refusal(409, "game_full")
    if wanted is not None and game.places[wanted]:
        raise Refusal(409, "seat_taken")
    return game.places.index(None) if wanted is None else wanted


def sit_bot(game, level, place=None):
    """Seat a bot."""
    game.sit(free_place(game, place), LEVELS[level], "bot", level)


def sit_person(call, game, place, seed=None):
    """Seat the caller."""
    game.sit(place, call.caller["username"], call.caller["kind"], None, seed)


def post_reservation(call):
    """Show the commitments before the creator's seed is known."""
    form = call.form(BASE, ("ruleset",))
    ruleset = ruleset_of(form)
    name, held = chance.token_hex(8), (chance.token_hex(16), new_secrets(ruleset))
    call.server.reservations[name] = (call.caller, ruleset, held)
    shape = present.fairness(Game(call.caller, ruleset, call.server.clock, held=held))
    return 201, {"reservation": name, "game_id": held[0], "fairness": shape}


def held_for(call, form, ruleset):
    """Return the id and secrets reserved, None without a reservation."""
    if "reservation" not in form:
        return None
    owner, reserved, held = call.server.reservations.get(form["reservation"], (None, None, None))
    if owner is not call.caller or reserved != ruleset:
        raise Refusal(422, "invalid_reservation")
    del call.server.reservations[form["reservation"]]
    return held


def post_game(call):
    """Create a game."""
    form = call.form(CREATE, ("ruleset",))
    if call.token["game"]:
        raise Refusal(403, "missing_scope")

    def act():
        bots, control = form.get("bots", []), form.get("time_control", {"kind": "correspondence", "per_turn": 86400})
        if form.get("rated") or (control["kind"] == "untimed" and len(bots) < 3):
            raise Refusal(422, "not_available")
        ruleset = ruleset_of(form)
        held = held_for(call, form, ruleset)
        control = {"per_turn": 86400} | control if control["kind"] != "untimed" else control
        settings = (form.get("visibility", "public"), control, form.get("fill_with", "easy"), held)
        game = Game(call.caller, ruleset, call.server.clock, *settings)
        call.server.games[game.id] = game
        sit_person(call, game, 0, form.get("client_seed") if held else None)
        for level in bots:
            sit_bot(game, level)
        return 201, shown(call, game)

    return call.once(form, act)


def get_games(call):
    """List games, newest first, three a page."""
    name, games = call.caller["username"], reversed(list(call.server.games.values()))
    if call.query.get("mine") == "true":
        games = [game for game in games if game.seat_of(name) is not None]
    else:
        games = [game for game in games if game.visibility == "public"]
    if "status" in call.query:
        games = [game for game in games if game.status == call.query["status"]]
    if "ruleset" in call.query:
        games = [game for game in games if game.ruleset["name"] == call.query["ruleset"]]
    at = int(call.query.get("cursor", 0))
    link = call.request.url.copy_set_param("cursor", at + 3)
    results = [{"id": game.id, "status": game.status} for game in games[at : at + 3]]
    return 200, {"results": results, "next": str(link) if len(games) > at + 3 else None}


def delete_game(call, game_id):
    """Cancel an open game."""
    game = find(call, game_id)
    check_creator(call, game)
    check_open(game)
    game.end("cancelled")
    return 200, shown(call, game)


def post_seat(call, game_id):
    """Take a place."""
    text = {"seat": is_within(0, 3), "invite": lambda value: isinstance(value, str), "client_seed": is_seed}
    try:
        form, fault = call.form(WHOLE | text), None
    except Refusal as refusal:
        form, fault = {}, refusal
    game = find(call, game_id, form.get("invite"))
    if fault:
        raise fault

    def act():
        if game.seat_of(call.caller["username"]) is not None:
            raise Refusal(409, "already_seated")
        check_open(game)
        check_version(call, game, form)
        sit_person(call, game, free_place(game, form.get("seat")), form.get("client_seed"))
        return 200, shown(call, game)

    return call.once(form, act)


def delete_seat(call, game_id, which):
    """Give up one's place, or free another's."""
    game, name = find(call, game_id), call.caller["username"]
    if which == "me":
        place = game.seat_of(name)
        if place is None:
            raise Refusal(403, "not_seated")
    else:
        check_creator(call, game)
        place = int(which)
    check_open(game)
    if game.places[place]:
        game.free(place)
    is_hidden = game.visibility == "private" and game.seat_of(name) is None and game.creator is not call.caller
    return (204, None) if is_hidden else (200, shown(call, game))


def post_bot(call, game_id):
    """Fill a place with a bot."""
    game = find(call, game_id)
    form = call.form(WHOLE | {"level": IS_LEVEL, "seat": is_within(0, 3)}, ("level",))

    def act():
        check_creator(call, game)
        check_open(game)
        check_version(call, game, form)
        sit_bot(game, form["level"], form.get("seat"))
        return 200, shown(call, game)

    return call.once(form, act)


def post_start(call, game_id):
    """Start, with bots on the empty places."""
    game = find(call, game_id)
    form = call.form(WHOLE)

    def act():
        check_creator(call, game)
        check_open(game)
        check_version(call, game, form)
        while None in game.places:
            sit_bot(game, game.fill_with)
        return 200, shown(call, game)

    return call.once(form, act)


def post_rematch(call, game_id):
    """Give everyone who asks the same new game, and a place in it."""
    game = find(call, game_id)
    form = call.form(WHOLE)
    if game.seat_of(call.caller["username"]) is None:
        raise Refusal(403, "not_seated")
    if game.status != "finished":
        raise Refusal(409, "game_not_finished")
    check_version(call, game, form)
    if game.rematch is None:
        game.rematch = Game(call.caller, game.ruleset, call.server.clock, game.visibility, game.control)
        call.server.games[game.rematch.id] = game.rematch
    again = game.rematch
    if again.seat_of(call.caller["username"]) is None and again.status == "open":
        sit_person(call, again, free_place(again))
    return 200, shown(call, again)


ROUTES = [
    ("POST", "/games/reservations", "games:play", post_reservation),
    ("POST", "/games", "games:play", post_game),
    ("GET", "/games", "games:read", get_games),
    ("DELETE", r"/games/(\w+)", "games:play", delete_game),
    ("POST", r"/games/(\w+)/seats", "games:play", post_seat),
    ("DELETE", r"/games/(\w+)/seats/(me|[0-3])", "games:play", delete_seat),
    ("POST", r"/games/(\w+)/bots", "games:play", post_bot),
    ("POST", r"/games/(\w+)/start", "games:play", post_start),
    ("POST", r"/games/(\w+)/rematch", "games:play", post_rematch),
]
