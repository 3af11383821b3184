"""Before a game starts: make it, take a place, give it up, fill it with a bot, start or cancel."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_urlsafe

from django.db import transaction
from django.db.models.functions import Now

from callbreak_site.errors import Code, ServiceError
from games.models import ClockKind, DealSecrets, EventType, Game, GameStatus, Seat, Visibility
from games.presenters.table import Table
from games.rules.ruleset import RULES_VERSION, Ruleset, as_json
from games.selectors.rows import Rows, games_now, table_of
from games.services.actors import Person
from games.services.dealing import fresh_secrets
from games.services.journal import Journal
from games.services.locking import check_version, lock_game
from games.services.reservations import use_reservation
from games.services.starting import start
from players.services.accounts import hold_open

SEATS = range(4)
OPEN_FOR = timedelta(days=14)
AT_ONCE = 1000


@dataclass(frozen=True)
class Clock:
    """How long a turn may take; *per_turn_s* is None when untimed."""

    kind: str = ClockKind.CORRESPONDENCE
    per_turn_s: int | None = 86_400


@dataclass(frozen=True)
class Plan:
    """What a creator asks for."""

    ruleset: Ruleset
    clock: Clock = Clock()
    visibility: str = Visibility.PUBLIC
    bots: Sequence[str] = ()
    fill_with: str = "medium"
    reservation: str | None = None
    client_seed: bytes | None = None


@transaction.atomic
def create_game(*, player_id: uuid.UUID, plan: Plan) -> Table:
    """Make a game with its creator on place 0 and its bots behind; with three bots it starts at once.

    The creator's own seed counts only with a reservation: without one it could have been chosen after the secrets.
    Raises NOT_AVAILABLE for an untimed game with places for people, and INVALID_RESERVATION.
    """
    hold_open(player_id)
    if plan.clock.kind == ClockKind.UNTIMED and len(plan.bots) < 3:
        raise ServiceError(Code.NOT_AVAILABLE, "An untimed game is only for one person with three bots.")
    if plan.reservation is None:
        game_id, secrets, client_seed = uuid.uuid4(), b"".join(fresh_secrets(plan.ruleset)), None
    else:
        game_id, secrets = use_reservation(reservation=plan.reservation, player_id=player_id, ruleset=plan.ruleset)
        client_seed = plan.client_seed
    Game.objects.create(
        id=game_id,
        visibility=plan.visibility,
        invite=token_urlsafe(16),
        creator_id=player_id,
        ruleset_name=plan.ruleset.name,
        ruleset=as_json(plan.ruleset),
        rules_version=RULES_VERSION,
        clock_kind=plan.clock.kind,
        per_turn_s=plan.clock.per_turn_s,
        fill_with=plan.fill_with,
    )
    DealSecrets.objects.create(game_id=game_id, secrets=secrets)
    rows = Rows(games_now().get(id=game_id), [])
    journal = Journal(rows)
    _join(rows, journal, 0, player_id=player_id, client_seed=client_seed)
    for number, level in enumerate(plan.bots, start=1):
        _join(rows, journal, number, bot_level=level)
    _start_when_full(rows, journal)
    return table_of(rows)


@transaction.atomic
def take_seat(
    *,
    game_id: str,
    player_id: uuid.UUID,
    seat: int | None = None,
    invite: str | None = None,
    client_seed: bytes | None = None,
    expected_version: int | None = None,
) -> Table:
    """Take a place, the first free one unless *seat* names it; the fourth to be taken starts the game.

    Raises NOT_FOUND, ALREADY_STARTED, GAME_NOT_OPEN, VERSION_CONFLICT, ALREADY_SEATED, GAME_FULL, SEAT_TAKEN.
    """
    by = Person(player_id)
    hold_open(player_id)
    rows = lock_game(game_id, by, invite)
    _check_open(rows)
    check_version(rows, by, expected_version)
    if rows.seat_of(player_id):
        raise ServiceError(Code.ALREADY_SEATED, "You already hold a place in this game.")
    journal = Journal(rows)
    _join(rows, journal, _free_place(rows, seat), player_id=player_id, client_seed=client_seed)
    _start_when_full(rows, journal)
    return table_of(rows)


@transaction.atomic
def give_up_seat(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Give up one's place before the start.

    Raises NOT_FOUND, NOT_SEATED, ALREADY_STARTED, GAME_NOT_OPEN, VERSION_CONFLICT.
    """
    rows = lock_game(game_id, Person(player_id))
    seat = rows.seat_of(player_id)
    if seat is None:
        raise ServiceError(Code.NOT_SEATED, "You hold no place in this game.")
    _check_open(rows)
    check_version(rows, Person(player_id), expected_version)
    return _leave(rows, seat)


@transaction.atomic
def free_seat(*, game_id: str, player_id: uuid.UUID, seat: int, expected_version: int | None = None) -> Table:
    """Free somebody's place before the start, as the creator.

    Raises NOT_FOUND (also for a place that nobody has taken), NOT_CREATOR, ALREADY_STARTED, GAME_NOT_OPEN,
    VERSION_CONFLICT.
    """
    rows = _lock_open_as_creator(game_id, player_id, expected_version)
    taken = next((row for row in rows.seats if row.number == seat), None)
    if taken is None:
        raise ServiceError(Code.NOT_FOUND, f"Nobody has taken place {seat}.")
    return _leave(rows, taken)


@transaction.atomic
def seat_bot(
    *, game_id: str, player_id: uuid.UUID, level: str, seat: int | None = None, expected_version: int | None = None
) -> Table:
    """Fill a place with a bot, as the creator.

    Raises NOT_FOUND, NOT_CREATOR, ALREADY_STARTED, GAME_NOT_OPEN, VERSION_CONFLICT, GAME_FULL, SEAT_TAKEN.
    """
    rows = _lock_open_as_creator(game_id, player_id, expected_version)
    journal = Journal(rows)
    _join(rows, journal, _free_place(rows, seat), bot_level=level)
    _start_when_full(rows, journal)
    return table_of(rows)


@transaction.atomic
def start_game(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Start, as the creator; bots fill the empty places.

    Raises NOT_FOUND, NOT_CREATOR, ALREADY_STARTED, GAME_NOT_OPEN, VERSION_CONFLICT.
    """
    rows = _lock_open_as_creator(game_id, player_id, expected_version)
    journal = Journal(rows)
    for number in _free_places(rows):
        _join(rows, journal, number, bot_level=rows.game.fill_with)
    start(rows, journal)
    return table_of(rows)


@transaction.atomic
def cancel_game(*, game_id: str, player_id: uuid.UUID, expected_version: int | None = None) -> Table:
    """Cancel an open game, as its creator.

    Raises NOT_FOUND, NOT_CREATOR, ALREADY_STARTED, GAME_NOT_OPEN, VERSION_CONFLICT.
    """
    rows = _lock_open_as_creator(game_id, player_id, expected_version)
    return _cancel(rows, "cancelled_by_creator")


def expire_open_games() -> None:
    """Cancel the open games that nobody has joined for 14 days."""
    stale = games_now().filter(status=GameStatus.OPEN, changed_at__lt=Now() - OPEN_FOR).order_by("changed_at")
    for game_id in stale.values_list("id", flat=True)[:AT_ONCE]:
        with transaction.atomic():
            rows = lock_game(game_id.hex)
            if rows.game.status == GameStatus.OPEN and rows.game.changed_at < rows.now - OPEN_FOR:
                _cancel(rows, "nobody_joined")


def _lock_open_as_creator(game_id: str, player_id: uuid.UUID, expected_version: int | None) -> Rows:
    rows = lock_game(game_id, Person(player_id))
    if rows.game.creator_id != player_id:
        raise ServiceError(Code.NOT_CREATOR, "Only who made the game may do this.")
    _check_open(rows)
    check_version(rows, Person(player_id), expected_version)
    return rows


def _check_open(rows: Rows) -> None:
    if rows.game.started_at:
        raise ServiceError(Code.ALREADY_STARTED, "The game has started.")
    if rows.game.status != GameStatus.OPEN:
        raise ServiceError(Code.GAME_NOT_OPEN, f"The game is {rows.game.status}.")


def _free_places(rows: Rows) -> list[int]:
    taken = {seat.number for seat in rows.seats}
    return [number for number in SEATS if number not in taken]


def _free_place(rows: Rows, wanted: int | None) -> int:
    free = _free_places(rows)
    if not free:
        raise ServiceError(Code.GAME_FULL, "All four places are taken.")
    if wanted is None:
        return free[0]
    if wanted not in free:
        raise ServiceError(Code.SEAT_TAKEN, f"Place {wanted} is taken.")
    return wanted


def _join(
    rows: Rows,
    journal: Journal,
    number: int,
    *,
    player_id: uuid.UUID | None = None,
    bot_level: str | None = None,
    client_seed: bytes | None = None,
) -> None:
    order = max((seat.joined_order for seat in rows.seats), default=-1) + 1
    seat = Seat.objects.create(
        game=rows.game,
        number=number,
        player_id=player_id,
        bot_level=bot_level,
        joined_order=order,
        client_seed=client_seed,
    )
    rows.seats = sorted([*rows.seats, seat], key=lambda row: row.number)
    journal.note(EventType.PLAYER_JOINED, seat=number, player_id=player_id, public=_bot(bot_level))


def _bot(level: str | None) -> dict[str, str]:
    return {"kind": "bot", "bot_level": level} if level else {}


def _start_when_full(rows: Rows, journal: Journal) -> None:
    if len(rows.seats) == len(SEATS):
        start(rows, journal)
    else:
        _save_moment(rows, journal)


def _leave(rows: Rows, seat: Seat) -> Table:
    journal = Journal(rows)
    journal.note(EventType.PLAYER_LEFT, seat=seat.number, player_id=seat.player_id, public=_bot(seat.bot_level))
    rows.seats.remove(seat)
    seat.delete()
    _save_moment(rows, journal)
    return table_of(rows)


def _cancel(rows: Rows, reason: str) -> Table:
    journal = Journal(rows)
    rows.game.status, rows.game.ended_at = GameStatus.CANCELLED, rows.now
    journal.note(EventType.GAME_CANCELLED, public={"reason": reason})
    _save_moment(rows, journal)
    return table_of(rows)


def _save_moment(rows: Rows, journal: Journal) -> None:
    journal.write()
    rows.game.save(update_fields=["version", "changed_at", "status", "ended_at"])
