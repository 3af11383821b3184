"""Which fields every answer has, of which type: the contract's examples as data."""

import re

from . import rules

VISIBLE_STATUS = ("open", "active", "finished", "cancelled", "void")
EVENT_TYPES = (
    "player.joined player.left game.started seats.drawn round.dealt round.redealt bid.made card.played trick.won "
    "round.scored vote.changed turn.missed seat.resigned seat.taken_over seat.reclaimed game.finished "
    "game.cancelled game.voided"
).split()
SCHEME = "callbreak-deal/1"


class Wrong(AssertionError):
    """The service contradicts the documents; the text says where, and shows the request and answer once known."""

    def __init__(self, text, is_blamed=False):
        super().__init__(text)
        self.is_blamed = is_blamed


def must(truth, sentence):
    """Raise Wrong with *sentence* unless *truth*."""
    if not truth:
        raise Wrong(sentence)


def same(found, expected, what):
    """Raise Wrong unless *found* is *expected*, in type too."""
    must(found == expected and type(found) is type(expected), f"{what} is {found!r}; {expected!r} is right")


def check(value, shape, where):
    """Raise Wrong unless *value* fits *shape*.

    A shape is a type (int is never a bool), a predicate, a dict of the fields that must be there, or a list
    with the one shape of all its items.
    """
    if isinstance(shape, dict):
        must(isinstance(value, dict), f"{where} is not an object but {value!r}")
        for field, inner in shape.items():
            must(field in value, f"{where} has no field {field!r}")
            check(value[field], inner, f"{where}.{field}")
    elif isinstance(shape, list):
        must(isinstance(value, list), f"{where} is not a list but {value!r}")
        for index, item in enumerate(value):
            check(item, shape[0], f"{where}[{index}]")
    elif isinstance(shape, type):
        must(type(value) is shape, f"{where} is not of type {shape.__name__} but {value!r}")
    else:
        shape(value, where)


def one_of(*values):
    """Return the shape of a value that is one of *values*."""

    def fits(value, where):
        must(
            any(value == one and type(value) is type(one) for one in values),
            f"{where} is {value!r}, not one of {values}",
        )

    return fits


def maybe(shape):
    """Return the shape of what is null or fits *shape*."""

    def fits(value, where):
        if value is not None:
            check(value, shape, where)

    return fits


def four(shape):
    """Return the shape of a list of four that fit *shape*."""

    def fits(value, where):
        check(value, [shape], where)
        must(len(value) == 4, f"{where} has {len(value)} items, not four")

    return fits


def text(pattern, what):
    """Return the shape of a string that *pattern* matches wholly."""
    wanted = re.compile(pattern)

    def fits(value, where):
        must(isinstance(value, str) and wanted.fullmatch(value) is not None, f"{where} is {value!r}, not {what}")

    return fits


def between(low, high):
    """Return the shape of an integer from *low* to *high*."""

    def fits(value, where):
        must(type(value) is int and low <= value <= high, f"{where} is {value!r}, not an integer {low}–{high}")

    return fits


def score(value, where):
    """Fit a string with exactly one decimal."""
    must(isinstance(value, str), f"{where} is {value!r}, not a string")
    try:
        rules.tenths(value)
    except ValueError as fault:
        raise Wrong(f"{where}: {fault}") from fault


CARD = text(r"[2-9TJQKA][CDHS]", "a card")
HEX_ID = text(r"[0-9a-f]{32}", "32 lower-case hex digits")
HEX_SEED = text(r"[0-9a-f]{64}", "64 lower-case hex digits")
TIME = text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", "an RFC 3339 time with Z")
URL = text(r"(https?://[^/\s]+)?/\S+", "a URL")
SEAT = between(0, 3)
BID = between(1, 13)
TRICKS = between(0, 13)
PLAY = {"seat": SEAT, "card": CARD}

PAGE = {"results": list, "next": maybe(URL)}
PROBLEM = {"type": str, "title": str, "status": int, "detail": str, "code": text(r"[a-z]+(_[a-z]+)*", "a code")}
PLAYER = {"username": str, "kind": one_of("human", "guest")}

RULESET = {
    "name": one_of("call-break-2", "master", "lite", "custom"),
    "rounds": maybe(between(1, 20)),
    "min_bid": between(1, 4),
    "max_bid": between(8, 13),
    "must_head": bool,
    "scoring": one_of("overtricks", "exact-or-one-over"),
    "overtrick_tenths": one_of(0, 1),
    "bonus_bid": bool,
    "seating": one_of("draw", "random"),
    "redeal_no_spade": bool,
    "redeal_no_honour": bool,
    "redeal_low_bids": bool,
    "forced_cards": one_of("off", "at_once", "masked"),
}
LAST_TRICK = {
    "round": between(1, 250),
    "number": between(1, 13),
    "leader": SEAT,
    "plays": four(PLAY),
    "winner": SEAT,
}
STATE = {
    "id": HEX_ID,
    "version": between(0, 10**7),
    "status": one_of(*VISIBLE_STATUS),
    "ruleset": RULESET,
    "time_control": {"kind": one_of("correspondence", "live", "untimed")},
    "seats": four(
        {
            "seat": SEAT,
            "player": maybe(str),
            "kind": maybe(one_of("human", "guest", "bot")),
            "bot_level": maybe(str),
            "drawn_card": maybe(CARD),
            "bid": maybe(BID),
            "tricks": TRICKS,
            "cards": TRICKS,
            "score": score,
            "place": maybe(between(1, 4)),
            "wants_to_finish": bool,
        }
    ),
    "round": maybe(
        {
            "number": between(1, 250),
            "of": maybe(between(1, 20)),
            "dealer": SEAT,
            "trick_number": between(1, 13),
            "leader": SEAT,
            "trick": [PLAY],
            "last_trick": maybe(LAST_TRICK),
        }
    ),
    "turn": maybe(
        {
            "seat": SEAT,
            "action": one_of("bid", "play"),
            "deadline": maybe(TIME),
            "seconds_left": maybe(between(0, 1209600)),
        }
    ),
    "you": maybe({"seat": SEAT, "hand": [CARD], "legal_bids": maybe([int]), "legal_plays": maybe([CARD])}),
    "scoreboard": [
        {"round": between(1, 250), "bids": four(BID), "tricks": four(TRICKS), "scores": four(score)},
    ],
    "totals": four(score),
    "final_round": maybe(four({"seat": SEAT, "total": score, "gaps": four(score)})),
    "result": maybe({"places": four(between(1, 4)), "winners": [SEAT], "totals": four(score)}),
    "fairness": {"scheme": one_of(SCHEME), "seeded": four(bool)},
}
ROUND = {
    "number": between(1, 250),
    "dealer": SEAT,
    "finished": bool,
    "redeals": [{"reason": one_of("no_spade", "no_honour", "low_bids"), "seat": maybe(SEAT)}],
    "hands": four(
        {"seat": SEAT, "dealt": maybe([CARD]), "bid": maybe(BID), "tricks": TRICKS, "score": maybe(score)},
    ),
    "tricks": [{"number": between(1, 13), "leader": SEAT, "plays": [PLAY], "winner": maybe(SEAT)}],
}
FAIRNESS = {
    "scheme": one_of(SCHEME),
    "game_id": HEX_ID,
    "commitments": [{"round": between(0, 250), "hash": HEX_SEED}],
    "seat_seeds": maybe(four(HEX_SEED)),
    "seeded": four(bool),
}
PROOF = {
    "scheme": one_of(SCHEME),
    "game_id": HEX_ID,
    "round": between(0, 250),
    "dealer": maybe(SEAT),
    "redeals": between(0, 3),
    "commitment": HEX_SEED,
    "server_seed": maybe(HEX_SEED),
    "seat_seeds": maybe(four(HEX_SEED)),
    "deck": maybe([CARD]),
}
EVENT = {"version": between(1, 10**7), "type": one_of(*EVENT_TYPES), "at": TIME, "data": maybe(dict)}
TURNS = {
    "results": [
        {
            "game": HEX_ID,
            "action": one_of("bid", "play"),
            "deadline": maybe(TIME),
            "seconds_left": maybe(between(0, 1209600)),
            "url": URL,
        }
    ],
    "next": maybe(URL),
    "count": between(0, 10**7),
}
