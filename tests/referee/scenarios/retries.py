"""Sending the same thing again, with a key and without."""

import json
from concurrent.futures import ThreadPoolExecutor

from ..client import blame
from ..compare import without_clock
from ..pester import due
from ..seating import create, full_table, seed_of
from ..shapes import must, same

BAD_KEYS = ["", "x" * 256, "with space", "tab\there", "é".encode()]
REPLAYED = "Idempotent-Replayed"


def is_replay(exchange):
    """Return whether an answer says that it was given before."""
    return exchange.headers.get(REPLAYED) == "true"


def turn_of(table):
    """Return who is on turn, its path and the body of a legal act."""
    person = table.holder(table.newest())
    path, name, value = due(table.watchers[person.name].look())
    return person, f"{table.path}/{path}", {name: value}


def key_on_acts(world):
    """One key is one act: the first answer again, however far the game has moved."""
    table = full_table(world, {"ruleset": "lite"})
    table.play_on(until=lambda state: state["turn"]["action"] == "play")
    for number in range(6):
        key = f"act-{number}-{seed_of(world)}"
        person, path, body = turn_of(table)
        version = table.newest()["version"]
        first = person.client.ask("POST", path, body | {"expected_version": version}, expect=200, key=key)
        table.watchers[person.name].take(first)
        table.latest[person.name] = body["card"]
        must(not is_replay(first), "a first answer that says it is a replay")
        if number % 2:
            table.act(table.holder(table.newest()))
        respelt = json.dumps(dict(reversed((body | {"expected_version": version}).items())), indent=3).encode()
        again = person.client.ask("POST", path, raw=respelt, expect=200, key=key)
        with blame(again):
            same(again.answer, first.answer, "the answer to the same key")
            must(is_replay(again), f"no {REPLAYED}: true")
        person.client.refused(422, "idempotency_key_reused", "POST", path, body, key=key)
        person.client.refused(400, "invalid", "POST", path, {"card": "XX"}, key=key)
        other = next(one for one in table.seated() if one is not table.holder(table.newest()) and one is not person)
        card = table.watchers[other.name].look()["you"]["hand"][0]
        other.client.refused(409, "not_your_turn", "POST", path, {"card": card}, key=key)
    table.look_all()


def refusals_are_not_kept(world):
    """A refused request leaves its key free; a key belongs to one path."""
    table = full_table(world, {"ruleset": "lite"})
    first = table.holder(table.newest())
    early = next(person for person in table.seated() if person is not first)
    key, path, body = seed_of(world), f"{table.path}/bids", {"bid": 3}
    early.client.refused(409, "not_your_turn", "POST", path, body, key=key)
    table.play_on(until=lambda state: table.holder(state) is early)
    table.watchers[early.name].look()
    exchange = early.client.ask("POST", path, body, expect=200, key=key)
    with blame(exchange):
        must(not is_replay(exchange), "a refusal was kept")
        table.watchers[early.name].take(exchange)
        table.latest[early.name] = 3
    table.play_on(until=lambda state: state["turn"]["action"] == "play" and table.holder(state) is early)
    _, plays, card = turn_of(table)
    exchange = early.client.ask("POST", plays, card, expect=200, key=key)
    must(not is_replay(exchange), "a key reached over paths")
    table.watchers[early.name].take(exchange)


def bad_keys(world):
    """A key that isn't 1–255 visible ASCII characters is refused, and nothing is done."""
    table = full_table(world, {"ruleset": "lite"})
    person, path, body = turn_of(table)
    before = table.watchers[person.name].look()
    for key in BAD_KEYS:
        person.client.refused(400, "invalid", "POST", path, body, key=key)
    same(without_clock(table.watchers[person.name].look()), without_clock(before), "the state after bad keys")
    exchange = person.client.ask("POST", path, body, expect=200, key="~" * 255)
    table.watchers[person.name].take(exchange)
    world.nobody().ask("POST", "players", {"username": "x"}, expect=400, key="two words")


def in_flight(world):
    """Requests with one key at the same time: one is done, the others are given its answer."""
    table = full_table(world, {"ruleset": "lite"})
    for _ in range(4):
        person, path, body = turn_of(table)
        before, key = table.newest()["version"], seed_of(world)
        clients = [person.client.with_token(person.client.token) for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            answers = list(
                pool.map(lambda client, path=path, body=body, key=key: client.ask("POST", path, body, key=key), clients)
            )
        for exchange in answers:
            with blame(exchange):
                same(exchange.status, 200, "status of one of four at once")
                same(exchange.answer, answers[0].answer, "the answer of one of four at once")
        same(sum(not is_replay(exchange) for exchange in answers), 1, "the number of first answers")
        table.watchers[person.name].take(answers[0])
        must(answers[0].answer["version"] > before, "nothing was done")
        table.latest[person.name] = next(iter(body.values()))
    table.look_all()


def key_on_other_posts(world):
    """Creating, joining, starting and resigning are kept too, and a replay shows no hand to who has left."""
    creator, second = world.people(2)
    key, form = seed_of(world), {"ruleset": "lite", "bots": ["easy"]}
    first = creator.client.ask("POST", "games", form, expect=201, key=key)
    again = creator.client.ask("POST", "games", form, expect=201, key=key)
    with blame(again):
        same((again.answer, is_replay(again)), (first.answer, True), "the game created again")
    other = second.client.ask("POST", "games", form, expect=201, key=key)
    must(other.answer["id"] != first.answer["id"] and not is_replay(other), "a key reached over people")
    second.client.ask("DELETE", f"games/{other.answer['id']}", expect=200)
    path = f"games/{first.answer['id']}"
    for client, what, body in ((second.client, "seats", {}), (creator.client, "start", {})):
        first = client.ask("POST", f"{path}/{what}", body, expect=200, key=key)
        again = client.ask("POST", f"{path}/{what}", body, expect=200, key=key)
        with blame(again):
            same((again.answer, is_replay(again)), (first.answer, True), f"the answer to {what} again")
        client.refused(409, None, "POST", f"{path}/{what}", body)
    must(first.answer["you"]["hand"], "no hand after the start")
    creator.client.ask("POST", f"{path}/resign", {}, expect=200)
    late = creator.client.ask("POST", f"{path}/start", {}, key=key)
    with blame(late):
        must(late.status >= 400 or not late.answer["you"], "a replay shows a hand to who has resigned")


def natural_retry(world):
    """Without a key: one's latest action again is a retry, until it could be a new one."""
    table = full_table(world, {"ruleset": "custom", "options": {"rounds": 2}})
    person = table.holder(table.newest())
    table.watchers[person.name].look()
    table.bid(person, 3)
    for body in ({"bid": 3}, {"bid": 3, "expected_version": 0}, {"bid": 3, "expected_version": 9999}):
        exchange = person.client.ask("POST", f"{table.path}/bids", body, expect=200)
        table.watchers[person.name].take(exchange)
    person.client.refused(409, "not_your_turn", "POST", f"{table.path}/bids", {"bid": 4})
    table.play_on(until=lambda state: len(state["scoreboard"]) == 1 and table.holder(state) is person)
    card = table.latest[person.name]
    must(isinstance(card, str), "the latest action is a card")
    before = table.watchers[person.name].look()
    exchange = person.client.ask("POST", f"{table.path}/plays", {"card": card, "expected_version": 5}, expect=200)
    same(without_clock(table.watchers[person.name].take(exchange)), without_clock(before), "the state after a retry")
    table.bid(person, before["you"]["legal_bids"][0])
    wrong = "AS" if card != "AS" else "KS"
    if table.newest()["turn"]["action"] == "bid":
        person.client.refused(409, "wrong_phase", "POST", f"{table.path}/plays", {"card": wrong})


def stranger_to_retries(world):
    """What is no person's latest action stays refused: another's card, and a bid of before."""
    table = create(world, world.people(1)[0], {"ruleset": "lite", "bots": ["easy"] * 3})
    person = table.seated()[0]
    table.play_on(until=lambda state: state["turn"]["action"] == "play" and table.holder(state) is person)
    state = table.watchers[person.name].look()
    bid = state["seats"][state["you"]["seat"]]["bid"]
    if state["round"]["trick"]:
        card = state["round"]["trick"][0]["card"]
        person.client.refused(422, "card_not_held", "POST", f"{table.path}/plays", {"card": card})
    table.play(person, state["you"]["legal_plays"][0])
    person.client.refused(409, "wrong_phase", "POST", f"{table.path}/bids", {"bid": bid})


SCENARIOS = {
    "key-on-acts": key_on_acts,
    "refusals-are-not-kept": refusals_are_not_kept,
    "bad-keys": bad_keys,
    "in-flight": in_flight,
    "key-on-other-posts": key_on_other_posts,
    "natural-retry": natural_retry,
    "stranger-to-retries": stranger_to_retries,
}
