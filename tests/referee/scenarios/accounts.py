"""Signing up, in and out: people, guests, passwords, closing an account."""

import secrets as chance

from ..client import blame
from ..seating import create, full_table, join
from ..shapes import must, same
from ..tables import PASSWORD
from .tokens import token_for

NEW_PASSWORD = "Another-one-for-the-referee-13"
BAD_SIGN_UPS = [
    {}, {"username": "someone_new"}, {"password": PASSWORD}, {"username": "ab", "password": PASSWORD},
    {"username": "x" * 21, "password": PASSWORD}, {"username": "with space", "password": PASSWORD},
    {"username": "someone_new", "password": 5}, {"username": "someone_new", "password": PASSWORD, "kind": "human"},
    {"username": "someone_new", "password": PASSWORD, "is_staff": True}, {"username": "<b>", "password": PASSWORD},
    {"username": "someone_new", "password": PASSWORD, "email": "nowhere"},
]  # fmt: skip
WRONG_PASSWORD = (400, 401, 403, 422)


def sign_up_and_in(world):
    """Names are taken once; the right password signs in, and changing it ends all other tokens."""
    person, nobody = world.sign_up(), world.nobody()
    for form in BAD_SIGN_UPS:
        nobody.refused(400, "invalid", "POST", "players", form)
    for name in (person.name, person.name.upper()):
        nobody.refused(409, "username_taken", "POST", "players", {"username": name, "password": PASSWORD})
    same(person.client.get("me")["username"], person.name, "username of /me")
    signed_in = nobody.ask("POST", "sessions", {"username": person.name, "password": PASSWORD}, expect=201)
    with blame(signed_in):
        same(signed_in.answer["player"]["username"], person.name, "player.username")
    second = nobody.with_token(signed_in.answer["token"], "second")
    second.get("me")
    wrong = {"username": person.name, "password": PASSWORD + "x"}
    nobody.ask("POST", "sessions", wrong, expect=WRONG_PASSWORD)
    nobody.ask("POST", "sessions", wrong | {"username": "nobody_of_that_name"}, expect=WRONG_PASSWORD)
    second.ask("POST", "me/password", {"old": "wrong", "new": NEW_PASSWORD}, expect=WRONG_PASSWORD)
    second.ask("POST", "me/password", {"old": PASSWORD, "new": NEW_PASSWORD}, expect=(200, 204))
    person.client.refused(401, "not_authenticated", "GET", "me")
    second.get("me")
    form = {"username": person.name, "password": NEW_PASSWORD, "name": "my client"}
    third = nobody.with_token(nobody.ask("POST", "sessions", form, expect=201).answer["token"], "third")
    nobody.ask("POST", "sessions", {"username": person.name, "password": PASSWORD}, expect=WRONG_PASSWORD)
    same(third.get(f"players/{person.name}")["username"], person.name, "username of the profile")
    third.get(f"players/{person.name}/stats")
    third.get(f"players/{person.name}/games")
    third.ask("DELETE", "me", {"password": NEW_PASSWORD}, expect=204)
    third.refused(401, "not_authenticated", "GET", "me")


def guest(world):
    """A guest plays at once, and keeps its seat when it claims the account with a name and a password."""
    visitor = world.guest()
    table = create(world, visitor, {"ruleset": "lite", "bots": ["easy"] * 3})
    state = table.play_on(until=lambda state: table.holder(state) is visitor)
    same(state["seats"][state["you"]["seat"]]["kind"], "guest", "kind of a guest's seat")
    taken = world.people(1)[0].name
    visitor.client.refused(409, "username_taken", "PATCH", "me", {"username": taken, "password": PASSWORD})
    visitor.client.refused(400, "invalid", "PATCH", "me", {"username": "a b", "password": PASSWORD})
    visitor.client.refused(400, "invalid", "PATCH", "me", {"kind": "human"})
    name = f"ref_{chance.token_hex(5)}"
    claimed = visitor.client.ask("PATCH", "me", {"username": name, "password": PASSWORD}, expect=200)
    with blame(claimed):
        same((claimed.answer["username"], claimed.answer["kind"]), (name, "human"), "username and kind of the claimed")
    seen = visitor.client.ask("GET", table.path, expect=200)
    with blame(seen):
        seat = seen.answer["seats"][seen.answer["you"]["seat"]]
        same((seat["player"], seat["kind"]), (name, "human"), "player and kind of the seat after the claim")
        same(seen.answer["you"]["hand"], state["you"]["hand"], "the hand after the claim")
    form = {"username": name, "password": PASSWORD}
    client = world.nobody().with_token(world.nobody().ask("POST", "sessions", form, expect=201).answer["token"], name)
    bids = client.get(table.path)["you"]["legal_bids"]
    client.ask("POST", f"{table.path}/bids", {"bid": bids[0]}, expect=200)
    client.ask("POST", f"{table.path}/resign", {}, expect=200)


def closing(world):
    """Who closes the account leaves running seats to bots, and the name is nowhere any more."""
    person, nobody = world.sign_up(), world.nobody()
    others = [one for one in world.people(4) if one is not person][:3]
    done = seat_four(world, [person, *others], {"ruleset": "custom", "options": {"rounds": 1}})
    done.play_on()
    running = seat_four(world, [others[0], person, *others[1:]], {"ruleset": "custom", "options": {"rounds": 1}})
    running.play_on(until=lambda state: state["round"]["trick_number"] > 2)
    opened = create(world, others[0], {"ruleset": "lite"})
    join(opened, person, seat=1)
    seat = running.watchers[person.name].look()["you"]["seat"]
    extra = token_for(person, ["games:read"])
    person.client.ask("DELETE", "me", {"password": "wrong"}, expect=WRONG_PASSWORD)
    person.client.ask("DELETE", "me", {}, expect=400)
    person.client.ask("DELETE", "me", {"password": PASSWORD}, expect=204)
    for client in (person.client, extra):
        client.refused(401, "not_authenticated", "GET", "me")
    nobody.ask("POST", "sessions", {"username": person.name, "password": PASSWORD}, expect=WRONG_PASSWORD)
    witness = others[0].client
    witness.refused(404, "not_found", "GET", f"players/{person.name}")
    for table in (done, running, opened):
        del table.watchers[person.name], table.people[person.name]
        for path in ("", "/events?after=0"):
            check_nameless(witness, f"{table.path}{path}", person.name)
    for path in ("/rounds/1", "/export?format=json", "/export?format=text"):
        check_nameless(witness, f"{done.path}{path}", person.name)
    same(witness.get(running.path)["seats"][seat]["kind"], "bot", "kind of the seat of who has closed the account")
    same(witness.get(opened.path)["seats"][1]["kind"], None, "kind of the place in an open game")
    for watcher in running.watchers.values():
        watcher.state = watcher.etag = None
    running.look_all()
    running.play_on()
    witness.ask("DELETE", opened.path, expect=200)


def seat_four(world, people, form):
    """Return the Table of a game that *people* sit at."""
    table = create(world, people[0], form)
    for one in people[1:]:
        join(table, one)
    return table


def check_nameless(client, path, name):
    """Raise Wrong when what is read at *path* contains *name*."""
    exchange = client.ask("GET", path, expect=200)
    with blame(exchange):
        must(name not in exchange.text, f"{path} still names {name}")


def closed_creator(world):
    """An open game whose creator closes the account doesn't keep the name either."""
    person, witness = world.sign_up(), world.people(1)[0]
    table = create(world, person, {"ruleset": "lite"})
    person.client.ask("DELETE", "me", {"password": PASSWORD}, expect=204)
    exchange = witness.client.ask("GET", table.path, expect=(200, 404))
    with blame(exchange):
        must(person.name not in exchange.text, "an open game still names who has closed the account")


def full_record(world):
    """The whole record of a game can be had once it is finished, never before."""
    table = full_table(world, {"ruleset": "custom", "options": {"rounds": 1}})
    client = table.seated()[0].client
    for kind in ("json", "text"):
        client.refused(409, None, "GET", f"{table.path}/export?format={kind}")
    table.play_on()
    for kind in ("json", "text"):
        text = client.ask("GET", f"{table.path}/export?format={kind}", expect=200).text
        must(table.seated()[0].name in text, f"the record as {kind} doesn't name who played")


SCENARIOS = {
    "sign-up-and-in": sign_up_and_in,
    "guest": guest,
    "closing": closing,
    "closed-creator": closed_creator,
    "full-record": full_record,
}
