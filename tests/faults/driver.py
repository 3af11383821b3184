"""All the people of a run, in one thread: tables side by side, one game after the other."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tests.faults.history import History
from tests.faults.people import Person, Tally
from tests.faults.tables import KINDS, SLEEPY, WITH_BOTS, Kind, Table

MIXED = [*KINDS, *WITH_BOTS, SLEEPY]


class Driver:
    """People who play at several tables until told to stop; it starts when its block is entered."""

    def __init__(
        self,
        port: int,
        history: Path,
        *,
        tables: Sequence[Kind | Sequence[Kind]],
        games: int = 0,
        seed: int = 1,
        tend: Callable[[], None] = lambda: None,
    ) -> None:
        """Play at one table for each of *tables*, with the kinds in turn; *games* at each, or without an end.

        Whoever waits for these people calls *tend* meanwhile: what runs without a supervisor has to be looked after.
        """
        self.tend = tend
        self.port, self.path, self.games, self.seed = port, history, games, seed
        self.kinds = [[kinds] if isinstance(kinds, Kind) else list(kinds) for kinds in tables]
        self.tally = Tally()
        self._is_told_to_stop = False
        self._broken: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="driver", daemon=True)

    def __enter__(self) -> "Driver":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def plays(self) -> int:
        """How many bids and plays have been acknowledged."""
        return self.tally.counts["plays"] + self.tally.counts["bids"]

    @property
    def is_over(self) -> bool:
        """Whether all have finished, or something broke."""
        return not self._thread.is_alive()

    def stop(self, seconds: float = 300) -> None:
        """Let everybody end what was begun, without a new act; raises what went wrong."""
        self._is_told_to_stop = True
        self.wait(seconds)

    def wait(self, seconds: float) -> None:
        """Wait until all games are over."""
        ends_at = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < ends_at:
            self.tend()
            self._thread.join(0.1)
        assert self.is_over, f"the driver does not end: {self.tally}"
        if self._broken:
            raise self._broken

    def wait_for(self, is_so: Callable[[], bool], seconds: float) -> float:
        """Wait until *is_so* while people play, and return how long that took."""
        began = time.monotonic()
        while not is_so():
            self.tend()
            waited = time.monotonic() - began
            assert waited < seconds and not self.is_over, f"not within {seconds} s: {self._broken!r} {self.tally}"
            time.sleep(0.02)
        return time.monotonic() - began

    def wait_for_plays(self, count: int, seconds: float = 60) -> float:
        """Wait until so many more acts have been acknowledged, and return how long that took."""
        enough = self.plays + count
        return self.wait_for(lambda: self.plays >= enough, seconds)

    def _run(self) -> None:
        history = History(self.path)
        try:
            asyncio.run(self._play(history))
        except BaseException as error:
            self._broken = error
        finally:
            history.close()

    async def _play(self, history: History) -> None:
        async with asyncio.TaskGroup() as group:
            for number, kinds in enumerate(self.kinds):
                group.create_task(self._keep_table(history, number, kinds))

    async def _keep_table(self, history: History, number: int, kinds: list[Kind]) -> None:
        rng = Random(f"{self.seed}:{number}")
        people = [Person(self.port, history, self.tally, rng) for _ in range(4 - min(kind.bots for kind in kinds))]
        try:
            for person in people:
                await person.sign_up()
            played = 0
            while not self._is_told_to_stop and (not self.games or played < self.games):
                rng.shuffle(people)
                kind = kinds[(number + played) % len(kinds)]
                await Table(kind, people, rng, self.tally, lambda: self._is_told_to_stop).play()
                played += 1
        finally:
            for person in people:
                person.close()
