"""Which cards does an answer give away, in any spelling, anywhere?"""

import json
import re

from . import deal
from .shapes import Wrong, must

BEFORE, AFTER = r"(?<![A-Za-z0-9_+%])", r"(?![A-Za-z0-9_+])"
CODE = re.compile(BEFORE + r"([2-9TJQKA]|10)([CDHS])" + AFTER)
SIGN = re.compile(r"([2-9TJQKA]|10)\s?([♣♦♥♠])")
SIGN_FIRST = re.compile(r"([♣♦♥♠])\s?([2-9TJQKA]|10)" + AFTER)
SPOKEN = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace|[2-9]|10)"
    r" of (clubs|diamonds|hearts|spades)\b",
    re.IGNORECASE,
)
HEX_SEED = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
BIG_NUMBER = 10**7
SILENT_HEADERS = ("date", "set-cookie")
NUMBER_WORDS = "two three four five six seven eight nine ten jack queen king ace".split()
SIGNS = dict(zip("♣♦♥♠", "CDHS", strict=True))


def strings(value):
    """Yield every string of a JSON *value*, the names of its fields too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def numbers(value):
    """Yield every number of a JSON *value*; true and false are none."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def short_rank(text):
    """Return the one character of a rank written as "10", "4", "K" or in words."""
    if text.lower() in NUMBER_WORDS:
        return "23456789TJQKA"[NUMBER_WORDS.index(text.lower())]
    return "T" if text == "10" else text


def cards_in_text(text):
    """Return the cards that *text* names, as a set of two-character codes.

    >>> sorted(cards_in_text("AS, not 10♥; the Queen of clubs; xAS, 2024%3D"))
    ['AS', 'QC', 'TH']
    """
    found = {short_rank(rank) + suit for rank, suit in CODE.findall(text)}
    found |= {short_rank(rank) + SIGNS[sign] for rank, sign in SIGN.findall(text)}
    found |= {short_rank(rank) + SIGNS[sign] for sign, rank in SIGN_FIRST.findall(text)}
    return found | {short_rank(rank) + suit[0].upper() for rank, suit in SPOKEN.findall(text)}


def cards_in(value):
    """Return the cards that any string of a JSON *value* names."""
    return set().union(*map(cards_in_text, strings(value)), set())


def cards_shown(exchange):
    """Return the cards that the answer of *exchange* names in its body, as text and as JSON, or in a header."""
    found = cards_in_text(exchange.text)
    if exchange.text and "json" in exchange.headers.get("Content-Type", ""):
        found |= cards_in(json.loads(exchange.text))
    for name, value in exchange.headers.items():
        if name.lower() not in SILENT_HEADERS:
            found |= cards_in_text(value)
    return found


def check_no_number_is_a_hand(value):
    """Raise Wrong when a JSON *value* has a number so big that it may be a set of cards, or one with a fraction."""
    for number in numbers(value):
        must(type(number) is int, f"a number with a fraction: {number}")
        must(abs(number) < BIG_NUMBER, f"a number that may be a set of cards: {number}")


class Secrets:
    """Knows the commitments of a game and tells when an answer shows a secret whose time has not come."""

    def __init__(self, fairness):
        self.game_id = bytes.fromhex(fairness["game_id"])
        self.round_of = {entry["hash"]: entry["round"] for entry in fairness["commitments"]}
        self.round_of_seed = {}

    def rounds_shown(self, text):
        """Return the numbers of the rounds whose secret *text* contains."""
        shown = set()
        for digits in {digits.lower() for digits in HEX_SEED.findall(text)} - set(self.round_of):
            if digits not in self.round_of_seed:
                secret = bytes.fromhex(digits)
                hashes = {deal.commitment(self.game_id, number, secret): number for number in self.round_of.values()}
                known = [number for digest, number in hashes.items() if self.round_of.get(digest) == number]
                self.round_of_seed[digits] = known[0] if known else None
            shown.add(self.round_of_seed[digits])
        return shown - {None}

    def check(self, text, rounds_over):
        """Raise Wrong when *text* shows the secret of a round that isn't among *rounds_over*."""
        early = self.rounds_shown(text) - set(rounds_over)
        if early:
            raise Wrong(f"the secret of round {sorted(early)} is shown before its time")
