"""Games that are over, in every way that a game can end, for whoever reads their records."""

import random
import uuid
from collections.abc import Callable
from datetime import timedelta

from django.db.models.functions import Now

from games.models import Archive, Event, Game
from games.presenters.table import Table
from games.selectors.contents import contents_of_rows
from games.services.lobby import Plan, create_game, give_up_seat, seat_bot, take_seat
from games.services.moderation import void_game
from games.services.table import expire_turn, resign_seat, vote_to_finish
from players.models import Player
from tests.admin.desks import moderator
from tests.games.tables import four_at_a_table, people, person, play_on, reread, ruleset

Ended = tuple[Table, list[Player]]
REDEALS = {"redeal_no_spade": True, "redeal_no_honour": True, "redeal_low_bids": True}


def finished(name: str) -> Ended:
    """Finish a game of one round, or of one by agreement where they are open-ended."""
    rules = ruleset(name) if name == "master" else ruleset(name, rounds=1)
    table, players = four_at_a_table(rules)
    rng = random.Random(name)
    if rules.rounds is None:
        table = play_on(table, rng, acts=58)
        for player in players:
            table = vote_to_finish(game_id=table.id, player_id=player.id, wants_to_finish=True)
    table = play_on(table, rng)
    assert table.status == "finished"
    return table, players


def dealt_again() -> Ended:
    """Finish a game in which rounds were dealt again."""
    rng = random.Random(8)
    for _ in range(20):
        table, players = four_at_a_table(ruleset("custom", rounds=2, **REDEALS))
        table = play_on(table, rng)
        if Event.objects.filter(game=table.id, type="round.redealt").exists():
            return table, players
    raise AssertionError("no round was dealt again")


def eventful() -> Ended:
    """Finish a private game that somebody left before the start and somebody else after it, with missed turns."""
    creator, gone, *others = people(4)
    rules = ruleset("lite", rounds=2, forced_cards="at_once")
    table = create_game(player_id=creator.id, plan=Plan(ruleset=rules, visibility="private"))
    take_seat(game_id=table.id, player_id=gone.id, invite=table.invite)
    give_up_seat(game_id=table.id, player_id=gone.id)
    for other in others:
        take_seat(game_id=table.id, player_id=other.id, invite=table.invite, client_seed=other.id.bytes * 2)
    table = seat_bot(game_id=table.id, player_id=creator.id, level="easy")
    rng = random.Random(9)
    missed = 0
    while table.status == "active":
        table = play_on(table, rng, acts=7)
        if missed < 3 and table.status == "active" and not table.is_bots_turn:
            Game.objects.filter(id=table.id).update(turn_ends_at=Now() - timedelta(seconds=3))
            missed += expire_turn(game_id=table.id)
            table = reread(table)
        if missed == 3 and table.seat_of(others[0].id) is not None and table.status == "active":
            table = resign_seat(game_id=table.id, player_id=others[0].id)
    assert missed == 3 and table.seat_of(others[0].id) is None
    return table, [creator, gone, *others]


def void_in_a_round() -> Ended:
    """Void a game in its second round, with cards still held and a trick on the table."""
    table, players = four_at_a_table(ruleset("lite"))
    table = play_on(table, random.Random(3), acts=56 + 4 + 10)
    return voided(table), players


def void_once_finished() -> Ended:
    """Void a game that had its result already."""
    table, players = finished("lite")
    return voided(table), players


def void_before_a_card() -> Ended:
    """Void a game in its first bids."""
    table, players = four_at_a_table(ruleset("call-break-2"))
    return voided(play_on(table, random.Random(4), acts=2)), players


def cancelled_by_all() -> Ended:
    """Agree to finish before any round is over: the round is dropped, its bids stay in the events."""
    table, players = four_at_a_table(ruleset("master"))
    table = play_on(table, random.Random(5), acts=2)
    for player in players:
        table = vote_to_finish(game_id=table.id, player_id=player.id, wants_to_finish=True)
    assert table.status == "cancelled"
    return table, players


def voided(table: Table) -> Table:
    """Void a game."""
    return void_game(game_id=table.id, moderator_id=moderator(f"mo-{uuid.uuid4().hex[:8]}").id, reason="Two in one.")


def against_bots() -> Ended:
    """Finish a game of one person and three bots."""
    player = person()
    table = create_game(player_id=player.id, plan=Plan(ruleset=ruleset(rounds=1), bots=["easy", "medium", "easy"]))
    return play_on(table, random.Random(6)), [player]


ENDINGS: dict[str, Callable[[], Ended]] = {
    **{name: lambda name=name: finished(name) for name in ("call-break-2", "master", "lite", "custom")},  # type: ignore[misc]
    **{make.__name__: make for make in (dealt_again, eventful, against_bots)},
    **{make.__name__: make for make in (void_in_a_round, void_once_finished, void_before_a_card, cancelled_by_all)},
}


def rows_left(table: Table) -> int:
    """Return how many events, tricks and plays of a game there are as rows."""
    return sum(map(len, contents_of_rows(uuid.UUID(table.id))))


def is_whole(table: Table) -> bool:
    """Tell whether a game has its rows and no archive, or an archive and no rows."""
    is_archived = Archive.objects.filter(game=table.id).exists()
    assert Game.objects.get(id=table.id).is_archived is is_archived
    return is_archived is (rows_left(table) == 0)
