"""A game played again from its events by the second rules; whatever does not follow is a fault, by its letter."""

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import takewhile
from typing import Any

from tests.faults.record import Record, Row
from tests.referee import rules

GRACE = timedelta(seconds=2)


@dataclass(frozen=True)
class Act:
    """A bid or a play of the record."""

    version: int
    kind: str
    seat: int
    round: int
    what: str | int
    by: str


@dataclass
class Replay:
    """Where a game stands after the events so far, and what was wrong with them."""

    record: Record
    wanted: set[int]
    faults: list[str] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    positions: dict[int, dict[str, Any]] = field(default_factory=dict)
    calls_for_bots: int = 0

    status: str = "open"
    round: int = 0
    dealer: int = -1
    redeals: int = 0
    turn: int | None = None
    action: str = ""
    hands: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    dealt: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    bids: list[int | None] = field(default_factory=lambda: [None] * 4)
    tricks: list[int] = field(default_factory=lambda: [0] * 4)
    trick: list[str] = field(default_factory=list)
    leader: int = 0
    trick_number: int = 1
    totals: list[int] = field(default_factory=lambda: [0] * 4)
    scoreboard: list[list[list[Any]]] = field(default_factory=list)
    places: list[int] | None = None
    is_missed: bool = False
    plays: list[tuple[int, int, int, int, str]] = field(default_factory=list)
    winners: list[tuple[int, int, int, int | None]] = field(default_factory=list)

    def run(self) -> "Replay":
        """Apply every event."""
        self.ruleset: Row = self.record.game["ruleset"]
        self.bots = [seat["player_id"] is None for seat in self.record.seats]
        steps = {
            "game.started": self._start,
            "round.dealt": self._deal,
            "round.redealt": self._redeal,
            "bid.made": self._bid,
            "card.played": self._play,
            "trick.won": self._win,
            "round.scored": self._score,
            "turn.missed": self._miss,
            "game.finished": self._finish,
        }
        before = None
        for event in self.record.events:
            if before is not None and before["at"] != event["at"]:
                self._end_of_change(before)
            self.event, self.before = event, before
            if step := steps.get(event["type"]):
                step(event["seat"], event["public"])
            if event["version"] in self.wanted:
                self.positions[event["version"]] = self._position()
            before = event
        if before is not None:
            self._end_of_change(before)
        return self

    def must(self, letter: str, is_so: bool, text: str) -> None:
        """Note a fault unless *is_so*."""
        if not is_so:
            self.faults.append(f"{letter}: event {self.event['version']} {self.event['type']}: {text}")

    def _end_of_change(self, last: Row) -> None:
        """Count what has to call a bot: a change, not a bot's own, after which it is a bot's turn."""
        is_bots = self.turn is not None and (self.bots[self.turn] or self.is_missed)
        acts = takewhile(lambda act: self.record.events[act.version - 1]["at"] == last["at"], reversed(self.acts))
        if is_bots and all(act.by != "bot" for act in acts):
            self.calls_for_bots += 1

    def _start(self, _seat: int | None, _told: Row) -> None:
        self.status = "active"

    def _deal(self, _seat: int | None, told: Row) -> None:
        number = self.round + (not self.redeals_owed)
        self.must("a", told["round"] == number, f"round {told['round']} where {number} is due")
        self.must("a", told["redeals"] == self.redeals, f"{told['redeals']} redeals, not {self.redeals}")
        if self.dealer >= 0:
            due = rules.next_seat(self.dealer, 0 if self.redeals else 1)
            self.must("d", told["dealer"] == due, f"dealer {told['dealer']}, not {due}")
        self.round, self.dealer = told["round"], told["dealer"]
        hands = [self.event["private"].get(str(seat), {}).get("hand", []) for seat in range(4)]
        together = sorted(card for hand in hands for card in hand)
        self.must("d", [len(hand) for hand in hands] == [13] * 4, "hands that are not of 13 cards")
        self.must("d", together == sorted(rules.PACK), "hands that are not one pack of cards")
        self.dealt, self.hands = hands, [list(hand) for hand in hands]
        self.bids, self.tricks, self.trick, self.trick_number = [None] * 4, [0] * 4, [], 1
        self.turn = self.leader = rules.next_seat(self.dealer)
        self.action = "bid"

    @property
    def redeals_owed(self) -> bool:
        """Whether the next deal is one of the same round."""
        return self.redeals > 0

    def _redeal(self, seat: int | None, told: Row) -> None:
        owed = [list(reason) for reason in rules.redeals_owed(self.dealt, self.ruleset)]
        if None not in self.bids and rules.is_redeal_for_low_bids(self.bids, self.ruleset):
            owed.append(["low_bids", None])
        self.must("d", [told["reason"], seat] in owed, f"{told['reason']} of seat {seat} is no reason: {owed}")
        self.redeals += 1

    def _bid(self, seat: int | None, told: Row) -> None:
        self._act("bid", seat, told["bid"], told)
        self.must("d", told["bid"] in rules.legal_bids(self.ruleset), f"the bid {told['bid']}")
        assert seat is not None
        self.must("a", self.bids[seat] is None, f"a second bid of seat {seat}")
        self.bids[seat] = told["bid"]
        self.turn = rules.next_seat(seat)
        if None not in self.bids:
            self.action = "play"

    def _play(self, seat: int | None, told: Row) -> None:
        card = told["card"]
        assert seat is not None
        self.must("a", len(self.trick) < 4, "a fifth card to a trick")
        self.must("a", told["trick"] == self.trick_number, f"trick {told['trick']}, not {self.trick_number}")
        self._act("play", seat, card, told)
        legal = rules.legal_plays(self.hands[seat], self.trick[:3], self.ruleset)
        self.must("d", card in self.hands[seat], f"seat {seat} does not hold {card}")
        self.must("d", card in legal, f"{card} is not legal for seat {seat}: {legal}")
        if told["by"] == "rule":
            is_forced = self.ruleset["forced_cards"] == "at_once" and len(legal) == 1
            self.must("c", is_forced, f"{card} was played by itself where {legal} are legal")
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        if not self.trick:
            self.winners.append((self.round, self.trick_number, seat, None))
        self.plays.append((self.round, self.trick_number, len(self.trick), seat, card))
        self.trick.append(card)
        self.turn = rules.next_seat(seat)

    def _win(self, seat: int | None, told: Row) -> None:
        self.must("a", len(self.trick) == 4, f"a trick of {len(self.trick)} cards is won")
        assert seat is not None
        winner = rules.trick_winner(self.leader, self.trick) if self.trick else None
        self.must("d", seat == winner, f"seat {seat} wins, not {winner}")
        if self.winners:
            self.winners[-1] = (*self.winners[-1][:3], seat)
        self.tricks[seat] += 1
        self.turn = self.leader = seat
        self.trick = []
        self.trick_number = min(13, self.trick_number + 1)

    def _score(self, _seat: int | None, told: Row) -> None:
        self.must("a", sum(self.tricks) == 13, f"scored after {sum(self.tricks)} tricks")
        self.must("e", told["bids"] == self.bids and told["tricks"] == self.tricks, "bids or tricks of the round")
        scores = [
            rules.score_tenths(bid or 0, taken, self.ruleset) for bid, taken in zip(self.bids, self.tricks, strict=True)
        ]
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.must("e", told["scores"] == [rules.points(score) for score in scores], f"scores {told['scores']}")
        self.must("e", told["totals"] == [rules.points(total) for total in self.totals], f"totals {told['totals']}")
        self.scoreboard.append([list(self.bids), list(self.tricks), [rules.points(score) for score in scores]])
        self.redeals = 0

    def _miss(self, seat: int | None, _told: Row) -> None:
        self.must("c", seat == self.turn, f"seat {seat} misses the turn of seat {self.turn}")
        per_turn = self.record.game["per_turn_s"]
        began = self.before["at"] if self.before else self.event["at"]
        is_due = per_turn is not None and self.event["at"] > began + timedelta(seconds=per_turn) + GRACE
        self.must("c", is_due, f"missed {self.event['at'] - began} after its turn began")
        self.is_missed = True

    def _finish(self, _seat: int | None, told: Row) -> None:
        self.status, self.turn = "finished", None
        self.places = rules.places(self.totals)
        self.must(
            "a", len(self.scoreboard) == rules.last_round_number(self.ruleset), f"after {len(self.scoreboard)} rounds"
        )
        self.must("e", told["places"] == self.places, f"places {told['places']}, not {self.places}")
        self.must("e", told["totals"] == [rules.points(total) for total in self.totals], f"totals {told['totals']}")

    def _act(self, kind: str, seat: int | None, what: str | int, told: Row) -> None:
        assert seat is not None
        self.must("a", self.action == kind, f"a {kind} where a {self.action} is due")
        self.must("a", seat == self.turn, f"seat {seat} acts on the turn of seat {self.turn}")
        self.must("a", told["round"] == self.round, f"round {told['round']}, not {self.round}")
        by = told["by"]
        if by == "bot":
            self.must(
                "c", self.bots[seat] or self.is_missed, f"a bot acts for the person at seat {seat}, who was in time"
            )
        else:
            self.must("c", not self.bots[seat], f"a {by} acts for the bot at seat {seat}")
        self.is_missed = False
        self.acts.append(Act(self.event["version"], kind, seat, self.round, what, by))

    def _position(self) -> dict[str, Any]:
        """Return what a client may be told now, but for a hand; `hands` has all four."""
        position: dict[str, Any] = {
            "version": self.event["version"],
            "status": self.status,
            "totals": [rules.points(total) for total in self.totals],
            "scoreboard": [list(row) for row in self.scoreboard],
        }
        if self.status == "active":
            position |= {
                "round": self.round,
                "dealer": self.dealer,
                "turn": [self.turn, self.action],
                "trick": list(self.trick),
                "bids": list(self.bids),
                "tricks": list(self.tricks),
                "hands": [rules.in_hand_order(hand) for hand in self.hands],
            }
        if self.status == "finished":
            position["places"] = self.places
        return position
