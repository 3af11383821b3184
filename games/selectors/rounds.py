"""Rounds of a game, as the rows have them."""

import uuid
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, OuterRef, Subquery, When
from django.db.models.functions import JSONObject

from games.models import Archive, Hand, Play, Round, Trick
from games.models.packing import Contents, unpack
from games.presenters.rounds import HandRecord, RoundRecord, TrickRecord


def round_record(game_id: uuid.UUID, number: int) -> RoundRecord | None:
    """Return a round with its hands, tricks and plays, or None when it has not been dealt."""
    return next(iter(_records(number, game=game_id, number=number)), None)


def round_records(game_id: uuid.UUID) -> list[RoundRecord]:
    """Return all rounds of a game, in order."""
    return _records(1, game=game_id)


def _records(first: int, **which: Any) -> list[RoundRecord]:
    """Read rounds with all that is theirs in one statement: several could see a move, or the packing, between them.

    The *first* of them brings the game's archive along, if it has one.
    """
    its = {"round": OuterRef("pk")}
    hands = Hand.objects.filter(**its).order_by("seat__number")
    plays = Play.objects.filter(**its).order_by("trick_number", "order")
    tricks = Trick.objects.filter(**its).order_by("number")
    archive = Archive.objects.filter(game=OuterRef("game"))
    rounds = Round.objects.filter(**which).annotate(
        its_hands=ArraySubquery(hands.values(row=JSONObject(**_same("dealt", "bid", "tricks", "score_tenths")))),
        its_plays=ArraySubquery(plays.values(row=JSONObject(**_same("trick_number", "seat", "card")))),
        its_tricks=ArraySubquery(tricks.values(row=JSONObject(**_same("number", "leader", "winner")))),
        packed_in=Case(When(number=first, then=Subquery(archive.values("format")))),
        packed=Case(When(number=first, then=Subquery(archive.values("record")))),
    )
    found = list(rounds.order_by("number"))
    if found and found[0].packed is not None:
        _unpack(found, unpack(found[0].packed_in, bytes(found[0].packed)))
    return [_record(row) for row in found]


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _unpack(rounds: list[Any], contents: Contents) -> None:
    """Give each of *rounds* its tricks and plays as an archive has them."""
    by_number = {row.number: row for row in rounds}
    for trick in contents.tricks:
        if row := by_number.get(trick.round):
            row.its_tricks.append({"number": trick.number, "leader": trick.leader, "winner": trick.winner})
    for play in contents.plays:
        if row := by_number.get(play.round):
            row.its_plays.append({"trick_number": play.trick, "seat": play.seat, "card": play.card})


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
