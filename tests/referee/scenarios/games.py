"""Whole games: the three rulesets, house rules, redeals, bots, a turn that is missed."""

from ..client import blame
from ..pester import PESTERING
from ..seating import create, full_table
from ..shapes import Wrong, must, same
from .votes import agree, all_agree

MOST_GAMES_TO_SEE_A_REDEAL = 25


def play_ruleset(ruleset, has_seeds):
    """Return the scenario of four people who play *ruleset* to the end."""

    def scenario(world):
        control = world.rng.choice([{}, {"time_control": {"kind": "correspondence", "per_turn": 3600}}])
        table = full_table(world, {"ruleset": ruleset, **control}, has_seeds)
        if ruleset == "master":
            table.play_on(until=lambda state: len(state["scoreboard"]) == 2 and state["round"]["trick_number"] > 4)
            all_agree(table)
        state = table.play_on()
        same(state["status"], "finished", "status after the last round")
        check_end(table)

    scenario.__doc__ = (
        f"Four people play {ruleset} to the end, {'with' if has_seeds else 'without'} seeds of their own."
    )
    return scenario


def check_end(table):
    """Check what a finished game still answers, to each of those who may ask."""
    table.look_all()
    for person in table.seated():
        watcher = table.watchers[person.name]
        latest = table.latest[person.name]
        exchange = person.client.ask("POST", f"{table.path}/plays", {"card": latest, "expected_version": 1}, expect=200)
        watcher.take(exchange)
        other = "AS" if latest != "AS" else "KS"
        person.client.refused(409, "game_not_active", "POST", f"{table.path}/plays", {"card": other})
        person.client.refused(409, "game_not_active", "POST", f"{table.path}/bids", {"bid": 3, "expected_version": 1})
        person.client.refused(400, "invalid", "POST", f"{table.path}/plays", {"card": "XX"})
        person.client.refused(409, ("already_seated", "already_started"), "POST", f"{table.path}/seats", {})
        person.client.refused(409, "game_not_active", "POST", f"{table.path}/resign", {})
    check_export(table)


def check_export(table):
    """Check that the whole record can be had, by people with an account alone."""
    client = next(iter(table.people.values())).client
    record = client.get(f"{table.path}/export?format=json")
    must(isinstance(record, dict), "an export that is no object")
    text = client.ask("GET", f"{table.path}/export?format=text", expect=200)
    with blame(text):
        must(text.headers["Content-Type"].startswith("text/plain"), "a text that isn't text/plain")
        must(len(text.text) > 300, "a text without a record")
    client.refused(400, "invalid", "GET", f"{table.path}/export?format=pdf")
    table.world.nobody().refused(401, "not_authenticated", "GET", f"{table.path}/export?format=json")


def random_options(rng):
    """Return house rules, each switch as likely on as off."""
    options = {
        "rounds": rng.choice([1, 1, 2]),
        "min_bid": rng.randint(1, 4),
        "max_bid": rng.randint(8, 13),
        "scoring": rng.choice(["overtricks", "exact-or-one-over"]),
        "overtrick_tenths": rng.choice([0, 1]),
        "seating": rng.choice(["draw", "random"]),
        "forced_cards": rng.choice(["off", "at_once"]),
    }
    for switch in ("must_head", "bonus_bid", "redeal_no_spade", "redeal_no_honour", "redeal_low_bids"):
        options[switch] = rng.random() < 0.5
    dropped = rng.sample(sorted(options), rng.randint(0, 6))
    return {name: value for name, value in options.items() if name not in dropped or name == "rounds"}


def house_rules(world):
    """Four people play three games with house rules drawn by lot."""
    for _ in range(3):
        ruleset = world.rng.choice(["call-break-2", "master", "lite", "custom"])
        options = random_options(world.rng)
        table = full_table(world, {"ruleset": ruleset, "options": options}, has_seeds=world.rng.random() < 0.5)
        try:
            state = table.play_on()
        except Wrong as wrong:
            raise Wrong(f"with {ruleset} {options}: {wrong}") from wrong
        same(state["status"], "finished", "status after the last round")
        table.look_all()


def forced_cards(world):
    """A card that is the only legal one is played by itself, where the table wants that."""
    table = full_table(world, {"ruleset": "lite", "options": {"rounds": 1, "forced_cards": "at_once"}})
    table.play_on()
    must(table.acts < 4 + 52, "not one card was played by itself")


def redeals(world):
    """Low bids are dealt again three times, then the hand stands; the same bid after a redeal is a new one in turn."""
    table = full_table(world, {"ruleset": "custom", "options": {"rounds": 1, "redeal_low_bids": True}})
    for number in range(4):
        for place in range(4):
            person = table.holder(table.newest())
            watcher = table.watchers[person.name]
            watcher.look()
            before = table.newest()["version"]
            table.bid(person, 1)
            must(watcher.state["version"] > before, "the same bid after a redeal changed nothing")
            if number < 3 or place < 3:
                retry_in_vain(table, 1)
        state = table.newest()
        bids = [seat["bid"] for seat in state["seats"]]
        same(bids, [None] * 4 if number < 3 else [1] * 4, f"bids after time {number + 1}")
        table.look_all()
        detail = table.watchers[person.name].client.get(f"{table.path}/rounds/1")
        same([redeal["reason"] for redeal in detail["redeals"]], ["low_bids"] * min(number + 1, 3), "redeals")
    same(table.newest()["turn"]["action"], "play", "what is due after the third redeal")
    table.play_on()


def retry_in_vain(table, bid):
    """Let everyone who isn't on turn and bid *bid* last bid it again: 200, and nothing changes."""
    for person in table.seated():
        watcher = table.watchers[person.name]
        state = watcher.look()
        if table.latest.get(person.name) == bid and state["turn"]["seat"] != state["you"]["seat"]:
            exchange = person.client.ask("POST", f"{table.path}/bids", {"bid": bid}, expect=200)
            same(watcher.take(exchange)["version"], state["version"], "version after a retry")


def redeals_of_hands(world):
    """A hand without a spade or without an honour is dealt again, before anybody bids."""
    options = {"rounds": 1, "redeal_no_spade": True, "redeal_no_honour": True}
    form = {"ruleset": "custom", "options": options, "bots": ["easy"] * 3, "time_control": {"kind": "untimed"}}
    for count in range(1, MOST_GAMES_TO_SEE_A_REDEAL + 1):
        table = create(world, world.people(1)[0], form)
        person = table.seated()[0]
        if person.client.get(f"{table.path}/rounds/1")["redeals"]:
            table.look_all()
            table.play_on()
            return f"redealt in game {count}"
    return f"no redeal came up in {MOST_GAMES_TO_SEE_A_REDEAL} games"


def three_bots(world):
    """One person plays a whole game with three bots, untimed."""
    form = {"ruleset": "lite", "bots": ["easy", "medium", "easy"], "time_control": {"kind": "untimed"}}
    table = create(world, world.people(1)[0], form, has_seeds=True)
    table.watch_from_outside()
    state = table.play_on()
    same(state["status"], "finished", "status after the last round")
    check_end(table)


def open_ended_with_bots(world):
    """One person's wish to finish is enough where bots hold the other seats."""
    form = {"ruleset": "master", "bots": ["easy"] * 3, "time_control": {"kind": "untimed"}}
    table = create(world, world.people(1)[0], form)
    person = table.seated()[0]
    table.play_on(until=lambda state: state["round"]["trick_number"] > 2 and table.holder(state) is person)
    agree(table, person)
    same(table.newest()["final_round"] is not None, True, "final_round once all agree")
    table.play_on()
    same(len(table.newest()["scoreboard"]), 1, "rounds scored")


def missed_turn(world):
    """A turn that runs out is played by a bot, and the record says so."""
    people = world.people(1)
    form = {"ruleset": "lite", "options": {"rounds": 1}, "time_control": {"kind": "live", "per_turn": 5}}
    table = create(world, people[0], form | {"bots": ["easy"] * 3})
    table.watch_from_outside()
    state = table.play_on(until=lambda state: table.holder(state) is people[0])
    same(state["time_control"]["per_turn"], 5, "time_control.per_turn")
    table.wait(state, patience_s=world.patience_s)
    table.look_all()
    kinds = [kind for _, kind, _, _ in table.watchers[people[0].name].story.public]
    must("turn.missed" in kinds, f"no turn.missed among {kinds}")


def refusals_in_turn(world):
    """Every forbidden act that the referee knows is tried in every kind of moment of one round."""
    table = full_table(world, {"ruleset": "master", "options": {"rounds": 1}})
    for moment in range(60):
        if table.newest()["status"] != "active":
            break
        person = table.holder(table.newest())
        watcher = table.watchers[person.name]
        for pestering in PESTERING if moment < 8 or moment % 6 == 0 else [PESTERING[moment % len(PESTERING)]]:
            pestering(table, person, watcher.look())
        table.act(person)
    table.play_on()


SCENARIOS = {
    "lite": play_ruleset("lite", has_seeds=False),
    "lite-seeds": play_ruleset("lite", has_seeds=True),
    "call-break-2": play_ruleset("call-break-2", has_seeds=False),
    "call-break-2-seeds": play_ruleset("call-break-2", has_seeds=True),
    "master": play_ruleset("master", has_seeds=False),
    "master-seeds": play_ruleset("master", has_seeds=True),
    "house-rules": house_rules,
    "forced-cards": forced_cards,
    "redeals": redeals,
    "redeals-of-hands": redeals_of_hands,
    "three-bots": three_bots,
    "open-ended-with-bots": open_ended_with_bots,
    "missed-turn": missed_turn,
    "refusals-in-turn": refusals_in_turn,
}
