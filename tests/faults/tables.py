"""Games played to their end through the API, by people who know the rules and have bad manners with connections."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from tests.faults.history import now
from tests.faults.people import GIVES_UP_AFTER_S, STUCK_AFTER_S, Person, Stuck, Tally
from tests.faults.wire import Reply
from tests.referee.rules import legal_bids, legal_plays

ON_TIME: dict[str, Any] = {"kind": "correspondence"}
HASTY: dict[str, Any] = {"kind": "live", "per_turn": 5}
MOVED_ON = ("not_your_turn", "wrong_phase", "version_conflict", "game_not_active", "card_not_held", "illegal_bid")


@dataclass(frozen=True)
class Kind:
    """A kind of game: its rules, how many bots sit in it, and how likely a person sleeps through a turn."""

    ruleset: str
    options: dict[str, Any] = field(default_factory=dict)
    bots: int = 0
    time_control: dict[str, Any] = field(default_factory=lambda: ON_TIME)
    sleeps: float = 0

    @property
    def body(self) -> dict[str, Any]:
        """What asks for such a game."""
        asked = {"ruleset": self.ruleset, "options": self.options, "time_control": self.time_control}
        return asked | {"bots": ["easy"] * self.bots, "fill_with": "easy"}


LITE = Kind("lite", {"rounds": 2})
REDEALS = {"redeal_no_spade": True, "redeal_no_honour": True, "redeal_low_bids": True}
KINDS = [
    LITE,
    Kind("call-break-2"),
    Kind("master", {"rounds": 2, **REDEALS}),
    Kind("custom", {"rounds": 3, "forced_cards": "at_once", "seating": "draw", "redeal_low_bids": True}),
]
WITH_BOTS = [
    Kind("lite", {"rounds": 1}, bots=2),
    Kind("call-break-2", {"rounds": 1}, bots=3),
    Kind("master", {"rounds": 1, "forced_cards": "at_once"}, bots=1),
]
SLEEPY = Kind("lite", {"rounds": 1}, time_control=HASTY, sleeps=0.04)


class Table:
    """One game and its people, who tell each other what is on the table but show nobody their hands."""

    def __init__(
        self, kind: Kind, people: list[Person], rng: Random, tally: Tally, is_over: Callable[[], bool]
    ) -> None:
        """Seat the first of *people* beside the bots that *kind* has; they stop when *is_over* says so."""
        self.kind, self.people, self.rng, self.tally, self.is_over = kind, people, rng, tally, is_over
        self.game = ""
        self.state: dict[str, Any] = {"version": 0}
        self.seated: dict[int, Person] = {}
        self.hands: dict[int, tuple[int, list[str]]] = {}  # by seat: the round, and what is held

    async def play(self) -> None:
        """Make the game and play it to its end, or until it is over for other reasons."""
        await self._gather()
        while self.state["status"] == "active" and not self.is_over():
            person = self.seated.get(self.state["turn"]["seat"])
            if person is None:
                await self._wait_for_others()
            elif self.rng.random() < self.kind.sleeps:
                await self._wait_for_others(asleep=True)
            else:
                await self._act(person)
        if self.state["status"] == "finished":
            self.tally.counts["games finished"] += 1

    async def _gather(self) -> None:
        made = await self._want(self.people[0], "POST", "games", self.kind.body, kind="create", what=self.kind.ruleset)
        self.game = made.body["id"]
        self._take(made.body)
        for person in self.people[1 : 4 - self.kind.bots]:
            self._take((await self._want(person, "POST", f"games/{self.game}/seats", {}, kind="join", what=None)).body)
        for person in self.people[: 4 - self.kind.bots]:
            seen = await person.look(self.game)
            self._take(seen)
            self.seated[seen["you"]["seat"]] = person

    async def _want(self, person: Person, method: str, path: str, body: Any, *, kind: str, what: Any) -> Reply:
        reply = await person.insist(method, path, body, kind=kind, game=self.game, what=what)
        if reply.status >= 400:
            raise Stuck(f"{kind} by {person.name} in {self.game} was refused: {reply.status} {reply.body}")
        return reply

    def _take(self, state: dict[str, Any]) -> None:
        """Remember what was told, if it is news."""
        you, turn = state["you"], state["turn"]
        if you and turn and turn["action"] == "play":
            self.hands[you["seat"]] = (state["round"]["number"], you["hand"])
        if state["version"] >= self.state["version"]:
            self.state = state

    async def _act(self, person: Person) -> None:
        """Bid or play for the seat on turn."""
        if self.state["turn"]["action"] == "bid":
            legal = legal_bids(self.state["ruleset"])
            bid = self.rng.choice(legal if self.rng.random() < 0.2 else legal[:4])
            await self._send(person, "bid", bid)
            return
        hand = await self._hand(person)
        if hand is None:
            return
        trick = [play["card"] for play in self.state["round"]["trick"]]
        legal = legal_plays(hand, trick, self.state["ruleset"])
        card = self.rng.choice(legal)
        manners = self.rng.random()
        if manners < 0.02 and len(legal) > 1:
            rival = self.rng.choice([other for other in legal if other != card])
            await asyncio.gather(
                self._send(person, "play", card, is_sure=True, may_fail=True),
                self._send(person, "play", rival, is_sure=True, may_fail=True, uses_spare=True),
            )
        elif manners < 0.05:
            twice: dict[str, Any] = {"move": uuid4().hex, "is_keyed": self.rng.random() < 0.5, "is_sure": False}
            await asyncio.gather(
                self._send(person, "play", card, **twice), self._send(person, "play", card, uses_spare=True, **twice)
            )
        else:
            # A retry without a key is known only as long as nobody has acted for the seat.
            is_keyed = manners < 0.9 or self.kind.time_control is HASTY
            await self._send(person, "play", card, is_keyed=is_keyed, hangs_up=0.05 < manners < 0.08)

    async def _hand(self, person: Person) -> list[str] | None:
        """Return the cards of the seat on turn; None when it is not on turn any more."""
        seat, number = self.state["turn"]["seat"], self.state["round"]["number"]
        known, hand = self.hands.get(seat, (0, []))
        gone = {play["card"] for play in self.state["round"]["trick"]}
        if known == number:
            hand = [card for card in hand if card not in gone]
            if len(hand) == self.state["seats"][seat]["cards"]:
                return hand
        seen = await person.look(self.game)
        self._take(seen)
        if seen["turn"] is None or [seen["turn"]["seat"], seen["turn"]["action"]] != [seat, "play"]:
            return None
        return list(seen["you"]["hand"])

    async def _send(
        self,
        person: Person,
        kind: str,
        what: str | int,
        *,
        is_keyed: bool = True,
        is_sure: bool | None = None,
        may_fail: bool = False,
        hangs_up: bool = False,
        uses_spare: bool = False,
        move: str = "",
    ) -> None:
        """Send a bid or a play and see to its answer; who is sure names the version that it is meant for."""
        if is_sure is None:
            is_sure = self.rng.random() < 0.3
        body: dict[str, Any] = {"card" if kind == "play" else "bid": what}
        if is_sure:
            body["expected_version"] = self.state["version"]
        reply = await person.insist(
            "POST",
            f"games/{self.game}/{kind}s",
            body,
            kind=kind,
            game=self.game,
            what=what,
            round_number=self.state["round"]["number"],
            is_keyed=is_keyed,
            hangs_up=hangs_up,
            uses_spare=uses_spare,
            move=move,
        )
        if reply.status == 200:
            self.tally.counts[f"{kind}s"] += 1
            self._take(reply.body)
            return
        if not may_fail and not (self.kind.time_control is HASTY and reply.body["code"] in MOVED_ON):
            self.tally.find(f"a legal {kind} {what} of {person.name} in {self.game} was refused: {reply.body}")
        # Over the connection that has answered: on the other one an answer may still be due.
        self._take(await person.look(self.game, uses_spare=uses_spare))

    async def _wait_for_others(self, asleep: bool = False) -> None:
        """Look now and then until somebody else has acted."""
        watcher = next(iter(self.seated.values()))
        version, tag, began, pause, is_told = self.state["version"], "", now(), 0.02, False
        while self.state["version"] == version and not self.is_over():
            await asyncio.sleep(pause * (0.5 + self.rng.random()))
            pause = min(pause * 1.5, 1.0 if asleep else 0.25)
            reply = await watcher.peek(self.game, tag)
            if reply is not None and reply.status == 200:
                tag = reply.headers.get("etag", "")
                self._take(reply.body)
            waited = now() - began
            if not asleep:
                self.tally.longest_bot_wait_s = max(self.tally.longest_bot_wait_s, waited)
            if waited > STUCK_AFTER_S and not is_told:
                is_told = True
                self.tally.find(f"stuck: {self.game} is at version {version} for {waited:.0f} s: {self.state['turn']}")
            if waited > GIVES_UP_AFTER_S:
                raise Stuck(f"game {self.game} does not go on")
