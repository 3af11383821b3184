"""Games that not everybody may see."""

from ..client import blame
from ..seating import create, full_table, join
from ..shapes import must, same

READS = ("", "/events?after=0", "/fairness", "/rounds/0/proof", "/rounds/1", "/rounds/1/proof", "/export?format=json")
WRITES = ("bids", "plays", "seats", "bots", "start", "resign", "rematch")


def check_hidden(table, client, status, query=""):
    """Check that *client* is refused with *status*, whatever it asks of the game, even in a malformed way."""
    code = "not_found" if status == 404 else "not_authenticated"
    for path in READS:
        client.refused(status, code, "GET", f"{table.path}{path}{query if not path else ''}")
    for path in WRITES:
        for body in ({}, {"nonsense": 1}):
            client.refused(status, code, "POST", f"{table.path}/{path}", body)
    for method, path in (("DELETE", ""), ("DELETE", "/seats/me"), ("DELETE", "/seats/1")):
        client.refused(status, code, method, f"{table.path}{path}")
    for method in ("PUT", "DELETE"):
        client.refused(status, code, method, f"{table.path}/finish-vote", {})


def private(world):
    """A private game is there for those who are seated and, while it is open, for who has the invite."""
    creator, second, third, fourth, outsider = world.people(5)
    table = create(world, creator, {"ruleset": "master", "visibility": "private"})
    invite = table.newest().get("invite")
    must(isinstance(invite, str) and len(invite) >= 8, f"the creator's invite is {invite!r}")
    check_hidden(table, outsider.client, 404)
    check_hidden(table, outsider.client, 404, "?invite=guessed")
    check_hidden(table, world.nobody(), 401)
    check_hidden(table, world.nobody(), 401, f"?invite={invite}")
    outsider.client.refused(404, "not_found", "POST", f"{table.path}/seats", {"invite": invite + "x"})
    exchange = outsider.client.ask("GET", f"{table.path}?invite={invite}", expect=200)
    with blame(exchange):
        same((exchange.answer["id"], exchange.answer["you"]), (table.game_id, None), "id and `you` for the invited")
    for person in (second, third):
        state = join(table, person, invite=invite)
        same(state.get("invite"), invite, "invite of a seated person")
    second.client.ask("DELETE", f"{table.path}/seats/me", expect=204)
    del table.watchers[second.name], table.people[second.name]
    table.joiners.remove(second.name)
    check_hidden(table, second.client, 404)
    join(table, second, invite=invite)
    join(table, fourth, invite=invite)
    same(table.newest()["status"], "active", "status with four seated")
    check_hidden(table, outsider.client, 404, f"?invite={invite}")
    outsider.client.refused(404, "not_found", "POST", f"{table.path}/seats", {"invite": invite})
    table.look_all()
    table.play_on(until=lambda state: state["round"]["trick_number"] > 1)
    leaver = table.seated()[2]
    leaver.client.ask("POST", f"{table.path}/resign", {}, expect=204)
    del table.watchers[leaver.name], table.people[leaver.name]
    check_hidden(table, leaver.client, 404, f"?invite={invite}")
    table.look_all()


def unlisted(world):
    """An unlisted game is there for everybody with an account who knows its id."""
    table = full_table(world, {"ruleset": "custom", "options": {"rounds": 1}, "visibility": "unlisted"}, count=3)
    table.look_all()
    check_hidden(table, world.nobody(), 401)
    join(table, table.outsider())
    table.watch_from_outside(is_public=False)
    table.play_on(until=lambda state: state["round"]["trick_number"] > 3)
    check_hidden(table, world.nobody(), 401)
    table.look_all()


def anonymous(world):
    """Without authentication public games can be read, and nothing else, whether it exists or not."""
    table = full_table(world, {"ruleset": "lite"}, count=2)
    nobody = world.nobody()
    for path in ("", "/events?after=0", "/fairness", "/rounds/0/proof"):
        nobody.get(f"{table.path}{path}")
    for path in ("rulesets", "bots", "limits", "games", "me", "me/turns", "tokens", "nothing/here"):
        nobody.refused(401, "not_authenticated", "GET", path)
    name = table.seated()[0].name
    for path in (f"players/{name}", f"players/{name}/stats", f"players/{name}/games", "players/nobody-there"):
        nobody.refused(401, "not_authenticated", "GET", path)
    for path in READS:
        nobody.refused(401, "not_authenticated", "GET", f"games/{'0' * 32}{path}")
    for path in WRITES:
        nobody.refused(401, "not_authenticated", "POST", f"{table.path}/{path}", {"nonsense": 1})
        nobody.refused(401, "not_authenticated", "POST", f"games/{'0' * 32}/{path}", {})
    liar = nobody.with_token("cb_" + "x" * 43, "liar")
    liar.refused(401, "not_authenticated", "GET", "me")
    liar.refused(401, "not_authenticated", "GET", table.path)
    client = table.seated()[0].client
    for path in (
        f"games/{'0' * 32}",
        "games/nonsense",
        f"games/{'0' * 32}/rounds/1",
        "nothing/here",
        "players/nobody-x",
    ):
        client.refused(404, "not_found", "GET", path)


SCENARIOS = {"private": private, "unlisted": unlisted, "anonymous": anonymous}
