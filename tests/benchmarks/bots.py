"""How long a person waits for the three bots, with a real worker."""

import time
from statistics import median

from tests.benchmarks.connection import Address, Connection
from tests.benchmarks.house import House
from tests.benchmarks.lines import Line, Size

SECONDS_BETWEEN_LOOKS = 0.005
LONGEST_WAIT = 30
LEVEL = "medium"


def bots(house: House, size: Size) -> list[Line]:
    """Measure the time from a person's play to the third card of the bots after it."""
    with house.web() as product, house.worker():
        return bots_at(product, size)


def bots_at(product: Address, size: Size) -> list[Line]:
    """Measure what runs already."""
    rows = [waits(product, size.bots_turns) for _ in range(size.repetitions)]
    value = 1000 * median(median(row) for row in rows)
    says = "from a person's play to the last of three bots' answers, median"
    return [Line("bots", says, value, "ms", None, 300, [[round(1000 * each, 1) for each in row] for row in rows])]


def waits(address: Address, count: int) -> list[float]:
    """Play against three bots, and return the seconds of so many plays that three cards of bots followed."""
    with Connection(address) as connection:
        guest = connection.ask("POST", "/players/guest")
        seat = Opponent(connection, guest["token"])
        took: list[float] = []
        while len(took) < count:
            if (seconds := seat.act()) is not None:
                took.append(seconds)
        return took


class Opponent:
    """A person who plays the first legal card against three bots, one game after the other."""

    def __init__(self, connection: Connection, token: str) -> None:
        self.connection, self.token = connection, token
        self.begin()

    def begin(self) -> None:
        """Start a game."""
        plan = {"ruleset": "lite", "bots": [LEVEL] * 3, "time_control": {"kind": "untimed"}}
        self.game = "/games/" + self.connection.ask("POST", "/games", self.token, plan)["id"]

    def act(self) -> float | None:
        """Do one thing, and return the seconds until the third card of bots after it, None where there was none."""
        state = self.wait_for_turn()
        if state["status"] != "active":
            self.begin()
            return None
        you = state["you"]
        if you["legal_bids"]:
            self.connection.ask("POST", f"{self.game}/bids", self.token, {"bid": 3})
            return None
        began = time.perf_counter()
        after = self.connection.ask("POST", f"{self.game}/plays", self.token, {"card": you["legal_plays"][0]})
        while True:
            events = self.connection.ask("GET", f"{self.game}/events?after={after['version']}", self.token)["results"]
            now = time.perf_counter()
            cards = [event for event in events if event["type"] == "card.played"]
            if len(cards) >= 3:
                return now - began
            if self.is_mine_or_over() or now - began > LONGEST_WAIT:
                return None
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def wait_for_turn(self) -> dict:
        """Wait until it is the person's turn or the game is over, and return the state."""
        deadline = time.perf_counter() + LONGEST_WAIT
        while time.perf_counter() < deadline:
            state = self.state()
            if state["status"] != "active" or state["turn"]["seat"] == state["you"]["seat"]:
                return state
            time.sleep(SECONDS_BETWEEN_LOOKS)
        raise RuntimeError("The bots do not play.")

    def is_mine_or_over(self) -> bool:
        """Tell whether no bot is to play next."""
        state = self.state()
        return state["status"] != "active" or state["turn"]["seat"] == state["you"]["seat"]

    def state(self) -> dict:
        """Look at the game."""
        return self.connection.ask("GET", self.game, self.token)
