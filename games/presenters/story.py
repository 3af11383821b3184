"""A game told in sentences, to people who were not there: only from what a spectator may see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LACKS = {"no_spade": "no spade", "no_honour": "no ace, king, queen or jack"}
CANCELLED = {
    "cancelled_by_creator": "Its creator cancelled the game.",
    "nobody_joined": "The game was cancelled: nobody joined for too long.",
    "agreed_before_any_round": "All agreed to finish before any round was over, so the game was cancelled.",
}


@dataclass(frozen=True)
class Holder:
    """Who held a seat from one version of the game until another, or still does."""

    seat: int
    name: str
    is_bot: bool
    from_version: int
    until_version: int | None


@dataclass(frozen=True)
class Told:
    """An event as `presenters.events` shows it to a spectator, and who held which seat when."""

    shown: dict[str, Any]
    holders: Sequence[Holder]

    def __getitem__(self, name: str) -> Any:
        return self.shown["data"][name]

    @property
    def seat(self) -> Any:
        """The number of the seat that it is about."""
        return self.shown.get("seat")

    @property
    def name(self) -> str:
        """Who held that seat then."""
        return self.name_of(self.seat)

    def name_of(self, seat: int) -> str:
        """Return who held a seat then."""
        holder = self.holder_of(seat)
        return holder.name if holder else f"seat {seat}"

    def holder_of(self, seat: int) -> Holder | None:
        """Return the one who held a seat then; who resigned still did when resigning."""
        version = self.shown["version"]
        held = (holder for holder in self.holders if holder.seat == seat and holder.from_version <= version)
        return next((holder for holder in held if version <= (holder.until_version or version)), None)


def pretty(card: str) -> str:
    """Return a card as people write it.

    >>> pretty("TH"), pretty("AS")
    ('10♥', 'A♠')
    """
    return card[0].replace("T", "10") + SUITS[card[1]]


def in_words(shown: dict[str, Any], holders: Sequence[Holder]) -> str:
    """Return a sentence for an event as `presenters.events` shows it to a spectator.

    >>> asha = Holder(2, "asha", False, 1, 90)
    >>> in_words({"version": 12, "type": "bid.made", "seat": 2, "data": {"bid": 3, "by": "person"}}, [asha])
    'asha bid 3.'
    >>> in_words({"version": 40, "type": "card.played", "seat": 2, "data": {"card": "KH", "by": "bot"}}, [asha])
    'A bot played K♥ for asha, whose time had run out.'
    """
    say = SENTENCES.get(shown["type"])
    return say(Told(shown, holders)) if say else shown["type"].replace(".", " ").capitalize() + "."


def _act(told: Told, act: str) -> str:
    holder = told.holder_of(told.seat)
    if told["by"] == "rule":
        return f"{told.name} {act}: the only legal card, by itself."
    if told["by"] == "bot" and holder and not holder.is_bot:
        return f"A bot {act} for {told.name}, whose time had run out."
    return f"{told.name} {act}."


def _dealt(told: Told) -> str:
    return f"{told.name_of(told['dealer'])} dealt round {told['round']}{' again' if told['redeals'] else ''}."


def _redealt(told: Told) -> str:
    if told["reason"] == "low_bids":
        return "The bids were too low together, so the round was dealt again."
    return f"{told.name_of(told['seat'])} had {LACKS[told['reason']]}, so the round was dealt again."


def _vote(told: Told) -> str:
    wish = "wanted to finish" if told["wants_to_finish"] else "no longer wanted to finish"
    return f"{told.name} {wish}.{' All agreed.' if told['finish_agreed'] else ''}"


def _finished(told: Told) -> str:
    ranked = sorted(zip(told["places"], range(4), told["totals"], strict=True))
    return f"The game was over: {', '.join(f'{p}. {told.name_of(seat)} ({total})' for p, seat, total in ranked)}."


SENTENCES: dict[str, Callable[[Told], str]] = {
    "player.joined": lambda told: f"{told['player']} took place {told.seat}.",
    "player.left": lambda told: f"{told['player']} left place {told.seat}.",
    "game.started": lambda told: "The game started.",
    "seats.drawn": lambda told: f"The seats were drawn, from seat 0 on: {', '.join(map(pretty, told['cards']))}.",
    "round.dealt": _dealt,
    "round.redealt": _redealt,
    "bid.made": lambda told: _act(told, f"bid {told['bid']}"),
    "card.played": lambda told: _act(told, f"played {pretty(told['card'])}"),
    "trick.won": lambda told: f"{told.name} won trick {told['trick']}.",
    "round.scored": lambda told: f"Round {told['round']} gave {', '.join(told['scores'])} to seats 0 to 3.",
    "vote.changed": _vote,
    "turn.missed": lambda told: f"{told.name} did not {told['action']} in time.",
    "seat.resigned": lambda told: f"{told['player']} left for good, and a bot took the seat.",
    "game.finished": _finished,
    "game.cancelled": lambda told: CANCELLED.get(told["reason"], "The game was cancelled."),
    "game.voided": lambda told: f"A moderator voided the game: {told['reason']}",
}
