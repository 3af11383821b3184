"""Load by eight clients, each a thread with a connection and tables of its own: at full speed, or at a pace."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from queue import Empty, SimpleQueue

from tests.benchmarks.connection import Address, Connection
from tests.benchmarks.tables import ROUNDS_A_GAME, Table, four_people, seat_four

CLIENTS = 8
PLAYS_A_ROUND = 52


@dataclass(frozen=True)
class Done:
    """What was answered well: how many in how many seconds, and the seconds that each took."""

    count: int
    seconds: float
    each: list[float]

    @property
    def rate(self) -> float:
        """How many a second."""
        return self.count / self.seconds


Work = Callable[[int, Connection], None]


def at_once(address: Address, work: Work) -> None:
    """Run *work* for all clients at the same time, each with its number and a connection; raises what one raises."""
    failures: SimpleQueue[BaseException] = SimpleQueue()

    def run(client: int) -> None:
        try:
            with Connection(address) as connection:
                work(client, connection)
        except BaseException as failure:
            failures.put(failure)

    threads = [threading.Thread(target=run, args=(client,), daemon=True) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        raise failures.get_nowait()
    except Empty:
        pass


def lay_tables(address: Address, plays: float) -> list[list[Table]]:
    """Start games for about so many plays, by client: each is a first round, and every fifth of them the last too."""
    each = max(1, ceil(plays / PLAYS_A_ROUND / CLIENTS))
    laid: list[list[Table]] = [[] for _ in range(CLIENTS)]

    def lay(client: int, connection: Connection) -> None:
        people = four_people(connection)
        for number in range(each):
            is_last = (client + number) % ROUNDS_A_GAME == 0
            laid[client].append(seat_four(connection, people, rounds=1 if is_last else ROUNDS_A_GAME))

    at_once(address, lay)
    return laid


def full_speed(
    address: Address, tables: list[list[Table]], seconds: float, ask: Callable[[Table], bytes] = Table.next_play
) -> Done:
    """Let all clients ask one thing after the other, until the time is over or the first client has nothing left."""
    start, ends = threading.Barrier(CLIENTS), [0.0] * CLIENTS
    answered: list[list[tuple[float, float]]] = [[] for _ in range(CLIENTS)]
    began = 0.0

    def run(client: int, connection: Connection) -> None:
        nonlocal began
        mine = answered[client]
        start.wait()
        now = time.perf_counter()
        began, deadline = now, now + seconds
        for table in tables[client]:
            while now < deadline and not table.is_round_over:
                sent = ask(table)
                before = time.perf_counter()
                expect_good(connection.exchange(sent), sent)
                now = time.perf_counter()
                mine.append((now, now - before))
        ends[client] = min(now, deadline)

    at_once(address, run)
    end = min(ends)
    each = [took for mine in answered for at, took in mine if at <= end]
    return Done(len(each), end - began, each)


def at_a_pace(address: Address, tables: list[list[Table]], rate: float) -> Done:
    """Let all clients play at *rate* a second together; a play's time counts from when it was due."""
    start = threading.Barrier(CLIENTS)
    pause = CLIENTS / rate
    took: list[list[float]] = [[] for _ in range(CLIENTS)]

    def run(client: int, connection: Connection) -> None:
        start.wait()
        due = time.perf_counter() + pause * client / CLIENTS
        for table in tables[client]:
            while not table.is_round_over:
                sent = table.next_play()
                time.sleep(max(0.0, due - time.perf_counter()))
                expect_good(connection.exchange(sent), sent)
                took[client].append(time.perf_counter() - due)
                due += pause

    began = time.perf_counter()
    at_once(address, run)
    each = [one for mine in took for one in mine]
    return Done(len(each), time.perf_counter() - began, each)


def expect_good(answer: tuple[int, bytes, bytes], sent: bytes) -> None:
    """Raise unless a request was answered 200 or 304: only accepted plays count."""
    if answer[0] not in (200, 304):
        raise RuntimeError(f"{sent.splitlines()[0]!r} was answered {answer[0]}: {answer[2][:300]!r}")
