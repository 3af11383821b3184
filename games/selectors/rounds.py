"""One round of a game, as the rows have it."""

import uuid

from games.models import Hand, Play, Round, Trick
from games.presenters.rounds import HandRecord, RoundRecord, TrickRecord


def round_record(game_id: uuid.UUID, number: int) -> RoundRecord | None:
    """Return a round with its hands, tricks and plays, or None when it has not been dealt."""
    row = Round.objects.filter(game_id=game_id, number=number).first()
    return _record(row) if row else None


def round_records(game_id: uuid.UUID) -> list[RoundRecord]:
    """Return all rounds of a game, in order."""
    return [_record(row) for row in Round.objects.filter(game_id=game_id).order_by("number")]


def _record(row: Round) -> RoundRecord:
    plays: dict[int, list[tuple[int, int]]] = {}
    for play in Play.objects.filter(round=row).order_by("trick_number", "order"):
        plays.setdefault(play.trick_number, []).append((play.seat, play.card))
    return RoundRecord(
        number=row.number,
        dealer=row.dealer,
        is_finished=row.finished_at is not None,
        redeals=tuple(row.redeals),
        hands=tuple(
            HandRecord(hand.dealt, hand.bid, hand.tricks, hand.score_tenths)
            for hand in Hand.objects.filter(round=row).order_by("seat__number")
        ),
        tricks=tuple(
            TrickRecord(trick.number, trick.leader, tuple(plays.get(trick.number, ())), trick.winner)
            for trick in Trick.objects.filter(round=row).order_by("number")
        ),
    )
