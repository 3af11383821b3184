"""The pretended accounts: signing up, in and out, tokens, profiles."""

import re
import secrets as chance

from .game import Refusal

SCOPES = ["games:read", "games:play", "account:read", "account:write", "chat:write", "webhooks:write", "bot:play"]
TEXT = {"username": lambda value: isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]{3,20}", value) is not None}
TEXT |= {name: lambda value: isinstance(value, str) and len(value) >= 1 for name in ("password", "name", "old", "new")}
TEXT["email"] = lambda value: isinstance(value, str) and "@" in value


def only(*names):
    """Return the predicates of the fields *names*."""
    return {name: TEXT[name] for name in names}


def by_name(server, username):
    """Return the account of *username* in any case, None without one."""
    return server.players.get(username.lower())


def new_token(call, player, scopes=SCOPES, name="", game=None):
    """Write down a token and return its text."""
    text = "cb_" + chance.token_urlsafe(32)
    call.server.tokens[text] = {
        "player": player, "scopes": list(scopes), "id": chance.token_hex(16), "name": name, "game": game
    }  # fmt: skip
    return text


def public(player):
    """Return the profile of *player*."""
    return {"username": player["username"], "kind": player["kind"]}


def sign_up(call, username, password, kind):
    """Create an account; its token is shown once."""
    if by_name(call.server, username):
        raise Refusal(409, "username_taken")
    player = {"id": chance.token_hex(16), "username": username, "password": password, "kind": kind}
    call.server.players[username.lower()] = player
    return 201, {"player": public(player), "token": new_token(call, player)}


def post_player(call):
    """Sign up."""
    form = call.form(only("username", "password", "email"), ("username", "password"))
    return sign_up(call, form["username"], form["password"], "human")


def post_guest(call):
    """Sign up as a guest."""
    call.form({})
    return sign_up(call, f"guest-{chance.token_hex(4)}", None, "guest")


def post_session(call):
    """Sign in."""
    form = call.form(only("username", "password", "name"), ("username", "password"))
    player = by_name(call.server, form["username"])
    if not player or player["password"] != form["password"]:
        raise Refusal(403, "wrong_password")
    return 201, {"player": public(player), "token": new_token(call, player)}


def get_me(call):
    """Show one's own profile."""
    return 200, public(call.caller)


def patch_me(call):
    """Change one's profile; a guest that brings name and password is a person from now on."""
    form = call.form(only("username", "password", "email"))
    name = form.get("username", call.caller["username"])
    other = by_name(call.server, name)
    if other not in (None, call.caller):
        raise Refusal(409, "username_taken")
    before = call.caller["username"]
    call.server.players[name.lower()] = call.server.players.pop(before.lower())
    call.caller |= {"username": name, "kind": "human", "password": form.get("password", call.caller["password"])}
    rename(call.server, before, name, "human")
    return 200, public(call.caller)


def rename(server, before, name, kind):
    """Show *name* at the seats of who was called *before*."""
    for game in server.games.values():
        seat = game.seat_of(before)
        if seat is not None:
            game.places[seat] |= {"player": name, "kind": kind}
        for event in game.events:
            if event["data"].get("player") == before:
                event["data"]["player"] = name


def post_password(call):
    """Change the password; all other tokens end."""
    form = call.form(only("old", "new"), ("old", "new"))
    if form["old"] != call.caller["password"]:
        raise Refusal(403, "wrong_password")
    call.caller["password"] = form["new"]
    end_tokens(call.server, call.caller, but=call.token)
    return 204, None


def end_tokens(server, player, but=None):
    """End the tokens of *player*."""
    server.tokens = {
        text: token for text, token in server.tokens.items() if token["player"] is not player or token is but
    }


def delete_me(call):
    """Close the account; running seats go to a bot, finished games lose the name."""
    form = call.form(only("password"), ("password",))
    if form["password"] != call.caller["password"]:
        raise Refusal(403, "wrong_password")
    name = call.caller["username"]
    for game in call.server.games.values():
        seat = game.seat_of(name)
        if seat is not None and game.status == "active":
            game.to_bot(seat, "seat.taken_over")
        if seat is not None and game.status == "open":
            game.free(seat)
    rename(call.server, name, f"closed-{chance.token_hex(4)}", "human")
    del call.server.players[name.lower()]
    end_tokens(call.server, call.caller)
    return 204, None


def post_token(call):
    """Create a token."""
    fields = only("name") | {
        "scopes": lambda value: isinstance(value, list) and value and all(scope in SCOPES for scope in value),
        "expires_in": lambda value: type(value) is int and value > 0,
        "game": lambda value: isinstance(value, str),
    }
    form = call.form(fields, ("name", "scopes"))

    def act():
        text = new_token(call, call.caller, form["scopes"], form["name"], form.get("game"))
        return 201, shown(call.server.tokens[text]) | {"token": text}

    return call.once(form, act)


def shown(token):
    """Return *token* as a list shows it."""
    return {"id": token["id"], "name": token["name"], "scopes": token["scopes"]}


def get_tokens(call):
    """List one's tokens."""
    mine = [shown(token) for token in call.server.tokens.values() if token["player"] is call.caller]
    return 200, {"results": mine, "next": None}


def delete_token(call, token_id):
    """End a token."""
    for text, token in call.server.tokens.items():
        if token["id"] == token_id and token["player"] is call.caller:
            del call.server.tokens[text]
            return 204, None
    raise Refusal(404, "not_found")


def get_player(call, username, part):
    """Show a profile, or an empty list of games."""
    player = by_name(call.server, username)
    if not player:
        raise Refusal(404, "not_found")
    return 200, {"results": [], "next": None} if part == "/games" else public(player)


ROUTES = [
    ("POST", "/players", None, post_player),
    ("POST", "/players/guest", None, post_guest),
    ("POST", "/sessions", None, post_session),
    ("GET", "/me", "account:read", get_me),
    ("PATCH", "/me", "account:write", patch_me),
    ("POST", "/me/password", "account:write", post_password),
    ("DELETE", "/me", "account:write", delete_me),
    ("POST", "/tokens", "account:write", post_token),
    ("GET", "/tokens", "account:read", get_tokens),
    ("DELETE", r"/tokens/(\w+)", "account:write", delete_token),
    ("GET", r"/players/([\w-]+)(/stats|/games)?", "games:read", get_player),
]
