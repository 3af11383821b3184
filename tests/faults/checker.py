"""What clients were told against what the tables hold: each fault is a line that begins with its letter.

a: bids and plays follow each other without a gap or a double. b: what was acknowledged is there, once, as it was told.
c: each act was sent by its seat, or is its bot's, or of a turn that ran out. d: the second rules allow it. e: the
scores are right. f: the rows stand where the events lead. g: each bot's turn was called for, and the call was heard.
h: who was answered before another one asked comes first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.history import Entry, entries_by_game
from tests.faults.record import Record, cards, records
from tests.faults.replay import Act, Replay
from tests.referee import rules

ACTS = ("bid", "play")


def faults(url: str, history: Path) -> Iterator[str]:
    """Yield every fault of the database at *url*, given the history of all its clients."""
    told = dict(entries_by_game(history))
    with at_one_moment(url) as connection:
        seen = set()
        for record in records(connection):
            seen.add(record.id)
            for fault in faults_of(record, told.get(record.id, [])):
                yield f"{fault} ({record.id})"
    yield from faults_of_games(seen, [entry for game in told.values() for entry in game if entry.kind == "create"])


@contextmanager
def at_one_moment(url: str) -> Iterator[psycopg.Connection[Any]]:
    """Connect for reading all tables as they are now: games whose people sleep go on by themselves meanwhile."""
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        yield connection


def faults_of_games(there: set[str], creations: list[Entry]) -> Iterator[str]:
    """Yield a fault for each game that was promised and is not there, and for each that nobody was promised."""
    promised: defaultdict[str, set[str]] = defaultdict(set)
    for entry in creations:
        if entry.status == 201:
            promised[entry.game].add(entry.move)
    yield from (f"b: the game {game} is not there" for game in promised.keys() - there)
    yield from (f"b: one game for several requests: {game}" for game, moves in promised.items() if len(moves) > 1)
    moves = {entry.move for entry in creations}
    answered = {move for game in promised.values() for move in game}
    if moves == answered:
        yield from (f"b: a request made a second game: {game}" for game in there - promised.keys())


def faults_of(record: Record, entries: list[Entry]) -> list[str]:
    """Return the faults of one game."""
    versions = [event["version"] for event in record.events]
    if versions != list(range(1, record.game["version"] + 1)):
        return [f"a: the events of version {record.game['version']} are numbered {_gaps(versions)}"]
    wanted = {entry.told["version"] for entry in entries if entry.told} | {record.game["version"]}
    replay = Replay(record, wanted).run()
    return [
        *replay.faults,
        *_acknowledged(replay, entries),
        *_told(replay, entries),
        *_rows(replay),
        *_calls(replay),
        *_order(replay, entries),
    ]


def _gaps(versions: list[int]) -> str:
    doubles = [version for version, count in Counter(versions).items() if count > 1]
    missing = sorted(set(range(1, max(versions, default=0) + 1)) - set(versions))
    return f"1 to {max(versions, default=0)}, without {missing}, twice {doubles}"


def _acknowledged(replay: Replay, entries: list[Entry]) -> Iterator[str]:
    """Compare the acts of people with the moves that they sent: the same seat, round and card or bid."""
    seats = {seat["username"]: seat["number"] for seat in replay.record.seats}
    sent, acknowledged = defaultdict(set), defaultdict(set)
    for entry in entries:
        if entry.kind in ACTS:
            act = (entry.kind, seats.get(entry.who), entry.round, entry.what)
            sent[act].add(entry.move)
            if entry.status == 200:
                acknowledged[act].add(entry.move)
    there = Counter(_name(act) for act in replay.acts if act.by == "person")
    by_anybody = Counter(map(_name, replay.acts))
    for act in sent.keys() | there.keys():
        # Who sends what a bot has just done in his place is taken for somebody who sends it again.
        if len(acknowledged[act]) > by_anybody[act]:
            yield f"b: {act} was acknowledged {len(acknowledged[act])} times and is there {by_anybody[act]} times"
        elif there[act] > len(sent[act]):
            yield f"c: {act} is there {there[act]} times and was sent {len(sent[act])} times"
        elif there[act] > len(acknowledged[act]):
            yield f"b: {act} is there {there[act]} times and was acknowledged {len(acknowledged[act])} times"


def _told(replay: Replay, entries: list[Entry]) -> Iterator[str]:
    """Compare every state that a client was shown with the position of its version."""
    for entry in entries:
        if entry.told:
            told = dict(entry.told)
            position = dict(replay.positions.get(told["version"], {}))
            hands, seat = position.pop("hands", None), told.pop("seat", None)
            if hands and seat is not None:
                position["hand"] = hands[seat]
            if told != position:
                wrong = [name for name in told if told[name] != position.get(name)]
                yield f"b: {entry.who} was told at version {told['version']} what is not so: {wrong}"


def _rows(replay: Replay) -> Iterator[str]:
    """Compare the rows of the position with where the events lead."""
    record, game = replay.record, replay.record.game
    pairs: list[tuple[str, Any, Any]] = [("status", game["status"], replay.status)]
    if replay.status == "active":
        pairs += [
            ("turn", [game["turn_seat"], game["turn_action"]], [replay.turn, replay.action]),
            ("round", [game["round_number"], game["dealer"]], [replay.round, replay.dealer]),
            ("trick", [game["trick_number"], game["trick_leader"]], [replay.trick_number, replay.leader]),
            ("cards of the trick", game["trick_cards"], replay.trick),
            ("whose turn", game["is_bots_turn"], replay.bots[replay.turn or 0] or replay.is_missed),
            ("bids", [hand["bid"] for hand in _running(replay)], replay.bids),
            ("tricks of the hands", [hand["tricks"] for hand in _running(replay)], replay.tricks),
            ("cards held", [cards(hand["held"]) for hand in _running(replay)], [set(hand) for hand in replay.hands]),
        ]
    if replay.status in ("active", "finished"):
        board = [[row["bids"], row["tricks"], row["scores_tenths"]] for row in game["scoreboard"]]
        played = [
            (row["round"], row["trick_number"], row["order"], row["seat"], rules.PACK[row["card"]])
            for row in record.plays
        ]
        pairs += [
            ("totals", [seat["total_tenths"] for seat in record.seats], replay.totals),
            (
                "scoreboard",
                board,
                [[bids, taken, list(map(rules.tenths, scores))] for bids, taken, scores in replay.scoreboard],
            ),
            ("plays", played, replay.plays),
            ("tricks", [tuple(row.values()) for row in record.tricks], replay.winners),
        ]
    if replay.status == "finished":
        pairs.append(("places", [seat["place"] for seat in record.seats], replay.places))
    yield from (f"f: {name}: {stored} stored, {made} made" for name, stored, made in pairs if stored != made)


def _running(replay: Replay) -> list[dict[str, Any]]:
    return [hand for hand in replay.record.hands if hand["round"] == replay.round]


def _calls(replay: Replay) -> Iterator[str]:
    """Look whether enough calls for a bot were written, and all of them heard."""
    facts = replay.record.facts
    if len(facts) < replay.calls_for_bots:
        yield f"g: {replay.calls_for_bots} turns began for a bot, {len(facts)} calls were written"
    for fact in facts:
        if fact["handled_at"] is None:
            yield f"g: the call {fact['id']} is not handled after {fact['attempts']} attempts ({fact['error']})"


def _order(replay: Replay, entries: list[Entry]) -> Iterator[str]:
    """Look whether an act sent after another's answer comes after it, and whether nobody was shown the past."""
    seats = {seat["username"]: seat["number"] for seat in replay.record.seats}
    version_of = {_name(act): act.version for act in replay.acts if act.by == "person" and act.kind == "play"}
    first_sent: dict[str, float] = {}
    for entry in entries:
        first_sent[entry.move] = min(entry.sent, first_sent.get(entry.move, entry.sent))
    moments: list[tuple[float, int, int, str]] = []
    for entry in entries:
        text = f"{entry.kind} {entry.what} of {entry.who}"
        if entry.kind == "play" and entry.status == 200:
            version = version_of.get(("play", seats.get(entry.who), entry.round, entry.what))
            if version is not None:
                moments += [(first_sent[entry.move], 1, version, text), (entry.answered, 0, version, text)]
        elif entry.told:
            moments.append((entry.answered, 0, entry.told["version"], text))
            if entry.kind == "look":
                moments.append((entry.sent, 2, entry.told["version"], text))
    newest, whose = 0, ""
    for _, kind, version, text in sorted(moments):
        if kind == 0 and version > newest:
            newest, whose = version, text
        elif kind == 1 and version <= newest and text != whose:
            yield f"h: {text} was sent after the answer to {whose} and comes before it"
        elif kind == 2 and version < newest:
            yield f"h: {text} shows version {version}, and version {newest} was answered before ({whose})"


def _name(act: Act) -> tuple[str, int, int, str | int]:
    return act.kind, act.seat, act.round, act.what
