"""Forbidden and repeated acts, to try in the middle of a game; none of them may change anything.

Each takes the table, the person whose turn it is, and the state that this person sees.
"""

from . import rules
from .client import blame
from .compare import without_clock
from .shapes import must, same

BAD_BIDS = ["3", True, 3.0, None, [3], {"bid": 3}]
BAD_CARDS = ["as", "1S", "10H", "A♠", "", 5, None, "SA", "AS ", ["AS"]]
FAR_BIDS = [0, -1, 14, 99, 10**30]


def due(state):
    """Return the path, the field and a legal value of the act that is due."""
    if state["turn"]["action"] == "bid":
        return "bids", "bid", state["you"]["legal_bids"][0]
    return "plays", "card", state["you"]["legal_plays"][0]


def other_bid(table, person):
    """Return a bid that is in range and isn't the latest action of *person*."""
    return next(bid for bid in (3, 4, 5) if bid not in table.latest_actions(person))


def refuse(table, person, status, code, what, body):
    """Let *person* send what must be refused, check the refusal and that nothing changed; return the problem."""
    watcher = table.watchers[person.name]
    before = watcher.look()
    exchange = person.client.refused(status, code, "POST", f"{table.path}/{what}", body)
    watcher.check_refusal(exchange)
    same(watcher.look()["version"], before["version"], "the version after a refusal")
    return exchange


def out_of_turn(table, person, state):
    """Somebody else does what is due."""
    others = [other for other in table.seated() if other is not person]
    if not others:
        return
    other = table.world.rng.choice(others)
    view = table.watchers[other.name].look()
    if state["turn"]["action"] == "bid":
        body = {"bid": other_bid(table, other)}
    else:
        held = view["you"]["hand"] or ["AS"]
        body = {"card": table.world.rng.choice(held)}
    if body.get("card") not in table.latest_actions(other):
        refuse(table, other, 409, "not_your_turn", due(state)[0], body)


def out_of_turn_and_illegal(table, person, state):
    """Somebody else plays a card that is not held: whose turn it is comes first."""
    others = [other for other in table.seated() if other is not person]
    if not others:
        return
    other = table.world.rng.choice(others)
    if state["turn"]["action"] == "bid":
        refuse(table, other, 409, "not_your_turn", "bids", {"bid": 77})
    else:
        card = not_held(table, other)
        refuse(table, other, 409, "not_your_turn", "plays", {"card": card})


def not_held(table, person):
    """Return a card that *person* doesn't hold and that isn't the latest action."""
    known = table.watchers[person.name].look()["you"]["hand"] + table.latest_actions(person)
    return table.world.rng.choice([card for card in rules.PACK if card not in known])


def wrong_phase(table, person, state):
    """A bid when a play is due, or the reverse, from whoever; the phase comes before the turn."""
    other = table.world.rng.choice(table.seated())
    if state["turn"]["action"] == "bid":
        card = not_held(table, other)
        refuse(table, other, 409, "wrong_phase", "plays", {"card": card})
    else:
        refuse(table, other, 409, "wrong_phase", "bids", {"bid": other_bid(table, other)})
        refuse(table, other, 409, "wrong_phase", "bids", {"bid": 77})


def card_not_held(table, person, state):
    """A card of another hand."""
    if state["turn"]["action"] == "play":
        card = not_held(table, person)
        refuse(table, person, 422, "card_not_held", "plays", {"card": card})


def illegal_play(table, person, state):
    """A card that is held but against the rules."""
    illegal = [
        card for card in state["you"]["hand"] if card not in (state["you"]["legal_plays"] or state["you"]["hand"])
    ]
    if illegal:
        card = table.world.rng.choice(illegal)
        exchange = refuse(table, person, 422, "illegal_play", "plays", {"card": card})
        with blame(exchange):
            legal = rules.in_hand_order(exchange.answer["legal_plays"])
            same(legal, rules.in_hand_order(state["you"]["legal_plays"]), "legal_plays of the refusal")
            must(len(exchange.answer["detail"]) > 4, "a detail that doesn't say which rule")


def illegal_bid(table, person, state):
    """A bid out of range."""
    if state["turn"]["action"] == "bid":
        low = [state["ruleset"]["min_bid"] - 1, state["ruleset"]["max_bid"] + 1]
        bid = table.world.rng.choice(FAR_BIDS + low)
        exchange = refuse(table, person, 422, "illegal_bid", "bids", {"bid": bid})
        with blame(exchange):
            same(exchange.answer["legal_bids"], state["you"]["legal_bids"], "legal_bids of the refusal")


def malformed(table, person, state):
    """What is no bid, no card or no form at all."""
    path, name, value = due(state)
    rng = table.world.rng
    bad = rng.choice(BAD_BIDS if name == "bid" else BAD_CARDS)
    bodies = [{name: bad}, {}, {name: value, "more": 1}, [value], value, {name: value, "expected_version": "1"}]
    refuse(table, person, 400, "invalid", path, rng.choice(bodies))
    spelt = f'{{"{name}": 1, "{name}": 2}}', '{"expected_version": NaN}', "{", "", "\ufeff{}", "[" * 3000
    raw = rng.choice(spelt).encode()
    exchange = person.client.refused(400, "invalid", "POST", f"{table.path}/{path}", raw=raw)
    table.watchers[person.name].check_refusal(exchange)
    watcher = table.watchers[person.name]
    same(without_clock(watcher.look()), without_clock(state), "the state after a malformed request")


def stale(table, person, state):
    """The right act for a version that is past, or has not come; even in the wrong phase or with a card not held."""
    path, name, value = due(state)
    version = table.world.rng.choice([state["version"] - 1, state["version"] + 1, 0])
    body = {name: value, "expected_version": version}
    if table.world.rng.random() < 0.3:
        path, name = ("plays", "card") if name == "bid" else ("bids", "bid")
        value = not_held(table, person) if name == "card" else other_bid(table, person)
        body = {name: value, "expected_version": version}
    if body[name] in table.latest_actions(person) and path != due(state)[0]:
        return
    exchange = refuse(table, person, 409, "version_conflict", path, body)
    with blame(exchange):
        must("current" in exchange.answer, "a version_conflict without `current`")
        same(without_clock(exchange.answer["current"]), without_clock(state), "`current`")


def not_seated(table, person, state):
    """A spectator, and somebody without an account."""
    path, name, value = due(state)
    other = table.outsider()
    if other and other.name in table.watchers:
        refuse(table, other, 403, "not_seated", path, {name: value})
        refuse(table, other, 403, "not_seated", path, {name: value, "expected_version": 0})
        refuse(table, other, 400, "invalid", path, {name: "x"})
    nobody = table.world.nobody()
    nobody.refused(401, "not_authenticated", "POST", f"{table.path}/{path}", {name: value})


def retry_latest(table, person, state):
    """Somebody's latest action again, with whatever version: 200 and nothing changed, unless it could be a new one."""
    other = table.world.rng.choice(table.seated())
    latest, watcher = table.latest.get(other.name), table.watchers[other.name]
    view = watcher.look()
    if table.latest_actions(other) != [latest]:
        return
    is_bid = isinstance(latest, int)
    is_due = other is person and (view["turn"]["action"] == "bid") == is_bid
    if is_due and (is_bid or latest in view["you"]["hand"]):
        return
    body = {"bid" if is_bid else "card": latest}
    if table.world.rng.random() < 0.6:
        body["expected_version"] = table.world.rng.choice([0, max(0, view["version"] - 3), view["version"]])
    path = "bids" if is_bid else "plays"
    exchange = other.client.ask("POST", f"{table.path}/{path}", body, expect=200)
    with blame(exchange):
        same(without_clock(watcher.take(exchange)), without_clock(view), "the state after a retry")


PESTERING = [
    out_of_turn,
    out_of_turn_and_illegal,
    wrong_phase,
    card_not_held,
    illegal_play,
    illegal_bid,
    malformed,
    stale,
    not_seated,
    retry_latest,
]
