"""What a sceptic may read of a game's secrets."""

import uuid
from collections.abc import Iterable
from typing import Any

from games.models import DealSecrets, Round
from games.presenters.fairness import Secrets, draw_proof, fairness, round_proof
from games.presenters.rounds import RoundRecord
from games.presenters.table import Table


def fairness_of(table: Table) -> dict[str, Any]:
    """Return all commitments of a game."""
    return fairness(table, _secrets(table))


def proof_of(table: Table, round_number: int) -> dict[str, Any] | None:
    """Return the proof of a round (0 is the draw or the first dealer), or None when it has not been dealt."""
    if round_number == 0:
        return draw_proof(table, _secrets(table).by_round[0])
    row = Round.objects.filter(game_id=uuid.UUID(table.id), number=round_number).first()
    if row is None:
        return None
    secret = _secrets(table).by_round[row.number]
    return round_proof(table, row.number, row.dealer, len(row.redeals), row.finished_at is not None, secret)


def proofs_of(table: Table, rounds: Iterable[RoundRecord]) -> list[dict[str, Any]]:
    """Return the proof of the draw and of each of *rounds*."""
    secrets = _secrets(table).by_round
    return [
        draw_proof(table, secrets[0]),
        *(
            round_proof(table, row.number, row.dealer, len(row.redeals), row.is_finished, secrets[row.number])
            for row in rounds
        ),
    ]


def _secrets(table: Table) -> Secrets:
    return Secrets.from_bytes(bytes(DealSecrets.objects.get(game_id=table.id).secrets))
