"""What clients sent and what they were told, one JSON line for each request, as it happened."""

import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec


class Entry(msgspec.Struct, omit_defaults=True):
    """One request and its answer, if any came.

    *move* names what was wanted: every try of it has the same one. *sent* and *answered* are monotonic seconds, *at* is
    the wall clock at the end. A *status* of 0 means that the connection was lost.
    """

    move: str
    who: str
    kind: str
    sent: float
    answered: float = 0
    at: float = 0
    status: int = 0
    game: str = ""
    what: str | int | None = None
    round: int = 0
    is_keyed: bool = True
    code: str = ""
    told: dict[str, Any] | None = None


class History:
    """The file, open for writing."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=1 << 16)
        self._encoder = msgspec.json.Encoder()

    def note(self, entry: Entry) -> None:
        """Append an entry."""
        self._file.write(self._encoder.encode(entry) + b"\n")

    def close(self) -> None:
        """Write what is still in memory."""
        self._file.close()


def told_by(state: dict[str, Any]) -> dict[str, Any]:
    """Return what of a state the checker can hold against the record: all that can be derived from the events."""
    told: dict[str, Any] = {
        "version": state["version"],
        "status": state["status"],
        "totals": state["totals"],
        "scoreboard": [[row["bids"], row["tricks"], row["scores"]] for row in state["scoreboard"]],
    }
    if state["status"] == "active":
        told |= {
            "round": state["round"]["number"],
            "dealer": state["round"]["dealer"],
            "turn": [state["turn"]["seat"], state["turn"]["action"]],
            "trick": [play["card"] for play in state["round"]["trick"]],
            "bids": [seat["bid"] for seat in state["seats"]],
            "tricks": [seat["tricks"] for seat in state["seats"]],
        }
        if state["you"]:
            told |= {"seat": state["you"]["seat"], "hand": state["you"]["hand"]}
    if state["status"] == "finished":
        told["places"] = state["result"]["places"]
    return told


def entries_by_game(path: Path) -> Iterator[tuple[str, list[Entry]]]:
    """Yield each game with its entries in the order of their ends; "" is what belongs to none.

    Only one game's entries are in memory at a time.
    """
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    decoder = msgspec.json.Decoder(Entry)
    with path.open("rb") as file:
        offset = 0
        for line in file:
            places[decoder.decode(line).game].append((offset, len(line)))
            offset += len(line)
        for game, spots in places.items():
            entries = []
            for start, length in spots:
                file.seek(start)
                entries.append(decoder.decode(file.read(length)))
            yield game, entries


def now() -> float:
    """Return the clock that orders requests."""
    return time.monotonic()
