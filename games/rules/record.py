"""A finished game, and the text in which it is written down for people and read back.

Headers come first. Then each round has its redeals, the hands as dealt, the bids by seat, the tricks in order of play,
and what they came to. A star marks a bid or card that a bot chose in place of the seat's owner.

>>> from games.rules.cards import SUIT_CARDS
>>> from games.rules.ruleset import customised
>>> spades_to_seat_3 = RoundRecord(
...     dealer=2,
...     dealt=SUIT_CARDS,
...     bids=(1, 1, 1, 13),
...     plays=tuple(13 * suit + rank for rank in range(13) for suit in (3, 0, 1, 2)),
...     redeals=(("no_honour", 1),),
...     stand_ins=frozenset({0, 4}),
... )
>>> ruleset = customised("lite", {"rounds": 1, "redeal_no_honour": True})
>>> print(write(Record(ruleset, ("ann", "bob", "cat", "dan"), (spades_to_seat_3,))))  # doctest: +ELLIPSIS
[Rules "1"]
[Ruleset "lite"]
[Options "rounds=1 redeal_no_honour=true"]
[Seat0 "ann"]
[Seat1 "bob"]
[Seat2 "cat"]
[Seat3 "dan"]
[Totals "-1.0 -1.0 -1.0 13.0"]
[Places "2 2 2 1"]
<BLANKLINE>
round 1, dealt by 2
redealt: no_honour 1
hand 0: AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C
...
bids: 1 1 1 13*
trick 1, led by 3: 2S* 2C 2D 2H
...
tricks: 0 0 0 13
scores: -1.0 -1.0 -1.0 13.0
<BLANKLINE>
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from games.rules.cards import Card, card, cards, name, show
from games.rules.notation import Headers, Lines, at_line, header, options_text, ruleset_of
from games.rules.ruleset import RULES_VERSION, Ruleset
from games.rules.scoring import places, points
from games.rules.shuffle import Deal, draw_order
from games.rules.state import (
    MAX_REDEALS,
    FourInts,
    IllegalAct,
    Phase,
    RoundScore,
    State,
    agree_to_finish,
    bid,
    deal_round,
    new_game,
    play,
)
from games.rules.trick import SEATS, TRICKS_A_ROUND, Trick, next_seat

SEAT_HEADERS = tuple(f"Seat{seat}" for seat in range(SEATS))
HEADERS = {"Rules", "Ruleset", "Options", *SEAT_HEADERS, "Drawn", "Totals", "Places"}
STAR = "*"
FOUR_BIDS = " ".join([r"([0-9]{1,2}\*?)"] * SEATS)
FOUR_CARDS = " ".join([r"(\w\w\*?)"] * SEATS)

T = TypeVar("T")


@dataclass(frozen=True)
class RoundRecord:
    """A round as it was played; *dealt* and *bids* are by seat, *plays* in order.

    *redeals* has the reason of each, and the seat of the hand that was the reason. *stand_ins* numbers the acts that a
    bot chose in place of the seat's owner: the bids are acts 0–3 and the plays 4–55, in order.
    """

    dealer: int
    dealt: Deal
    bids: FourInts
    plays: tuple[Card, ...]
    redeals: tuple[tuple[str, int | None], ...] = ()
    stand_ins: frozenset[int] = frozenset()

    def tricks(self) -> Iterator[Trick]:
        """Yield the tricks, each led by the winner of the one before."""
        leader = next_seat(self.dealer)
        for start in range(0, len(self.plays), SEATS):
            trick = Trick(leader, self.plays[start : start + SEATS])
            yield trick
            leader = trick.winner


@dataclass(frozen=True)
class Record:
    """A finished game; *names* and *drawn* are by seat, *tags* are further headers that its keeper wants."""

    ruleset: Ruleset
    names: tuple[str, str, str, str]
    rounds: tuple[RoundRecord, ...]
    drawn: tuple[Card, Card, Card, Card] | None = None
    tags: tuple[tuple[str, str], ...] = ()


def replay(record: Record) -> State:
    """Return the state in which the game ended; raises IllegalAct when it cannot have been played.

    A game finished by agreement ends here after its last round, whenever that was agreed.
    """
    _check(bool(record.rounds), "A finished game has a round.")
    _check_draw(record)
    state = new_game(record.ruleset, record.rounds[0].dealer)
    for played in record.rounds:
        *_, state = states(state, played)
    return _ended(state)


def write(record: Record) -> str:
    """Return the text of *record*; raises ValueError when it cannot have been played."""
    end = replay(record)
    paragraphs = [_header_lines(record, end)]
    for number, (played, score) in enumerate(zip(record.rounds, end.rounds, strict=True), 1):
        paragraphs.append(_round_lines(number, played, score))
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def read(text: str) -> Record:
    """Return the record that `write` wrote as *text*; raises RecordError, which names the line that is wrong."""
    lines = Lines(text)
    headers = Headers(lines)
    with headers.at("Rules"):
        _check(headers["Rules"] == str(RULES_VERSION), f"Only rules version {RULES_VERSION} can be read.")
    with headers.at("Options" if "Options" in headers.values else "Ruleset"):
        ruleset = ruleset_of(headers["Ruleset"], headers.values.get("Options", ""))
    record = Record(
        ruleset=ruleset,
        names=_four(headers[seat] for seat in SEAT_HEADERS),
        rounds=_read_rounds(lines, ruleset),
        drawn=_read_drawn(headers),
        tags=tuple(tag for tag in headers.values.items() if tag[0] not in HEADERS),
    )
    with headers.at("Drawn"):
        _check_draw(record)
    Lines(text).check(write(record))
    return record


def _check_draw(record: Record) -> None:
    if record.drawn is None:
        _check(record.ruleset.seating != "draw", "The cards drawn for seats are missing.")
        return
    _check(record.ruleset.seating == "draw", "No cards are drawn for seats in this game.")
    _check(len(set(record.drawn)) == SEATS, "No card is drawn twice.")
    _check(draw_order(record.drawn) == (0, 1, 2, 3), "Seats go in order of the cards drawn, highest first.")
    _check(record.rounds[0].dealer == 0, "The seat that drew the highest card deals first.")


def states(state: State, played: RoundRecord) -> Iterator[State]:
    """Yield the state after the deal, after each bid, and after each play of a round."""
    _check(played.dealer == state.dealer, f"It is for seat {state.dealer} to deal.")
    _check(len(played.redeals) <= MAX_REDEALS, f"A round is dealt again {MAX_REDEALS} times at most.")
    for reason, _ in played.redeals:
        _check(getattr(state.ruleset, f"redeal_{reason}", False), f"{reason} is no reason to deal again in this game.")
    state = deal_round(state._replace(redeals=len(played.redeals)), played.dealt)
    yield state
    for seat in _bidders(played.dealer):
        state = bid(state, seat, played.bids[seat])
        yield state
    _check(len(played.plays) == SEATS * TRICKS_A_ROUND, "A round has 52 plays.")
    for trick in played.tricks():
        for seat, led in trick.plays():
            state = play(state, seat, led)
            yield state


def _ended(state: State) -> State:
    if state.ruleset.rounds is None and state.phase is Phase.DEAL:
        state = agree_to_finish(state)
    _check(state.phase is Phase.OVER, "The game is not over after its last round.")
    return state


def _header_lines(record: Record, end: State) -> list[str]:
    tags = [tag for tag, _ in record.tags]
    _check(HEADERS.isdisjoint(tags) and len(set(tags)) == len(tags), "Two headers have the same name.")
    headers = [*record.tags, ("Rules", str(RULES_VERSION)), ("Ruleset", record.ruleset.name)]
    if options := options_text(record.ruleset):
        headers.append(("Options", options))
    headers += zip(SEAT_HEADERS, record.names, strict=True)
    if record.drawn:
        headers.append(("Drawn", _row(map(name, record.drawn))))
    headers.append(("Totals", _row(map(points, end.totals_tenths))))
    headers.append(("Places", _row(places(end.totals_tenths))))
    return [header(name, value) for name, value in headers]


def _round_lines(number: int, played: RoundRecord, score: RoundScore) -> list[str]:
    acts = [str(played.bids[seat]) for seat in _bidders(played.dealer)] + [name(led) for led in played.plays]
    starred = [act + STAR * (place in played.stand_ins) for place, act in enumerate(acts)]
    lines = [f"round {number}, dealt by {played.dealer}"]
    lines += [f"redealt: {reason}" + ("" if seat is None else f" {seat}") for reason, seat in played.redeals]
    lines += [f"hand {seat}: {show(hand)}" for seat, hand in enumerate(played.dealt)]
    lines += [f"bids: {_row(starred[_bidders(played.dealer).index(seat)] for seat in range(SEATS))}"]
    for trick_number, trick in enumerate(played.tricks(), 1):
        plays = starred[SEATS * trick_number : SEATS * (trick_number + 1)]
        lines += [f"trick {trick_number}, led by {trick.leader}: {_row(plays)}"]
    return [*lines, f"tricks: {_row(score.tricks)}", f"scores: {_row(map(points, score.scores_tenths))}"]


def _read_drawn(headers: Headers) -> tuple[Card, Card, Card, Card] | None:
    if "Drawn" not in headers.values:
        return None
    with headers.at("Drawn"):
        drawn = [card(text) for text in headers["Drawn"].split()]
        _check(len(drawn) == SEATS, "Four cards are drawn, one by each seat.")
    return _four(drawn)


def _read_rounds(lines: Lines, ruleset: Ruleset) -> tuple[RoundRecord, ...]:
    rounds: list[RoundRecord] = []
    state = None
    while state is None or lines.are_left:
        played, numbers = _read_round(lines)
        rounds.append(played)
        state = state or new_game(ruleset, played.dealer)
        following = states(state, played)
        for number in numbers:
            with at_line(number):
                state = next(following)
    with at_line(lines.number):
        _ended(state)
    return tuple(rounds)


def _read_round(lines: Lines) -> tuple[RoundRecord, list[int]]:
    """Return the next round, and for the deal, each bid and each play the number of its line."""
    _, dealer_text = lines.take("round …, dealt by …", "round ([0-9]+), dealt by ([0-3])")
    dealer = int(dealer_text)
    numbers = [lines.number]
    redeals = []
    while redealt := lines.take_if("redealt: ([a-z_]+)(?: ([0-3]))?"):
        redeals.append((redealt[0], int(redealt[1]) if redealt[1] else None))
    hands = []
    for seat in range(SEATS):
        (hand,) = lines.take(f"hand {seat}: …", f"hand {seat}: (.+)")
        with at_line(lines.number):
            hands.append(cards(hand))
    bids = lines.take("bids: … … … …", f"bids: {FOUR_BIDS}")
    acts = [bids[seat] for seat in _bidders(dealer)]
    numbers += [lines.number] * SEATS
    plays = []
    for number in range(1, TRICKS_A_ROUND + 1):
        starred = lines.take(f"trick {number}, led by …: … … … …", f"trick {number}, led by [0-3]: {FOUR_CARDS}")
        acts += starred
        numbers += [lines.number] * SEATS
        with at_line(lines.number):
            plays += [card(text.removesuffix(STAR)) for text in starred]
    lines.take("tricks: …", "tricks: .+")
    lines.take("scores: …", "scores: .+")
    return RoundRecord(
        dealer=dealer,
        dealt=_four(hands),
        bids=_four(int(text.removesuffix(STAR)) for text in bids),
        plays=tuple(plays),
        redeals=tuple(redeals),
        stand_ins=frozenset(place for place, act in enumerate(acts) if act.endswith(STAR)),
    ), numbers


def _bidders(dealer: int) -> list[int]:
    """Return the seats in the order in which they bid."""
    return [(dealer + 1 + place) % SEATS for place in range(SEATS)]


def _row(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _four(values: Iterable[T]) -> tuple[T, T, T, T]:
    first, second, third, fourth = values
    return first, second, third, fourth


def _check(is_met: bool, refusal: str) -> None:
    if not is_met:
        raise IllegalAct(refusal)
