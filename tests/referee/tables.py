"""People at a table of the service under test, playing on by the second rules while all of them are watched."""

import random
import secrets as chance
import time
from dataclasses import dataclass, field

from .client import Client, blame
from .compare import compare
from .pester import PESTERING
from .rounds import all_plays
from .shapes import Wrong, must, same
from .watch import Watcher

PASSWORD = "Only-for-the-referee-52"


@dataclass
class Person:
    """Somebody with an account and a client that speaks for it."""

    name: str
    password: str | None
    client: Client


@dataclass
class World:
    """One service, and the people that the referee knows there.

    *patience_s* is how long a bot may take, *depth* the chance of a thorough look after an act.
    """

    base_url: str
    rng: random.Random
    transport: object = None
    patience_s: float = 30
    depth: float = 0.05
    pester: float = 0.08
    pool: list = field(default_factory=list)

    def nobody(self, name="anonymous"):
        """Return a client without a token."""
        return Client(self.base_url, None, name, self.transport)

    def sign_up(self):
        """Return a new person."""
        name = f"ref_{chance.token_hex(5)}"
        exchange = self.nobody().ask("POST", "players", {"username": name, "password": PASSWORD}, expect=201)
        with blame(exchange):
            same(exchange.answer["player"]["username"], name, "player.username")
            same(exchange.answer["player"]["kind"], "human", "player.kind")
            must(exchange.answer["token"].startswith("cb_"), "a token without cb_")
            return Person(name, PASSWORD, Client(self.base_url, exchange.answer["token"], name, self.transport))

    def guest(self):
        """Return a new guest."""
        exchange = self.nobody().ask("POST", "players/guest", {}, expect=201)
        with blame(exchange):
            player = exchange.answer["player"]
            same(player["kind"], "guest", "player.kind")
            client = Client(self.base_url, exchange.answer["token"], player["username"], self.transport)
            return Person(player["username"], None, client)

    def people(self, count):
        """Return *count* people in a random order; the same few serve all scenarios, for sign-ups are limited."""
        while len(self.pool) < max(count, 5):
            self.pool.append(self.sign_up())
        return self.rng.sample(self.pool, count)


class Table:
    """One game and those who play and watch it."""

    def __init__(self, world, game_id):
        self.world = world
        self.game_id = game_id
        self.path = f"games/{game_id}"
        self.people = {}
        self.watchers = {}
        self.latest = {}
        self.acts = 0
        self.joiners = []
        self.seeds = {}

    def watch(self, person, is_seated=True):
        """Return the watcher of *person*, a new one when *is_seated* is not what it was."""
        watcher = self.watchers.get(person.name)
        if watcher is None or watcher.is_seated != is_seated:
            watcher = self.watchers[person.name] = Watcher(person.client, self.game_id, is_seated)
        self.people[person.name] = person
        return watcher

    def watch_from_outside(self, is_public=True):
        """Let a spectator, and where the game is public somebody without an account, watch too."""
        strangers = [person for person in self.world.pool if person.name not in self.people]
        if strangers:
            self.watch(strangers[0], is_seated=False)
        if is_public:
            self.watchers["anonymous"] = Watcher(self.world.nobody(), self.game_id, is_seated=False)

    def seated(self):
        """Return the people that hold seats."""
        return [person for name, person in self.people.items() if self.watchers[name].is_seated]

    def outsider(self):
        """Return somebody with an account who holds no seat here, None when nobody is."""
        return next((person for person in self.world.pool if person not in self.seated()), None)

    def holder(self, state):
        """Return the person whose turn it is, None for a bot or nobody."""
        if state["turn"] is None:
            return None
        name = state["seats"][state["turn"]["seat"]]["player"]
        return next((person for person in self.seated() if person.name == name), None)

    def latest_actions(self, person):
        """Return the latest action of *person*, in a list; where cards play themselves, such a card too."""
        state, latest = self.watchers[person.name].state, self.latest.get(person.name)
        found = [] if latest is None else [latest]
        if state["ruleset"]["forced_cards"] != "off" and state["status"] == "active":
            for number in range(max(1, state["round"]["number"] - 1), state["round"]["number"] + 1):
                plays = all_plays(person.client.get(f"{self.path}/rounds/{number}"))
                found += [card for seat, card in plays if seat == state["you"]["seat"]]
        return found

    def newest(self):
        """Return the newest state that anybody here has seen."""
        states = [watcher.state for watcher in self.watchers.values() if watcher.state]
        return max(states, key=lambda state: state["version"])

    def look_all(self):
        """Let everybody look thoroughly, and compare what they see."""
        for _ in range(5):
            versions = {watcher.look_deep()["version"] for watcher in self.watchers.values()}
            if len(versions) == 1:
                break
        compare(self.watchers.values())
        for person in self.seated():
            self.check_joiner(self.watchers[person.name])

    def check_joiner(self, watcher):
        """Raise Wrong unless one's own seed, and one's place in the order of joining, are in the published proof."""
        name, state = watcher.client.name, watcher.state
        if state["status"] not in ("active", "finished") or name not in self.joiners:
            return
        exchange = watcher.client.ask("GET", f"{self.path}/rounds/0/proof", expect=200)
        with blame(exchange):
            proof, order = exchange.answer, self.joiners.index(name)
            seed = self.seeds.get(name, "0" * 64).lower()
            same(watcher.fairness["seat_seeds"][state["you"]["seat"]], seed, f"the seed that {name} brought")
            if len(self.joiners) == 4:
                same(proof["joined"][order], state["you"]["seat"], f"the seat of {name}, who joined as number {order}")
                same(proof["seat_seeds"][order], seed, f"the seed that {name} brought, in order of joining")

    def play_on(self, until=lambda state: False, most_acts=20_000):
        """Play until the game is over or *until* says so of the newest state; return that state."""
        for _ in range(most_acts):
            before = self.newest()
            if before["status"] != "active" or until(before):
                return before
            person = self.holder(before)
            if person:
                self.act(person)
            else:
                self.wait(before)
            after = self.newest()
            if len(after["scoreboard"]) > len(before["scoreboard"]) or after["status"] != "active":
                self.look_all()
            elif self.world.rng.random() < self.world.depth:
                self.world.rng.choice(list(self.watchers.values())).look_deep()
        raise Wrong(f"the game is not over after {most_acts} acts")

    def act(self, person):
        """Let *person*, whose turn it is, bid or play; now and then try something forbidden first."""
        watcher, rng = self.watchers[person.name], self.world.rng
        state = watcher.look()
        if state["turn"] is None or state["turn"]["seat"] != state["you"]["seat"]:
            raise Wrong(f"it is not the turn of {person.name}: {state['turn']}\n{person.client.exchanges[-1]}")
        if rng.random() < self.world.pester:
            rng.choice(PESTERING)(self, person, state)
        if state["turn"]["action"] == "bid":
            return self.bid(person, self.choose_bid(state))
        return self.play(person, rng.choice(state["you"]["legal_plays"]))

    def choose_bid(self, state):
        """Return a bid, more often a low one."""
        legal = state["you"]["legal_bids"]
        return self.world.rng.choice(legal if self.world.rng.random() < 0.2 else legal[:4])

    def bid(self, person, bid, **how):
        """Let *person* bid, and return the state after it."""
        return self.write(person, "bids", {"bid": bid}, **how)

    def play(self, person, card, **how):
        """Let *person* play, and return the state after it."""
        return self.write(person, "plays", {"card": card}, **how)

    def write(self, person, what, body, **how):
        """Send an act that is right, check the state that comes back, and return it."""
        watcher = self.watchers[person.name]
        before = watcher.state
        if self.world.rng.random() < 0.5:
            body = body | {"expected_version": before["version"]}
        exchange = person.client.ask("POST", f"{self.path}/{what}", body, expect=200, **how)
        after = watcher.take(exchange)
        value = body.get("bid", body.get("card"))
        self.latest[person.name] = value
        self.acts += 1
        with blame(exchange):
            must(after["version"] > before["version"], "an act that left the version as it was")
            seat, is_same_deal = before["you"]["seat"], after["round"] and self.is_same_deal(before, after)
            if what == "bids" and is_same_deal:
                same(after["seats"][seat]["bid"], value, "the bid just made")
            if what == "plays" and is_same_deal:
                must(value not in after["you"]["hand"], "the card just played is still held")
        return after

    @staticmethod
    def is_same_deal(before, after):
        """Return whether nothing was dealt between two states."""
        if after["round"]["number"] != before["round"]["number"]:
            return False
        return before["turn"]["action"] == "play" or any(seat["bid"] is not None for seat in after["seats"])

    def wait(self, before, patience_s=None):
        """Wait, not for ever, until the game has moved on from *before*; return the state then."""
        watcher = next(iter(self.watchers.values()))
        patience_s = patience_s or self.world.patience_s
        end, pause_s = time.monotonic() + patience_s, 0.02
        while time.monotonic() < end:
            state = watcher.look()
            if state["version"] > before["version"]:
                return state
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.5, 0.5)
        raise Wrong(f"nothing happened for {patience_s} s, turn {before['turn']}\n{watcher.client.exchanges[-1]}")
