"""What must not be found outside the rows: what was confided, and cards that nobody may know yet, in all writings."""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg

from tests.referee.leaks import cards_in_text

NUMBER = re.compile(r"\d{8,20}")
HANDS = "SELECT h.dealt, h.held FROM games_hand h JOIN games_round r ON r.id = h.round_id"
MOST_IN_THE_OPEN = 8  # two tricks, in one statement


class Canaries:
    """Texts to look for, each with what it is; *hands* are sets of cards as integers."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.hands: set[int] = set()

    def confide(self, what: str, *texts: str) -> None:
        """Look for these texts, also in base64."""
        for text in texts:
            self.texts[text] = what
            self.texts[base64.b64encode(text.encode()).decode().rstrip("=")] = f"{what} in base64"

    def hide(self, what: str, secret: bytes) -> None:
        """Look for these bytes in the writings that programs use."""
        for text in (
            secret.hex(),
            secret.hex().upper(),
            repr(secret)[2:-1],
            *in_base64(secret),
            str(int.from_bytes(secret)),
        ):
            self.texts[text] = what

    def hide_hand(self, hand: int) -> None:
        """Look for this set of cards; as a decimal number also for what is left of it after some plays."""
        self.hands.add(hand)
        for order in ("big", "little"):
            self.hide("a hand", hand.to_bytes(8, order))  # type: ignore[arg-type]
        self.texts[f"{hand:x}"] = self.texts[f"{hand:b}"] = "a hand"

    def read(self, database_url: str) -> None:
        """Hide what the database holds of games: hands, and the server's share of the randomness."""
        with psycopg.connect(database_url) as connection:
            for dealt, held in connection.execute(HANDS):
                self.hide_hand(dealt)
                if held.bit_count() > 3:
                    self.hide_hand(held)
            for (secrets,) in connection.execute("SELECT secrets FROM games_dealsecrets"):
                for start in range(0, len(secrets), 32):
                    self.hide("a seed", bytes(secrets[start : start + 32]))

    def found_in(self, text: str, *, cards_allowed: int = 0) -> Iterator[str]:
        """Yield what is found in *text*, and where; so many cards may be named, as they lie in the open."""
        for wanted, what in self.texts.items():
            if wanted in text:
                yield f"{what}: …{around(text, text.index(wanted))}…"
        for match in NUMBER.finditer(text):
            number = int(match[0])
            if number.bit_count() > 3 and any(number & hand == number for hand in self.hands):
                yield f"cards of a hand as a number: …{around(text, match.start())}…"
        cards = cards_in_text(text)
        if len(cards) > cards_allowed:
            yield f"cards: {' '.join(sorted(cards))}"


def in_base64(secret: bytes) -> Iterator[str]:
    """Yield the bytes in base64, also as they look when two other bytes stand before them."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + secret).decode()
        inner = whole[4 * (before > 0) :].rstrip("=")[:-1]
        yield inner
        yield inner.translate(str.maketrans("+/", "-_"))


def around(text: str, at: int) -> str:
    """Return what stands there."""
    return text[max(at - 120, 0) : at + 80].replace("\n", "⏎")


def everything_in_redis(client: Any) -> str:
    """Return all keys and values, with what is packed in them unpacked."""
    told = []
    for key in client.scan_iter(count=1000):
        kind = client.type(key).decode()
        values: Iterable[Any] = {
            "string": lambda k=key: [client.get(k)],
            "list": lambda k=key: client.lrange(k, 0, -1),
            "set": lambda k=key: client.smembers(k),
            "zset": lambda k=key: client.zrange(k, 0, -1),
            "hash": lambda k=key: [part for pair in client.hgetall(k).items() for part in pair],
            "stream": lambda k=key: [repr(entry).encode() for entry in client.xrange(k)],
        }[kind]()
        told += [key.decode(errors="replace"), *(unpacked(value) for value in values)]
    return "\n".join(told)


def unpacked(value: bytes) -> str:
    """Return *value* with the body of a Celery message, which is base64, in clear beside it."""
    text = value.decode(errors="backslashreplace")
    for body in re.findall(r'"body": ?"([A-Za-z0-9+/=]+)"', text):
        text += "\n" + base64.b64decode(body).decode(errors="backslashreplace")
    return text
