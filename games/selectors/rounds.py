"""Rounds of a game, as the rows have them."""

import uuid
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from games.models import Hand, Play, Round, Trick
from games.presenters.rounds import HandRecord, RoundRecord, TrickRecord


def round_record(game_id: uuid.UUID, number: int) -> RoundRecord | None:
    """Return a round with its hands, tricks and plays, or None when it has not been dealt."""
    return next(iter(_records(game=game_id, number=number)), None)


def round_records(game_id: uuid.UUID) -> list[RoundRecord]:
    """Return all rounds of a game, in order."""
    return _records(game=game_id)


def _records(**which: Any) -> list[RoundRecord]:
    """Read rounds with all that is theirs in one statement: several could see a move between them."""
    its = {"round": OuterRef("pk")}
    hands = Hand.objects.filter(**its).order_by("seat__number")
    plays = Play.objects.filter(**its).order_by("trick_number", "order")
    tricks = Trick.objects.filter(**its).order_by("number")
    rounds = Round.objects.filter(**which).annotate(
        its_hands=ArraySubquery(hands.values(row=JSONObject(**_same("dealt", "bid", "tricks", "score_tenths")))),
        its_plays=ArraySubquery(plays.values(row=JSONObject(**_same("trick_number", "seat", "card")))),
        its_tricks=ArraySubquery(tricks.values(row=JSONObject(**_same("number", "leader", "winner")))),
    )
    return [_record(row) for row in rounds.order_by("number")]


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _record(row: Any) -> RoundRecord:
    plays: dict[int, list[tuple[int, int]]] = {}
    for play in row.its_plays:
        plays.setdefault(play["trick_number"], []).append((play["seat"], play["card"]))
    return RoundRecord(
        number=row.number,
        dealer=row.dealer,
        is_finished=row.finished_at is not None,
        redeals=tuple(row.redeals),
        hands=tuple(HandRecord(**hand) for hand in row.its_hands),
        tricks=tuple(
            TrickRecord(trick["number"], trick["leader"], tuple(plays.get(trick["number"], ())), trick["winner"])
            for trick in row.its_tricks
        ),
    )
