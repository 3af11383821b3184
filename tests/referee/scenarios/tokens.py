"""Tokens and what they may do, turns that wait, limits."""

from concurrent.futures import ThreadPoolExecutor

from .. import shapes
from ..client import blame
from ..seating import create, full_table, seed_of
from ..shapes import must, same

MOST_READS = 600


def token_for(person, scopes, **more):
    """Return a client of *person* that shows a token with *scopes* alone."""
    exchange = person.client.ask("POST", "tokens", {"name": "referee", "scopes": scopes, **more}, expect=201)
    return person.client.with_token(exchange.answer["token"], f"{person.name} with {scopes} {more or ''}")


def scopes(world):
    """A token does what its scopes say, is shown once, and ends when told."""
    person = world.people(1)[0]
    table = create(world, person, {"ruleset": "lite"})
    key, form = seed_of(world), {"name": "reading", "scopes": ["games:read"]}
    first = person.client.ask("POST", "tokens", form, expect=201, key=key)
    text, token_id = first.answer["token"], first.answer["id"]
    must(text.startswith("cb_"), "a token without cb_")
    again = person.client.ask("POST", "tokens", form, expect=201, key=key)
    with blame(again):
        must(text not in again.text, "a replayed token creation shows the token")
        same(again.headers.get("Idempotent-Replayed"), "true", "Idempotent-Replayed")
    listed = person.client.pages("tokens")
    must(text not in str(listed), "the list of tokens shows one")
    same(sum(row["id"] == token_id for row in listed), 1, "the number of listed tokens of that id")
    reader = person.client.with_token(text, "reader")
    reader.get(table.path)
    reader.get("me/turns")
    for method, path in (("GET", "me"), ("GET", "tokens"), ("POST", "games"), ("POST", "tokens"), ("PATCH", "me")):
        reader.refused(403, "missing_scope", method, path, None if method == "GET" else {})
    reader.refused(403, "missing_scope", "DELETE", table.path)
    for scope in ("games:delete", "", None, 5):
        person.client.refused(400, "invalid", "POST", "tokens", {"name": "x", "scopes": [scope]})
    for form in (
        {"name": "x"},
        {"name": "x", "scopes": "games:read"},
        {"name": "x", "scopes": ["games:read"], "id": 1},
    ):
        person.client.refused(400, "invalid", "POST", "tokens", form)
    other = world.sign_up() if len(world.pool) < 2 else next(one for one in world.pool if one is not person)
    other.client.refused(404, "not_found", "DELETE", f"tokens/{token_id}")
    person.client.ask("DELETE", f"tokens/{token_id}", expect=204)
    reader.refused(401, "not_authenticated", "GET", table.path)
    person.client.ask("DELETE", table.path, expect=200)


def single_game(world):
    """A token for a single game is of no use in another."""
    person = world.people(1)[0]
    one, two = (create(world, person, {"ruleset": "lite", "visibility": "private"}) for _ in range(2))
    client = token_for(person, ["games:read", "games:play"], game=one.game_id)
    client.get(one.path)
    client.ask("POST", f"{one.path}/bots", {"level": "easy"}, expect=200)
    client.ask("GET", two.path, expect=(403, 404))
    client.ask("POST", f"{two.path}/bots", {"level": "easy"}, expect=(403, 404))
    client.ask("POST", "games", {"ruleset": "lite"}, expect=(403, 404))
    for table in (one, two):
        person.client.ask("DELETE", table.path, expect=200)


def turns(world):
    """`/me/turns` lists the games that wait for one, the most urgent first and the untimed last."""
    person = world.people(1)[0]
    quick = {"time_control": {"kind": "correspondence", "per_turn": 600}}
    slow = {"time_control": {"kind": "correspondence", "per_turn": 86400}}
    never = {"time_control": {"kind": "untimed"}}
    tables = []
    for control in (never, slow, quick):
        table = create(world, person, {"ruleset": "lite", "bots": ["easy"] * 3, **control})
        table.play_on(until=lambda state, table=table: table.holder(state) is not None)
        tables.append(table)
    found = waiting(person)
    ids = [row["game"] for row in found if row["game"] in [table.game_id for table in tables]]
    same(ids, [table.game_id for table in reversed(tables)], "the order of the games that wait")
    deadlines = [row["deadline"] for row in found]
    timed = [deadline for deadline in deadlines if deadline]
    same(deadlines, sorted(timed) + [None] * (len(deadlines) - len(timed)), "the order of the deadlines")
    for row, table in zip([row for row in found if row["game"] in ids], reversed(tables), strict=True):
        same(row["action"], table.newest()["turn"]["action"], "action of a turn that waits")
        same(row["deadline"], table.newest()["turn"]["deadline"], "deadline of a turn that waits")
        same(person.client.get(row["url"])["id"], table.game_id, "the game at the url of a turn")


def waiting(person):
    """Return all turns that wait for *person*."""
    found, url, count = [], "me/turns", 0
    while url:
        exchange = person.client.ask("GET", url, expect=200)
        with blame(exchange):
            shapes.check(exchange.answer, shapes.TURNS, "turns")
        found += exchange.answer["results"]
        url, count = exchange.answer["next"], exchange.answer["count"]
    same(count, len(found), "count of the turns that wait")
    return found


def turn_is_gone(world):
    """A game waits for the one on turn alone, and no longer than its turn lasts."""
    table = full_table(world, {"ruleset": "lite"})
    for _ in range(6):
        person = table.holder(table.newest())
        for one in table.seated():
            is_waiting = table.game_id in [row["game"] for row in waiting(one)]
            same(is_waiting, one is person, f"whether the game waits for {one.name}")
        table.act(person)


def limits(world):
    """Reading too much is answered 429, politely, and doesn't keep one from playing."""
    table = full_table(world, {"ruleset": "lite"})
    person = table.holder(table.newest())
    person.client.get("limits")
    clients = [person.client.with_token(person.client.token) for _ in range(6)]
    pool = ThreadPoolExecutor(len(clients))
    for batch in range(MOST_READS // 60):
        found = list(
            pool.map(lambda at: clients[at % 6].ask("GET", table.path, expect=(200, 429), hurry=True), range(60))
        )
        if any(exchange.status == 429 for exchange in found):
            refused = next(exchange for exchange in found if exchange.status == 429)
            with blame(refused):
                must(int(refused.headers["Retry-After"]) <= 60, "a long wait for reading too much")
            bid = table.watchers[person.name].state["you"] or {}
            bids = bid.get("legal_bids") or [3]
            exchange = person.client.ask("POST", f"{table.path}/bids", {"bid": bids[0]}, expect=200, hurry=True)
            table.watchers[person.name].take(exchange)
            return f"refused after at most {60 * batch + 60} reads"
    return f"never refused in {MOST_READS} reads"


SCENARIOS = {
    "scopes": scopes,
    "single-game": single_game,
    "turns": turns,
    "turn-is-gone": turn_is_gone,
    "limits": limits,
}
