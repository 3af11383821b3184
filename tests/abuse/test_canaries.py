"""Nothing that was confided, and no card that is hidden, is in any log, message, cache or list of statements."""

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import redis

from callbreak_site.embedded.addresses import database_url, redis_url, secret_key
from callbreak_site.embedded.servers import DISCREET
from tests.abuse.canaries import MOST_IN_THE_OPEN, Canaries, everything_in_redis
from tests.abuse.wire import programs
from tests.site.running import CHECKOUT, Running, data_folder, free_port

pytestmark = pytest.mark.slow
LANES = ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS")
LOUD = {"LOG_LEVEL": "DEBUG", "GRANIAN_LOG_ACCESS_ENABLED": "1", "DB_LOCK_TIMEOUT_MS": "300", "CALLBREAK_ENV": "test"}
WIDE = {f"THROTTLE_{lane}": "100000/hour" for lane in LANES}  # never reached, but counted
SCRAPER = "canary-of-the-scraper"
PASSWORD, NEW_PASSWORD, WRONG = "canary-wet-otter", "canary-dry-otter", "canary-lost-otter"
SEED = "c0ffee" * 10 + "cafe"


class House:
    """A running service, what was confided to it, and what could be seen of it from outside."""

    def __init__(self, running: Running) -> None:
        self.running, self.canaries = running, Canaries()
        self.canaries.confide("a password", PASSWORD, NEW_PASSWORD, WRONG)
        self.canaries.confide("a player's seed", SEED)
        self.canaries.confide("a key of the service", SCRAPER, secret_key(running.data))
        self.client = httpx.Client(base_url=running.url("/api/v1"), timeout=20)
        self.database = database_url(running.data)
        self.redis = redis.Redis.from_url(redis_url(running.data))
        self.statements: set[str] = set()
        self.looks = 0
        self.messages = self.metrics = ""
        self.is_over = threading.Event()

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.request(method, path, json=body, headers=headers)
        told = answer.json() if answer.content else {}
        for field, what in (("token", "a token"), ("invite", "an invite"), ("reservation", "a reservation")):
            if isinstance(told.get(field), str):
                self.canaries.confide(what, told[field], told[field].removeprefix("cb_"))
        return told

    def scrape(self) -> str:
        url, known = self.running.url("/metrics"), {"Authorization": f"Bearer {SCRAPER}"}
        return self.client.get(url, headers=known).raise_for_status().text

    def sign_up(self, name: str) -> str:
        mail = f"{name}.canary@example.org"
        self.canaries.confide("an e-mail address", mail)
        return str(self.ask("POST", "/players", {"username": name, "password": PASSWORD, "email": mail})["token"])

    def watch(self) -> None:
        """Note every statement that can be seen beside us, until it is over."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            while not self.is_over.wait(0.004):
                seen = connection.execute("SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
                self.statements.update(query for (query,) in seen)
                self.looks += 1

    @contextmanager
    def stopped(self, word: str) -> Iterator[None]:
        """Let programs with *word* in their command line stand still."""
        pids = programs(self.running.processes(), word)
        assert pids
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in reversed(pids):
                os.kill(pid, signal.SIGCONT)

    def log(self, name: str) -> str:
        return (self.running.data / "logs" / f"{name}.log").read_text(errors="replace")


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with data_folder() as data, Running(data, free_port(), **LOUD, **WIDE, METRICS_TOKEN=SCRAPER) as running:
        running.wait_until_ready()
        made = House(running)
        watcher = threading.Thread(target=made.watch)
        watcher.start()
        try:
            accounts(made)
            games(made)
            failures(made)
            made.canaries.read(made.database)
            made.metrics = made.scrape()
            yield made
        finally:
            made.is_over.set()
            watcher.join()
            made.client.close()


def accounts(house: House) -> None:
    """Confide everything that an account has, also where it is refused."""
    token = house.sign_up("asha")
    for name, password in [("asha", PASSWORD), ("asha", WRONG), (WRONG, PASSWORD)]:
        house.ask("POST", "/sessions", {"username": name, "password": password})
    house.ask("POST", "/players", {"username": "bela", "password": PASSWORD, "email": "asha.canary@example.org"})
    house.ask(
        "POST", "/players", {"username": "bela", "password": PASSWORD, "email": "ASHA.canary@example.org", "x": 1}
    )
    house.ask("POST", "/tokens", {"name": "phone", "scopes": ["games:read"]}, token)
    house.ask("PATCH", "/me", {"email": "asha2.canary@example.org"}, token)
    house.canaries.confide("an e-mail address", "asha2.canary@example.org", "ASHA.canary@example.org")
    house.ask("POST", "/me/password", {"old": WRONG, "new": NEW_PASSWORD}, token)
    house.ask("POST", "/me/password", {"old": PASSWORD, "new": NEW_PASSWORD}, token)
    house.ask("GET", f"/me?token={token}&password={PASSWORD}", token=token)
    house.ask("GET", f"/nothing?access_token={token}")
    guest = house.ask("POST", "/players/guest")["token"]
    house.ask("PATCH", "/me", {"username": "carl", "password": PASSWORD, "email": "carl.canary@example.org"}, guest)
    house.canaries.confide("an e-mail address", "carl.canary@example.org")
    for who in ("asha", WRONG):
        form = {"username": who, "password": WRONG, "csrfmiddlewaretoken": "a" * 32}
        house.client.post(house.running.url("/admin/login/"), data=form, headers={"Cookie": "csrftoken=" + "a" * 32})
    house.ask("DELETE", "/me", {"password": PASSWORD}, guest)


def games(house: House) -> None:
    """Play a while among people and bots, at times without a worker, and read what waits for it."""
    people = [house.sign_up(name) for name in ("dora", "emil")]
    kept = house.ask("POST", "/games/reservations", {"ruleset": "lite"}, people[0])["reservation"]
    plan = {
        "ruleset": "lite",
        "visibility": "private",
        "reservation": kept,
        "client_seed": SEED,
        "bots": ["easy", "medium"],
    }
    made = house.ask("POST", "/games", plan, people[0])
    house.ask("POST", f"/games/{made['id']}/seats", {"invite": made["invite"], "client_seed": SEED}, people[1])
    assert house.ask("GET", f"/games/{made['id']}?invite={made['invite']}", token=people[1])["status"] == "active"
    house.canaries.read(house.database)
    for time_ in range(14):
        if time_ % 5 == 4:
            with house.stopped("worker"):
                act(house, made["id"], people, seconds=1)
                house.messages += everything_in_redis(house.redis)
        act(house, made["id"], people)
        house.canaries.read(house.database)


def act(house: House, game: str, people: list[str], seconds: float = 20) -> None:
    """Let whoever of *people* is on turn bid or play; wait for the bots so long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for token in people:
            you = house.ask("GET", f"/games/{game}", token=token)["you"]
            if you["legal_bids"]:
                house.ask("POST", f"/games/{game}/bids", {"bid": 1}, token)
                return
            if you["legal_plays"]:
                house.ask("POST", f"/games/{game}/plays", {"card": you["legal_plays"][-1]}, token)
                return
        time.sleep(0.05)


def failures(house: House) -> None:
    """Let statements fail that hold what is hidden: for a lock, for time, for a constraint, in a deadlock."""
    people = [house.sign_up(name) for name in ("fred", "gina", "hari", "indu")]
    game = house.ask("POST", "/games", {"ruleset": "lite"}, people[0])["id"]
    for token in people[1:]:
        house.ask("POST", f"/games/{game}/seats", {}, token)
    for _ in range(4):
        act(house, game, people)
    house.canaries.read(house.database)
    for table in ("games_game", "games_hand", "games_event", "games_play", "players_player", "players_token"):
        with psycopg.connect(house.database) as holder:
            holder.execute(f"LOCK TABLE {table} IN SHARE MODE")
            act(house, game, people, seconds=1)
            house.ask(
                "POST", "/players", {"username": "jaya", "password": PASSWORD, "email": "jaya.canary@example.org"}
            )
            house.ask("POST", "/games", {"ruleset": "lite", "bots": ["easy"] * 3}, people[0])
    house.canaries.confide("an e-mail address", "jaya.canary@example.org")
    with psycopg.connect(house.database, autocommit=True) as connection:
        (hand,) = connection.execute("SELECT dealt FROM games_hand ORDER BY id DESC LIMIT 1").fetchone() or (0,)
        connection.execute("SET statement_timeout = 100")
        for statement in (
            f"INSERT INTO games_hand SELECT h.* FROM games_hand h WHERE dealt = {hand}",
            f"UPDATE games_hand SET bid = 99 WHERE dealt = {hand}",
            f"SELECT pg_sleep(1), {hand}",
            f"SELECT 1 / ({hand} - {hand})",
            f"SELECT {hand} FROM nowhere",
            "INSERT INTO players_player SELECT p.* FROM players_player p WHERE email LIKE '%canary%' LIMIT 1",
        ):
            with suppress(psycopg.Error):
                connection.execute(statement)
        with suppress(psycopg.Error):
            connection.execute("UPDATE games_hand SET bid = 99 WHERE dealt = %s", [hand])
    deadlock(house.database, hand)


def deadlock(database: str, hand: int) -> None:
    """Let two transactions wait for each other's lock, with a hand in their statements."""
    rows = ["games_game", "games_hand"]
    together = threading.Barrier(2)

    def lock(first: str, second: str) -> None:
        with suppress(psycopg.Error), psycopg.connect(database) as connection:
            connection.execute(f"LOCK TABLE {first} IN SHARE ROW EXCLUSIVE MODE")
            together.wait(10)
            connection.execute(f"/* {hand} */ LOCK TABLE {second} IN SHARE ROW EXCLUSIVE MODE")

    threads = [threading.Thread(target=lock, args=order) for order in (rows, rows[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("name", ["web", "worker", "beat", "postgres", "redis"])
def test_no_log_tells_a_secret_or_a_card(house: House, name: str) -> None:
    assert list(house.canaries.found_in(house.log(name))) == []


def test_what_was_looked_through_was_not_empty(house: House) -> None:
    assert '"request"' in house.log("web") and "/api/v1/sessions" in house.log("web")
    assert "deadlock detected" in house.log("postgres") and "lock timeout" in house.log("postgres")
    assert "duplicate key" in house.log("postgres")
    assert "callbreak_site.outbox.tasks.deliver" in house.messages
    counts = everything_in_redis(house.redis)
    assert [lane for lane in LANES if f"/{lane.lower()}/" not in counts] == []
    assert 'route="api/v1/games/<id:game_id>/plays"' in house.metrics
    assert house.looks > 200
    assert len(house.canaries.hands) > 20 and len(house.canaries.texts) > 200


def test_no_message_and_no_count_in_redis_tells_a_secret_or_a_card(house: House) -> None:
    everything = house.messages + everything_in_redis(house.redis)
    files = [path for path in Path(house.running.data / "redis").rglob("*") if path.is_file()]
    everything += "".join(path.read_bytes().decode(errors="backslashreplace") for path in files)
    assert list(house.canaries.found_in(everything)) == []


def test_no_metric_tells_a_secret_or_a_card(house: House) -> None:
    assert list(house.canaries.found_in(house.metrics)) == []


def test_whoever_watches_the_database_at_work_sees_no_secret_and_no_hand(house: House) -> None:
    found = [
        leak for text in house.statements for leak in house.canaries.found_in(text, cards_allowed=MOST_IN_THE_OPEN)
    ]
    assert found == []


def test_a_database_of_the_composed_service_is_as_discreet() -> None:
    compose = (CHECKOUT / "compose.yaml").read_text()
    assert set(re.findall(r"- -c(\w+=\S+)", compose)) == {f"{name}={value}" for name, value in DISCREET.items()}


def test_the_proxy_logs_no_query_and_no_header() -> None:
    for file in (CHECKOUT / "proxy").glob("*.conf"):
        for format_ in re.findall(r"log_format[^;]*;", file.read_text()):
            assert not re.search(
                r"\$(request\b|request_uri|args|query_string|http_(?!host)\w+|cookie_\w+|request_body)", format_
            )


def test_the_search_finds_what_it_looks_for(house: House) -> None:
    hand = next(iter(house.canaries.hands))
    for leak in (
        PASSWORD,
        f"held={hand}",
        f"{hand:x}",
        str(hand & (hand - 1)),
        hand.to_bytes(8, "big").hex(),
        "QH played",
    ):
        assert list(house.canaries.found_in(f"a line with {leak} in it")), leak
