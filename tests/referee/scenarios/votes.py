"""Finishing an open-ended game by agreement."""

from ..client import blame
from ..seating import full_table
from ..shapes import must, same


def vote(table, person, method):
    """Let *person* agree (PUT) or no longer agree (DELETE) and return the state."""
    exchange = person.client.ask(method, f"{table.path}/finish-vote", {}, expect=200)
    return table.watchers[person.name].take(exchange)


def agree(table, person):
    """Let *person* agree, twice; the second time changes nothing."""
    state = vote(table, person, "PUT")
    if state["status"] == "active":
        same(state["seats"][state["you"]["seat"]]["wants_to_finish"], True, "wants_to_finish of who agreed")
        same(vote(table, person, "PUT")["version"], state["version"], "version after agreeing again")
    return state


def all_agree(table):
    """Let everybody agree, in some order."""
    people = table.seated()
    table.world.rng.shuffle(people)
    for person in people:
        agree(table, person)


def vote_in_mid_round(world):
    """With a card down the game ends with the round; until then nobody can withdraw, and the gaps are shown."""
    table = full_table(world, {"ruleset": "master"})
    table.play_on(until=lambda state: state["round"]["trick"])
    all_agree(table)
    table.look_all()
    state = table.newest()
    same(state["status"], "active", "status with a card down")
    must(state["final_round"] is not None, "no final_round once all have agreed")
    for person in table.seated():
        person.client.refused(409, "finish_agreed", "DELETE", f"{table.path}/finish-vote", {})
        agree(table, person)
    state = table.play_on()
    same((state["status"], len(state["scoreboard"])), ("finished", 1), "status, and rounds scored")


def vote_before_a_round_is_over(world):
    """Before any round is over and with no card down, agreeing cancels the game; its round is gone."""
    for bids in (0, 3):
        table = full_table(world, {"ruleset": "master"}, has_seeds=bids > 0)
        table.play_on(until=lambda state, bids=bids: sum(seat["bid"] is not None for seat in state["seats"]) == bids)
        all_agree(table)
        same(table.newest()["status"], "cancelled", "status")
        table.look_all()
        check_gone(table, 1)


def check_gone(table, number):
    """Check that a round that a vote dropped is gone for everybody."""
    for watcher in table.watchers.values():
        watcher.client.refused(404, "not_found", "GET", f"{table.path}/rounds/{number}")
        watcher.client.refused(404, "not_found", "GET", f"{table.path}/rounds/{number}/proof")


def vote_between_rounds(world):
    """Agreement lasts over rounds; when the last one agrees with no card down, the new round is dropped."""
    table = full_table(world, {"ruleset": "custom", "options": {"rounds": None}})
    table.play_on(until=lambda state: state["round"]["trick_number"] > 1)
    early, *others = table.seated()
    agree(table, early)
    for person in others[:2]:
        agree(table, person)
    table.play_on(until=lambda state: len(state["scoreboard"]) == 1 and state["seats"][0]["bid"] is not None)
    state = table.newest()
    same(sum(seat["wants_to_finish"] for seat in state["seats"]), 3, "those who still want to finish")
    state = agree(table, others[2])
    same((state["status"], len(state["scoreboard"])), ("finished", 1), "status, and rounds scored")
    same(state["round"]["number"], 1, "round.number, the last scored one")
    table.look_all()
    check_gone(table, 2)


def withdraw(world):
    """Agreement may be taken back until all agree; repeating either changes nothing."""
    table = full_table(world, {"ruleset": "master"})
    people = table.seated()
    for person in people[:3]:
        agree(table, person)
    state = vote(table, people[0], "DELETE")
    same(state["seats"][state["you"]["seat"]]["wants_to_finish"], False, "wants_to_finish of who withdrew")
    same(vote(table, people[0], "DELETE")["version"], state["version"], "version after withdrawing again")
    state = agree(table, people[3])
    same(state["status"], "active", "status while one doesn't agree")
    same(state["final_round"], None, "final_round while one doesn't agree")
    table.look_all()
    same(agree(table, people[0])["status"], "cancelled", "status once all agree")
    for person in people:
        person.client.refused(409, "game_not_active", "PUT", f"{table.path}/finish-vote", {})


def vote_refused(world):
    """Who may not agree, and when."""
    table = full_table(world, {"ruleset": "lite"})
    person = table.seated()[0]
    path, stranger = f"{table.path}/finish-vote", table.outsider()
    for method in ("PUT", "DELETE"):
        person.client.refused(422, "not_available", method, path, {})
        stranger.client.refused(403, "not_seated", method, path, {})
        world.nobody().refused(401, "not_authenticated", method, path, {})
        stale = person.client.refused(409, "version_conflict", method, path, {"expected_version": 1})
        table.watchers[person.name].check_refusal(stale)
        with blame(stale):
            must("current" in stale.answer, "a version_conflict without `current`")
        person.client.refused(400, "invalid", method, path, {"wants": True})


SCENARIOS = {
    "vote-in-mid-round": vote_in_mid_round,
    "vote-before-a-round-is-over": vote_before_a_round_is_over,
    "vote-between-rounds": vote_between_rounds,
    "withdraw": withdraw,
    "vote-refused": vote_refused,
}
