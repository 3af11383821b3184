"""Before and after a game: places, starting, cancelling, resigning, rematches, lists."""

from ..client import blame
from ..seating import create, full_table, join
from ..shapes import must, same
from .votes import agree

ONE_ROUND = {"ruleset": "custom", "options": {"rounds": 1}}


def refuse_stale(table, person, path, body):
    """Check that *person* is refused for naming a version that is past, and is shown the state."""
    exchange = person.client.refused(
        409, "version_conflict", "POST", f"{table.path}/{path}", body | {"expected_version": 0}
    )
    with blame(exchange):
        must("current" in exchange.answer, "a version_conflict without `current`")
        table.watchers[person.name].check_refusal(exchange)


def places(world):
    """Places are taken, given up, freed and filled, each by those who may."""
    creator, second, third = world.people(3)
    table = create(world, creator, {"ruleset": "lite", "fill_with": "medium"})
    table.watch_from_outside()
    path = f"{table.path}/seats"
    for body in ({"seat": 4}, {"seat": -1}, {"seat": "2"}, {"seat": True}, {"place": 2}, {"client_seed": "ab"}):
        second.client.refused(400, "invalid", "POST", path, body)
    join(table, second, seat=2)
    for body in ({}, {"seat": 2}, {"seat": 3}):
        second.client.refused(409, "already_seated", "POST", path, body)
    third.client.refused(409, "seat_taken", "POST", path, {"seat": 2})
    third.client.refused(409, "seat_taken", "POST", path, {"seat": 0})
    refuse_stale(table, creator, "bots", {"level": "easy"})
    refuse_stale(table, creator, "start", {})
    table.look_all()
    leave(table, second)
    second.client.refused(403, "not_seated", "DELETE", f"{path}/me")
    join(table, third, seat=2, expected_version=table.newest()["version"])
    third.client.refused(403, "not_creator", "DELETE", f"{path}/0")
    third.client.refused(403, "not_creator", "POST", f"{table.path}/bots", {"level": "easy"})
    third.client.refused(403, "not_creator", "POST", f"{table.path}/start", {})
    third.client.refused(403, "not_creator", "DELETE", table.path)
    free(table, creator, third, 2)
    creator.client.refused(400, "invalid", "POST", f"{table.path}/bots", {"level": "godlike"})
    creator.client.refused(400, "invalid", "POST", f"{table.path}/bots", {})
    exchange = creator.client.ask("POST", f"{table.path}/bots", {"level": "easy", "seat": 3}, expect=200)
    state = table.watch(creator).take(exchange)
    same((state["seats"][3]["kind"], state["seats"][3]["bot_level"]), ("bot", "easy"), "the bot seated")
    creator.client.refused(409, "seat_taken", "POST", f"{table.path}/bots", {"level": "easy", "seat": 3})
    join(table, second)
    table.look_all()
    exchange = creator.client.ask("POST", f"{table.path}/start", {}, expect=200)
    state = table.watch(creator).take(exchange)
    levels = sorted(seat["bot_level"] for seat in state["seats"] if seat["kind"] == "bot")
    same((state["status"], levels), ("active", ["easy", "medium"]), "status and bots after the start")
    check_started(table, creator, second, third)
    table.look_all()


def leave(table, person):
    """Let *person* give up its place."""
    place = table.watchers[person.name].state["you"]["seat"]
    exchange = person.client.ask("DELETE", f"{table.path}/seats/me", expect=200)
    state = table.watch(person, is_seated=False).take(exchange)
    table.joiners.remove(person.name)
    same(state["seats"][place]["player"], None, "the place given up")


def free(table, creator, person, place):
    """Let *creator* free the place of *person*."""
    exchange = creator.client.ask("DELETE", f"{table.path}/seats/{place}", expect=200)
    state = table.watch(creator).take(exchange)
    same(state["seats"][place]["player"], None, "the place freed")
    table.watch(person, is_seated=False).look()
    table.joiners.remove(person.name)


def check_started(table, creator, second, outsider):
    """Check what a started game refuses."""
    outsider.client.refused(409, ("already_started", "game_full"), "POST", f"{table.path}/seats", {})
    second.client.refused(409, ("already_started", "already_seated"), "POST", f"{table.path}/seats", {})
    second.client.refused(409, "already_started", "DELETE", f"{table.path}/seats/me")
    creator.client.refused(409, "already_started", "DELETE", f"{table.path}/seats/1")
    creator.client.refused(409, "already_started", "DELETE", table.path)
    creator.client.refused(409, "already_started", "POST", f"{table.path}/start", {})
    creator.client.refused(409, "already_started", "POST", f"{table.path}/bots", {"level": "easy"})


def cancel(world):
    """The creator cancels an open game, and it stays cancelled."""
    creator, second, third = world.people(3)
    table = create(world, creator, {"ruleset": "call-break-2"}, has_seeds=True)
    table.watch_from_outside()
    join(table, second)
    for what, body in (("bids", {"bid": 3}), ("plays", {"card": "AS"}), ("resign", {})):
        second.client.refused(409, "game_not_active", "POST", f"{table.path}/{what}", body)
        third.client.refused(403, "not_seated", "POST", f"{table.path}/{what}", body)
    second.client.refused(403, "not_creator", "DELETE", table.path)
    exchange = creator.client.ask("DELETE", table.path, expect=200)
    same(table.watch(creator).take(exchange)["status"], "cancelled", "status")
    third.client.refused(409, "game_not_open", "POST", f"{table.path}/seats", {})
    creator.client.refused(409, "game_not_open", "POST", f"{table.path}/start", {})
    creator.client.refused(409, "game_not_open", "POST", f"{table.path}/bots", {"level": "easy"})
    creator.client.refused(409, "game_not_open", "DELETE", table.path)
    second.client.refused(409, "game_not_active", "POST", f"{table.path}/bids", {"bid": 3})
    for watcher in table.watchers.values():
        watcher.client.refused(404, "not_found", "GET", f"{table.path}/rounds/1")
    table.look_all()


def resign(world):
    """Who resigns sees what a spectator sees, and a bot plays on."""
    table = full_table(world, ONE_ROUND)
    table.play_on(until=lambda state: state["round"]["trick_number"] > 2)
    person = table.seated()[1]
    watcher = table.watchers[person.name]
    seat = watcher.look()["you"]["seat"]
    card = watcher.state["you"]["hand"][0]
    refuse_stale(table, person, "resign", {})
    exchange = person.client.ask("POST", f"{table.path}/resign", {}, expect=200)
    state = table.watch(person, is_seated=False).take(exchange)
    same(state["seats"][seat]["kind"], "bot", "kind of the seat resigned")
    must(state["seats"][seat]["player"] != person.name, "the seat resigned still has its player")
    table.look_all()
    told = [(kind, who) for _, kind, _, who in table.watchers[person.name].story.public]
    must(("seat.resigned", seat) in told, "no seat.resigned in the events")
    person.client.refused(403, "not_seated", "POST", f"{table.path}/plays", {"card": card})
    person.client.refused(403, "not_seated", "POST", f"{table.path}/plays", {"card": table.latest[person.name]})
    person.client.refused(403, "not_seated", "POST", f"{table.path}/resign", {})
    table.play_on()


def agree_by_resigning(world):
    """When the only one who didn't agree resigns, everybody still seated agrees."""
    table = full_table(world, {"ruleset": "master"})
    table.play_on(until=lambda state: state["round"]["trick"])
    stubborn, *others = table.seated()
    for person in others:
        agree(table, person)
    exchange = stubborn.client.ask("POST", f"{table.path}/resign", {}, expect=200)
    state = table.watch(stubborn, is_seated=False).take(exchange)
    must(state["final_round"] is not None, "no final_round once all who are seated agree")
    state = table.play_on()
    same((state["status"], len(state["scoreboard"])), ("finished", 1), "status, and rounds scored")


def rematch(world):
    """Everyone who asks for a rematch gets the same new game."""
    table = full_table(world, ONE_ROUND)
    first, second, *_ = table.seated()
    path = f"{table.path}/rematch"
    exchange = first.client.refused(409, None, "POST", path, {})
    table.watchers[first.name].check_refusal(exchange)
    table.play_on()
    table.outsider().client.refused(403, "not_seated", "POST", path, {})
    answers = [person.client.post(path) for person in (first, second, first, second)]
    same({answer["id"] for answer in answers}, {answers[0]["id"]}, "the new game's ids")
    must(answers[0]["id"] != table.game_id, "a rematch that is the old game")
    for option, value in table.newest()["ruleset"].items():
        same(answers[0]["ruleset"][option], value, f"ruleset.{option} of the rematch")
    for person in (first, second):
        must(person.client.get(f"games/{answers[0]['id']}")["status"] == "open", "a rematch that isn't open")


def lists(world):
    """Lists hold what they should, once each."""
    creator, other = world.people(2)
    shown = create(world, creator, {"ruleset": "master"})
    hidden = [create(world, creator, {"ruleset": "master", "visibility": kind}) for kind in ("unlisted", "private")]
    check_listed(other.client, "games?status=open", [shown], hidden)
    check_listed(other.client, "games?status=open&ruleset=master", [shown], hidden)
    check_listed(other.client, "games?status=open&ruleset=lite", [], [shown, *hidden])
    check_listed(other.client, "games?status=open&mine=true", [], [shown, *hidden])
    check_listed(creator.client, "games?mine=true&status=open", [shown, *hidden], [])
    check_listed(creator.client, "games?mine=true&status=active", [], [shown, *hidden])
    for table in (shown, *hidden):
        creator.client.ask("DELETE", table.path, expect=200)
    check_listed(other.client, "games?status=open", [], [shown, *hidden])
    rulesets = creator.client.get("rulesets")
    must("master" in str(rulesets), "rulesets without master")
    must("medium" in str(creator.client.get("bots")), "bots without medium")


def check_listed(client, path, wanted, unwanted):
    """Raise Wrong unless the list at *path* has each of *wanted* once and none of *unwanted*."""
    found = [row["id"] for row in client.pages(path, most=40)]
    with blame(client.exchanges[-1]):
        must(len(set(found)) == len(found), f"{path} lists a game twice")
        for table in wanted:
            must(table.game_id in found, f"{path} does not list {table.game_id}")
        for table in unwanted:
            must(table.game_id not in found, f"{path} lists {table.game_id}")


SCENARIOS = {
    "places": places,
    "cancel": cancel,
    "resign": resign,
    "agree-by-resigning": agree_by_resigning,
    "rematch": rematch,
    "lists": lists,
}
