"""One round of a game, as the rows have it."""

import uuid
from typing import Any

from games.models import Hand, Play, Round, Trick
from games.presenters.rounds import HandRecord, RoundRecord, TrickRecord


def round_record(game_id: uuid.UUID, number: int) -> RoundRecord | None:
    """Return a round with its hands, tricks and plays, or None when it has not been dealt."""
    return next(iter(_records(round__game=game_id, round__number=number)), None)


def round_records(game_id: uuid.UUID) -> list[RoundRecord]:
    """Return all rounds of a game, in order, in three statements however many they are."""
    return _records(round__game=game_id)


def _records(**which: Any) -> list[RoundRecord]:
    hands: dict[int, list[Hand]] = {}
    for hand in Hand.objects.filter(**which).select_related("round").order_by("round__number", "seat__number"):
        hands.setdefault(hand.round_id, []).append(hand)
    plays: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for play in Play.objects.filter(round__in=hands).order_by("round", "trick_number", "order"):
        plays.setdefault((play.round_id, play.trick_number), []).append((play.seat, play.card))
    tricks: dict[int, list[TrickRecord]] = {}
    for trick in Trick.objects.filter(round__in=hands).order_by("round", "number"):
        played = tuple(plays.get((trick.round_id, trick.number), ()))
        tricks.setdefault(trick.round_id, []).append(TrickRecord(trick.number, trick.leader, played, trick.winner))
    return [_record(held[0].round, held, tricks.get(round_id, [])) for round_id, held in hands.items()]


def _record(row: Round, hands: list[Hand], tricks: list[TrickRecord]) -> RoundRecord:
    return RoundRecord(
        number=row.number,
        dealer=row.dealer,
        is_finished=row.finished_at is not None,
        redeals=tuple(row.redeals),
        hands=tuple(HandRecord(hand.dealt, hand.bid, hand.tricks, hand.score_tenths) for hand in hands),
        tricks=tuple(tricks),
    )
