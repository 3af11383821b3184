"""Games to look at: one, with the viewer's right to it, or many."""

import uuid
from secrets import compare_digest

from django.db.models import QuerySet

from callbreak_site.errors import Code, ServiceError
from games.models import Game, GameStatus, Seat, Visibility
from games.presenters.table import Table
from games.selectors.rows import Rows, games_now, rows_of_seats, seats_now, table_of
from games.selectors.snapshot import Snapshot, read_snapshot

NO_SUCH_GAME = "There is no such game, or you may not see it."


def find_table(game_id: str, viewer_id: uuid.UUID | None, invite: str | None = None) -> Table:
    """Return the game that *viewer_id* asks for, if he may see it.

    Raises NOT_FOUND, or NOT_AUTHENTICATED to somebody without an account, whether or not the game exists.
    """
    key = _uuid(game_id)
    return visible_table(read_snapshot(key) if key else None, viewer_id, invite)


def find_invited(game_id: str, invite: str) -> Table:
    """Return the open game that *invite* is for, to somebody without an account; raises NOT_AUTHENTICATED.

    Whoever has the invite can be a guest at one tap, so nothing is shown here that it does not open anyway.
    """
    key = _uuid(game_id)
    seen = read_snapshot(key) if key else None
    if seen and seen.table.status == GameStatus.OPEN and compare_digest(invite.encode(), seen.table.invite.encode()):
        return seen.table
    raise not_found(None)


def visible_table(seen: Snapshot | None, viewer_id: uuid.UUID | None, invite: str | None = None) -> Table:
    """Return the table that was *seen*, if there is one and *viewer_id* may see it; raises as `find_table`."""
    if seen is None or not may_see(seen.table, viewer_id, invite):
        raise not_found(viewer_id)
    return seen.table


def find_snapshot(game_id: str) -> Snapshot:
    """Return a game with the keys of what its next move changes, whoever may see it; raises NOT_FOUND."""
    key = _uuid(game_id)
    seen = read_snapshot(key) if key else None
    if seen is None:
        raise ServiceError(Code.NOT_FOUND, NO_SUCH_GAME)
    return seen


def may_see(table: Table, viewer_id: uuid.UUID | None, invite: str | None = None) -> bool:
    """Tell whether *viewer_id* may see *table*.

    Anybody sees a public one, who has an account an unlisted one; a private one is for its people and, while it is
    open, for who brings the invite.
    """
    if table.visibility == Visibility.PUBLIC or table.is_member(viewer_id):
        return True
    if viewer_id is None:
        return False
    if table.visibility == Visibility.UNLISTED:
        return True
    return table.status == GameStatus.OPEN and compare_digest((invite or "").encode(), table.invite.encode())


def not_found(viewer_id: uuid.UUID | None) -> ServiceError:
    """Return the refusal for a game that is not there or not to be seen."""
    if viewer_id is None:
        return ServiceError(
            Code.NOT_AUTHENTICATED, "Sign in or send a token: only public games can be read without one."
        )
    return ServiceError(Code.NOT_FOUND, NO_SUCH_GAME)


def games_listed(*, viewer_id: uuid.UUID, status: str | None, is_mine: bool, ruleset: str | None) -> QuerySet[Game]:
    """Return the public games, or those *viewer_id* made or sits or sat in, as a query that pages can cut."""
    if is_mine:
        # A union of ids, each found by its index: one condition with OR would read every game.
        made = Game.objects.filter(creator_id=viewer_id).values("id")
        sits = Game.objects.filter(seats__player_id=viewer_id).values("id")
        sat_in = Game.objects.filter(seats__tenures__player_id=viewer_id).exclude(visibility=Visibility.PRIVATE)
        games = games_now().filter(id__in=made.union(sits, sat_in.values("id")))
    else:
        games = games_now().filter(visibility=Visibility.PUBLIC)
    if status:
        games = games.filter(status=status)
    if ruleset:
        games = games.filter(ruleset_name=ruleset)
    return games


def games_of_player(player_id: uuid.UUID) -> QuerySet[Game]:
    """Return the public games in which a player holds a seat, as a query that pages can cut."""
    return games_now().filter(
        visibility=Visibility.PUBLIC, id__in=Seat.objects.filter(player_id=player_id).values("game")
    )


def tables_of(games: list[Game]) -> list[Table]:
    """Return *games* as values with one statement for all; hands are not read, so bids and tricks are not told."""
    seats: dict[uuid.UUID, list[Seat]] = {game.id: [] for game in games}
    for seat in seats_now().filter(game__in=games):
        seats[seat.game_id].append(seat)
    return [table_of(rows_of_seats(seats[game.id]) or Rows(game, [])) for game in games]


def all_game_ids() -> list[uuid.UUID]:
    """Return the ids of all games, oldest first."""
    return list(Game.objects.order_by("created_at").values_list("id", flat=True))


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text) if len(text) == 32 else None
    except ValueError:
        return None
