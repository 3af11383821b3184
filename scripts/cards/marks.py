"""What a card is read by: ranks, suits and the places of the pips."""

SUITS = "CDHS"
RANKS = "23456789TJQKA"

NEAR_BLACK = "var(--card-ink,#1d2430)"
DEEP_RED = "#b3202f"
SUIT_COLOURS = {
    "C": f"var(--suit-c,{NEAR_BLACK})",
    "D": f"var(--suit-d,{DEEP_RED})",
    "H": f"var(--suit-h,{DEEP_RED})",
    "S": f"var(--suit-s,{NEAR_BLACK})",
}

# In a square of 100.
SUIT_PATHS = {
    "C": "M50 4a21 21 0 0 1 18.5 31q-2.5 4.5-6.5 8q4-2.5 10-2.5a21.5 21.5 0 1 1-17 35q1 13 12 20.5h-34q11-7.5 12-20.5"
    "a21.5 21.5 0 1 1-17-35q6 0 10 2.5q-4-3.5-6.5-8a21 21 0 0 1 18.5-31z",
    "D": "M50 2q15 27 37 48q-22 21-37 48q-15-27-37-48q22-21 37-48z",
    "H": "M50 95c-26-21-45-41-45-62c0-15 11-26 24-26c10 0 17 6 21 15c4-9 11-15 21-15c13 0 24 11 24 26"
    "c0 21-19 41-45 62z",
    "S": "M50 3c7 19 43 37 43 62c0 12-9 20-20 20c-8 0-14-4-18-10c1 10 4 16 12 22h-34c8-6 11-12 12-22c-4 6-10 10-18 10"
    "c-11 0-20-8-20-20c0-25 36-43 43-62z",
}

# Strokes in a box of 44 by 64, the ten a little wider.
RANK_STROKES = {
    "2": "M3 17C3 7 11 0 21.5 0S40 7 40 17.5C40 26 35 32 28 38.5L2 64H42",
    "3": "M4 0H39L20 25.5C33 25 41 33 41 44.5C41 56 32 64 20 64C11 64 4 60 1 52",
    "4": "M32 64V0L1 46H43",
    "5": "M38 0H9L6 30C10 26 15 24 21 24C33 24 41 32 41 44S33 64 20 64C11 64 4 60 1 53",
    "6": "M32 0C15 12 1.5 26 1.5 44a20 20 0 1 0 40 0a20 20 0 1 0-40 0",
    "7": "M1 0H42L15 64",
    "8": "M21.5 29A16.5 14.5 0 1 1 22.5 29A20 17.5 0 1 1 21.5 29Z",
    "9": "M11 64C28 52 41.5 38 41.5 20a20 20 0 1 0-40 0a20 20 0 1 0 40 0",
    "T": "M0 11L11 0V64M25 14A13 14 0 0 1 51 14V50A13 14 0 0 1 25 50Z",
    "J": "M14 0H36V44A17 20 0 0 1 2 46",
    "Q": "M1 24C1 8 9 0 22 0S43 8 43 24V40C43 56 35 64 22 64S1 56 1 40ZM26 45L43 66",
    "K": "M3 0V64M40 0L3 41M16 27L43 64",
    "A": "M0 64L22 0L44 64M8 43H36",
}
RANK_WIDTHS = dict.fromkeys(RANKS, 44) | {"T": 51}

_LEFT, _MIDDLE, _RIGHT = 97, 125, 153
_PAIRS = {
    "4": (76,),
    "5": (76,),
    "6": (76, 175),
    "7": (66, 175),
    "8": (66, 175),
    "9": (58, 136),
    "T": (58, 136),
}
_SINGLES = {
    "2": (85,),
    "3": (85, 175),
    "5": (175,),
    "7": (120,),
    "8": (120, 230),
    "9": (175,),
    "T": (97,),
}
_TURNED_SINGLES = {"2": (265,), "3": (265,), "T": (253,)}
PIP_SIZES = {"2": 66, "3": 66, "4": 51, "5": 51, "6": 51, "7": 48, "8": 48, "9": 46, "T": 46}


def pips(rank: str) -> list[tuple[int, int]]:
    """Return the middles of the pips of *rank*; those below 175 stand on their heads.

    >>> pips("3")
    [(125, 85), (125, 175), (125, 265)]
    """
    rows = _PAIRS.get(rank, ())
    rows = (*rows, *(350 - y for y in rows if y != 175))
    single = (*_SINGLES.get(rank, ()), *_TURNED_SINGLES.get(rank, ()))
    return [(x, y) for y in rows for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in single]
