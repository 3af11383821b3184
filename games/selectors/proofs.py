"""What a sceptic may read of a game's secrets."""

import uuid
from collections.abc import Iterable
from typing import Any

from callbreak_site.prepared import read_row
from games.models import Round
from games.presenters.fairness import draw_proof, fairness, round_proof
from games.presenters.rounds import RoundRecord
from games.presenters.table import Table
from games.rules.shuffle import split
from games.selectors.snapshot import read_snapshot

SECRETS = "SELECT secrets FROM games_dealsecrets WHERE game_id = %s"


def fairness_of(table: Table) -> dict[str, Any]:
    """Return all commitments of a game."""
    return fairness(table, secrets_of(uuid.UUID(table.id)))


def proof_of(game_id: uuid.UUID, round_number: int) -> dict[str, Any] | None:
    """Return the proof of a round (0 is the draw or the first dealer), or None when it has not been dealt."""
    row = Round.objects.filter(game=game_id, number=round_number).first() if round_number else None
    # Read after the round: the seats have their last numbers then.
    seen = read_snapshot(game_id)
    if seen is None or (row is None and round_number > 0):
        return None
    table, secret = seen.table, secrets_of(game_id)[round_number]
    if row is None:
        return draw_proof(table, secret)
    return round_proof(table, row.number, row.dealer, len(row.redeals), row.finished_at is not None, secret)


def proofs_of(table: Table, rounds: Iterable[RoundRecord]) -> list[dict[str, Any]]:
    """Return the proof of the draw and of each of *rounds*."""
    secrets = secrets_of(uuid.UUID(table.id))
    return [
        draw_proof(table, secrets[0]),
        *(
            round_proof(table, row.number, row.dealer, len(row.redeals), row.is_finished, secrets[row.number])
            for row in rounds
        ),
    ]


def secrets_of(game_id: uuid.UUID) -> tuple[bytes, ...]:
    """Return a game's secrets by round, the draw's first; the dealing and the proofs alone may ask for them."""
    row = read_row(SECRETS, [game_id])
    assert row is not None
    return split(row[0])
