"""Creating games as the contract allows it, and taking places in them."""

from . import rules
from .client import blame
from .shapes import same
from .tables import Table


def seed_of(world):
    """Return 32 random bytes as a client brings them, in hex of either case."""
    digits = f"{world.rng.getrandbits(256):064x}"
    return digits.upper() if world.rng.random() < 0.3 else digits


def create(world, creator, form, has_seeds=False):
    """Let *creator* create a game, after a reservation with *has_seeds*; return its Table, already watched."""
    form, reserved = dict(form), None
    if has_seeds:
        asked = {name: form[name] for name in ("ruleset", "options") if name in form}
        reserved = creator.client.ask("POST", "games/reservations", asked, expect=201).answer
        form |= {"reservation": reserved["reservation"], "client_seed": seed_of(world)}
    exchange = creator.client.ask("POST", "games", form, expect=201)
    table = Table(world, exchange.answer["id"])
    watcher = table.watch(creator)
    state = watcher.take(exchange)
    table.joiners.append(creator.name)
    if has_seeds:
        table.seeds[creator.name] = form["client_seed"]
    with blame(exchange):
        check_created(state, form, creator)
        if has_seeds:
            same(state["id"], reserved["game_id"], "id of a reserved game")
            watcher.check_commitments()
            same(watcher.fairness["commitments"], reserved["fairness"]["commitments"], "the commitments reserved")
    return table


def check_created(state, form, creator):
    """Raise Wrong unless a new game is what its *form* asked for."""
    asked = rules.LITE | {"name": "custom"} if form["ruleset"] == "custom" else rules.RULESETS[form["ruleset"]]
    for option, value in (asked | form.get("options", {})).items():
        if option != "overtrick_tenths" or state["ruleset"]["scoring"] == "overtricks":
            same(state["ruleset"][option], value, f"ruleset.{option}")
    control = {"kind": "correspondence", "per_turn": 86400} | form.get("time_control", {})
    same(state["time_control"]["kind"], control["kind"], "time_control.kind")
    if control["kind"] == "correspondence":
        same(state["time_control"]["per_turn"], control["per_turn"], "time_control.per_turn")
    is_full = len(form.get("bots", ())) == 3
    same(state["status"], "active" if is_full else "open", "status of a new game")
    if not is_full:
        same(state["you"]["seat"], 0, "the creator's place")
        levels = [seat["bot_level"] for seat in state["seats"] if seat["kind"] == "bot"]
        same(levels, form.get("bots", []), "the bots seated at once")
        same(state["fairness"]["seeded"][0], "reservation" in form and "client_seed" in form, "seeded of place 0")
    same(state["seats"][state["you"]["seat"]]["player"], creator.name, "the creator's name")


def join(table, person, **body):
    """Let *person* take a place, and return the state."""
    exchange = person.client.ask("POST", f"{table.path}/seats", body, expect=200)
    state = table.watch(person).take(exchange)
    table.joiners.append(person.name)
    if "client_seed" in body:
        table.seeds[person.name] = body["client_seed"]
    with blame(exchange):
        if state["status"] == "open" and "seat" in body:
            same(state["you"]["seat"], body["seat"], "the place asked for")
        if state["status"] == "open":
            same(state["fairness"]["seeded"][state["you"]["seat"]], "client_seed" in body, "seeded of one's place")
    return state


def full_table(world, form, has_seeds=False, count=4):
    """Return the Table of a new game that *count* people have joined, on random places, with spectators."""
    people = world.people(count)
    table = create(world, people[0], form, has_seeds)
    table.watch_from_outside(form.get("visibility", "public") == "public")
    table.look_all()
    free = [seat for seat in range(4) if table.newest()["seats"][seat]["player"] is None]
    world.rng.shuffle(free)
    for person in people[1:]:
        body = {"seat": free.pop()} if world.rng.random() < 0.7 else {}
        free = free if body else free[:0]
        if has_seeds and world.rng.random() < 0.7:
            body["client_seed"] = seed_of(world)
        if world.rng.random() < 0.3:
            body["expected_version"] = table.newest()["version"]
        state = join(table, person, **body)
        free = [seat for seat in range(4) if state["seats"][seat]["player"] is None]
        world.rng.shuffle(free)
    return table
