"""Tables for tests: people sit down and play through the services, choosing as a seeded generator says."""

import random
import uuid
from typing import Any

from games.presenters.table import Table
from games.rules.cards import members
from games.rules.ruleset import LITE, RULESETS, Ruleset, customised
from games.rules.state import Phase
from games.rules.view import view
from games.selectors.snapshot import read_snapshot
from games.services.actors import HouseBot, Person
from games.services.lobby import Plan, create_game, take_seat
from games.services.table import place_bid, play_card
from players.models import Player


def person(name: str | None = None) -> Player:
    """Make a player."""
    return Player.objects.create(username=name or f"p-{uuid.uuid4().hex[:12]}")


def people(number: int = 4) -> list[Player]:
    """Make so many players."""
    return [person() for _ in range(number)]


def ruleset(name: str = "lite", **options: Any) -> Ruleset:
    """Return a published ruleset, with house rules if given."""
    return customised(name, options) if options else RULESETS[name]


def four_at_a_table(
    rules: Ruleset = LITE, players: list[Player] | None = None, **plan: Any
) -> tuple[Table, list[Player]]:
    """Start a game of four people, each with a seed of his own where one counts."""
    players = players or people()
    table = create_game(player_id=players[0].id, plan=Plan(ruleset=rules, **plan))
    for player in players[1:]:
        table = take_seat(game_id=table.id, player_id=player.id, client_seed=player.id.bytes * 2, invite=table.invite)
    return table, players


def act(table: Table, rng: random.Random) -> Table:
    """Let whoever is on turn do something legal, by chance."""
    state = table.state
    assert state is not None and state.turn is not None
    seat = table.seats[state.turn]
    assert seat is not None
    by = HouseBot(state.turn) if table.is_bots_turn else Person(seat.player_id)  # type: ignore[arg-type]
    seen = view(state, state.turn)
    if state.phase is Phase.BID:
        low = [n for n in seen.legal_bids or () if n <= 4]
        return place_bid(game_id=table.id, by=by, bid=rng.choice(low))
    return play_card(game_id=table.id, by=by, card=rng.choice(members(seen.legal_plays or 0)))


def play_on(table: Table, rng: random.Random, *, acts: int | None = None) -> Table:
    """Play by chance until the game is over, or so many acts."""
    while table.status == "active" and acts != 0:
        table = act(table, rng)
        acts = None if acts is None else acts - 1
    return table


def reread(table: Table) -> Table:
    """Return the game as its rows have it now."""
    seen = read_snapshot(uuid.UUID(table.id))
    assert seen is not None
    return seen.table
