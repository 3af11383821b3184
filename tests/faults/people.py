"""People with an account who never give up: what is not answered is sent again, as it was."""

import asyncio
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from tests.faults.history import Entry, History, now, told_by
from tests.faults.wire import Lost, Reply, Wire, request_of

PASSWORD = "Only-for-the-faults-52"
STUCK_AFTER_S = 60.0
GIVES_UP_AFTER_S = 240.0
PAUSES_S = (0.02, 0.1, 0.2, 0.4)


class Stuck(Exception):
    """Something that has to happen did not."""


@dataclass
class Tally:
    """What a run has seen so far."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    longest_wait_s: float = 0
    longest_bot_wait_s: float = 0
    slowest_s: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))  # by status, 0 for lost

    def find(self, text: str) -> None:
        """Note something that must not be."""
        self.findings.append(text)


class Person:
    """Somebody with a token, a connection, and another one for those moments in which one is not enough."""

    def __init__(self, port: int, history: History, tally: Tally, rng: Random) -> None:
        self.name, self._token = "", ""
        self.history, self.tally, self.rng = history, tally, rng
        self._wire, self._spare = Wire(port), Wire(port)

    async def sign_up(self) -> None:
        """Make an account; a try that was lost may have made one, so that the next has another name."""
        for number in range(1000):
            name = f"fault_{uuid4().hex[:12]}"
            request = request_of("POST", "players", {"username": name, "password": PASSWORD})
            reply = await self._once(Entry(name, name, "sign_up", now(), is_keyed=False), request)
            if reply and reply.status == 201:
                self.name, self._token = name, reply.body["token"]
                return
            await self._pause(number)
        raise Stuck("nobody can sign up")

    async def look(self, game: str, *, uses_spare: bool = False) -> dict[str, Any]:
        """Return a game as this person may see it now."""
        asked = await self.insist("GET", f"games/{game}", kind="look", game=game, what=None, uses_spare=uses_spare)
        return asked.body

    async def peek(self, game: str, tag: str) -> Reply | None:
        """Return a game if it has changed since it had *tag*; None when there was no answer."""
        request = request_of("GET", f"games/{game}", authorization=f"Bearer {self._token}", if_none_match=tag)
        return await self._once(Entry(uuid4().hex, self.name, "look", now(), game=game), request)

    async def insist(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        kind: str,
        game: str = "",
        what: str | int | None,
        round_number: int = 0,
        is_keyed: bool = True,
        hangs_up: bool = False,
        uses_spare: bool = False,
        move: str = "",
    ) -> Reply:
        """Send a request until it is answered by something else than that the service is not well."""
        move = move or uuid4().hex
        key = {"idempotency_key": move} if is_keyed and method == "POST" else {}
        request = request_of(method, path, body, authorization=f"Bearer {self._token}", **key)
        began, is_told = now(), False
        for number in range(100_000):
            entry = Entry(move, self.name, kind, now(), game=game, what=what, round=round_number, is_keyed=is_keyed)
            hangs_up_now = hangs_up and number == 0
            reply = await self._once(entry, request, hangs_up=hangs_up_now, uses_spare=uses_spare)
            waited = now() - began
            self.tally.longest_wait_s = max(self.tally.longest_wait_s, waited)
            if reply is not None and reply.status < 500:
                return reply
            if not hangs_up_now:
                self.tally.counts["retries"] += 1
            if waited > STUCK_AFTER_S and not is_told:
                is_told = True
                self.tally.find(f"stuck: {kind} {what} of {self.name} in {game} has no answer after {waited:.0f} s")
            if waited > GIVES_UP_AFTER_S:
                break
            await self._pause(number)
        raise Stuck(f"{kind} {what} of {self.name} in {game} is never answered")

    async def _once(
        self, entry: Entry, request: bytes, *, hangs_up: bool = False, uses_spare: bool = False
    ) -> Reply | None:
        """Send a request once and write down what came of it."""
        wire, reply = self._spare if uses_spare else self._wire, None
        try:
            reply = await wire.ask(request, hangs_up=hangs_up)
        except Lost as lost:
            entry.code = str(lost)
        else:
            entry.status = reply.status
            body = reply.body or {}
            if reply.status >= 400:
                entry.code = body.get("code", "")
            elif "scoreboard" in body:
                entry.told, entry.game = told_by(body), body["id"]
        entry.answered, entry.at = now(), time.time()
        self.tally.slowest_s[entry.status] = max(self.tally.slowest_s[entry.status], entry.answered - entry.sent)
        self._count(entry.status, entry.code)
        if entry.status != 304:
            self.history.note(entry)
        return reply

    def _count(self, status: int, code: str) -> None:
        self.tally.counts["requests"] += 1
        if status == 0 or status >= 400:
            self.tally.errors[f"{status} {code}" if status else f"lost: {code}"] += 1
        if status >= 500 and status != 503:
            self.tally.find(f"an answer {status} {code}")

    async def _pause(self, number: int) -> None:
        await asyncio.sleep(PAUSES_S[min(number, len(PAUSES_S) - 1)] * (0.5 + self.rng.random()))

    def close(self) -> None:
        """Hang up."""
        self._wire.close()
        self._spare.close()
