"""What the tables hold of one game, as plain values, read by SQL of our own."""

import runpy
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import JsonbLoader

from tests.referee.rules import PACK
from tests.site.running import CHECKOUT

Row = dict[str, Any]
EVENT = "version, type, seat, at, public, private"
# By its path: its package would want Django's settings.
unpack = runpy.run_path(str(CHECKOUT / "games/models/packing.py"))["unpack"]
QUERIES = {
    "seats": """
        SELECT seat.*, player.username
        FROM games_seat seat LEFT JOIN players_player player ON player.id = seat.player_id
        WHERE game_id = %s ORDER BY number""",
    "events": f"SELECT {EVENT} FROM games_event WHERE game_id = %s ORDER BY version",
    "rounds": "SELECT * FROM games_round WHERE game_id = %s ORDER BY number",
    "hands": """
        SELECT hand.*, round.number AS round, seat.number AS seat
        FROM games_hand hand
            JOIN games_round round ON round.id = hand.round_id JOIN games_seat seat ON seat.id = hand.seat_id
        WHERE round.game_id = %s ORDER BY round.number, seat.number""",
    "tricks": """
        SELECT round.number AS round, trick.number, leader, winner
        FROM games_trick trick JOIN games_round round ON round.id = trick.round_id
        WHERE game_id = %s ORDER BY round.number, trick.number""",
    "plays": """
        SELECT round.number AS round, trick_number, "order", seat, card
        FROM games_play play JOIN games_round round ON round.id = play.round_id
        WHERE game_id = %s ORDER BY round.number, trick_number, "order\"""",
    "facts": """
        SELECT * FROM outbox_fact
        WHERE kind = 'turn.started' AND subject = replace(%s::text, '-', '') ORDER BY id""",
}  # fmt: skip


def unpacked(archive: Row) -> dict[str, list[Row]]:
    """Return the events, tricks and plays of a game that was packed after its end."""
    contents = unpack(archive["format"], archive["record"])
    names = {"trick": "trick_number"}
    return {
        "events": [{name: event._asdict()[name] for name in EVENT.split(", ")} for event in contents.events],
        "tricks": [row._asdict() for row in contents.tricks],
        "plays": [{names.get(name, name): value for name, value in row._asdict().items()} for row in contents.plays],
    }


class Record(NamedTuple):
    """The rows of one game."""

    game: Row
    seats: list[Row]
    events: list[Row]
    rounds: list[Row]
    hands: list[Row]
    tricks: list[Row]
    plays: list[Row]
    facts: list[Row]

    @property
    def id(self) -> str:
        """The game's id as the API writes it."""
        return str(self.game["id"].hex)


def records(connection: psycopg.Connection[Any]) -> Iterator[Record]:
    """Yield every game."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.adapters.register_loader("jsonb", JsonbLoader)  # Django's connections read texts
    for game in cursor.execute("SELECT * FROM games_game ORDER BY created_at").fetchall():
        rows = {name: cursor.execute(query, [game["id"]]).fetchall() for name, query in QUERIES.items()}
        if game["is_archived"]:
            [archive] = cursor.execute("SELECT * FROM games_archive WHERE game_id = %s", [game["id"]]).fetchall()
            rows |= unpacked(archive)
        yield Record(game, **rows)


def cards(number: int) -> set[str]:
    """Return the cards that a 52-bit integer stands for.

    >>> sorted(cards(1 | 1 << 51))
    ['2C', 'AS']
    """
    return {card for place, card in enumerate(PACK) if number >> place & 1}
