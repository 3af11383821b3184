"""Games that are over are packed: one archive takes the place of hundreds of events, tricks and plays."""

import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from callbreak_site.failpoints import failpoint
from games.models import Archive, Event, Game, GameStatus, Mention, Play, Round, Tenure, Trick
from games.models.packing import Contents, pack
from games.selectors.replay import Replay
from games.services.locking import lock_game

log = logging.getLogger(__name__)

OVER = (GameStatus.FINISHED, GameStatus.CANCELLED, GameStatus.VOID)
OVER_FOR = timedelta(hours=1)
"""How long a game has to be over: rematches, late readers and moderators come in its first hour."""
SECONDS = 25.0
"""How long one run may take; well below the time limit of its task."""
AT_ONCE = 100


class NotPacked(ValueError):
    """What an archive holds is not what its game's rows hold, or they hold less than all that happened."""


def archive_ended(*, over_for: timedelta = OVER_FOR, seconds: float = SECONDS) -> int:
    """Pack the games that have been over for so long, one transaction each; return how many were packed.

    A game that cannot be packed is left as it is, and keeps no other from it.
    """
    ends = time.monotonic() + seconds
    packed = 0
    for game_id in _due_ids(over_for):
        if time.monotonic() > ends:
            log.info("archiving goes on in the next run: packed=%s", packed)
            break
        try:
            packed += archive_game(game_id=game_id, over_for=over_for)
        except SoftTimeLimitExceeded:
            raise
        except Error as error:
            log.warning("game not archived: game=%s error=%s", game_id, type(error).__name__)
        except Exception as error:
            # By its class only: the text may tell cards.
            log.error("game can't be archived: game=%s error=%s", game_id, type(error).__name__)
    return packed


@transaction.atomic
def archive_game(*, game_id: str, over_for: timedelta = OVER_FOR) -> bool:
    """Pack a game if it is due, and tell whether it was; raises NotPacked when its rows are not what its record makes.

    What was packed is read back and compared before the rows go, all in one transaction.
    """
    rows = lock_game(game_id)
    game = rows.game
    if game.is_archived or not _is_due(game, rows.now - over_for):
        return False
    replay = Replay(game)
    if any(replay.differences()):
        raise NotPacked
    contents = replay.record
    archive = Archive.objects.create(game=game, record=pack(contents))
    _keep_people(archive, contents)
    failpoint("archive.before_delete")
    if Archive.objects.get(game=game).contents != contents:
        raise NotPacked
    rounds = Round.objects.filter(game=game)
    Play.objects.filter(round__in=rounds).delete()
    Trick.objects.filter(round__in=rounds).delete()
    Event.objects.filter(game=game).delete()
    Game.objects.filter(id=game.id).update(is_archived=True)
    return True


def unpack_game(game: Game) -> None:
    """Bring the rows of an archived game back, because it is about to change; its row is locked."""
    contents = Archive.objects.get(game=game).contents
    rounds = dict(Round.objects.filter(game=game).values_list("number", "id"))
    Event.objects.bulk_create(Event(game=game, **event._asdict()) for event in contents.events)
    Trick.objects.bulk_create(
        Trick(round_id=rounds[trick.round], number=trick.number, leader=trick.leader, winner=trick.winner)
        for trick in contents.tricks
    )
    Play.objects.bulk_create(
        Play(round_id=rounds[play.round], trick_number=play.trick, order=play.order, seat=play.seat, card=play.card)
        for play in contents.plays
    )
    Archive.objects.filter(game=game).delete()
    game.is_archived = False
    game.save(update_fields=["is_archived"])


def due(over_for: timedelta) -> QuerySet[Game]:
    """Return the games to pack, the last to end first: those that can't be packed gather at the other end."""
    has_ended = Q(started_at__isnull=False, ended_at__isnull=False, ended_at__lte=Now() - over_for)
    return Game.objects.filter(has_ended, is_archived=False).order_by("-ended_at", "-id")


def _due_ids(over_for: timedelta) -> Iterator[str]:
    """Yield the ids of all games that are due, read page by page."""
    rest = due(over_for)
    while page := list(rest.values_list("ended_at", "id")[:AT_ONCE]):
        yield from (game_id.hex for _, game_id in page)
        ended_at, last = page[-1]
        goes_on = Q(ended_at__lt=ended_at) | Q(ended_at=ended_at, id__lt=last)
        rest = due(over_for).filter(goes_on, ended_at__lte=ended_at)


def _is_due(game: Game, ended_by: datetime) -> bool:
    has_ended = game.ended_at is not None and game.ended_at <= ended_by
    return game.status in OVER and game.started_at is not None and has_ended


def _keep_people(archive: Archive, contents: Contents) -> None:
    """Note whom the events name and no tenure does, so that nobody of them can be deleted."""
    named = {event.player_id for event in contents.events if event.player_id}
    held = Tenure.objects.filter(seat__game=archive.game_id, player__in=named).values_list("player", flat=True)
    Mention.objects.bulk_create(
        Mention(archive=archive, player_id=player_id) for player_id in sorted(named - set(held))
    )
