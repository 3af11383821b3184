"""People at a table over HTTP: every request is a real one, and every answer is held to the OpenAPI text."""

import random
from typing import Any

from django.http import HttpResponse

from games.rules.cards import members
from games.selectors.turns import bot_turn
from games.services.actors import HouseBot
from games.services.table import place_bid, play_card
from players.models import Player
from players.services.tokens import issue_token
from tests.contract import Api
from tests.games.tables import person


class Someone(Api):
    """A player with a token of all scopes."""

    def __init__(self, name: str | None = None, *, player: Player | None = None) -> None:
        self.player = player or person(name)
        super().__init__(issue_token(player_id=self.player.id, name="test"))

    @property
    def name(self) -> str:
        return self.player.username

    def state(self, game_id: str) -> dict[str, Any]:
        return good(self.get(f"/games/{game_id}"))

    def create(self, **fields: Any) -> dict[str, Any]:
        return good(self.post("/games", {"ruleset": "lite", **fields}), 201)


def good(answer: HttpResponse, status: int = 200) -> dict[str, Any]:
    """Return the body of an answer that is what was hoped for."""
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else {}


def refused(answer: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """Return the problem in an answer that is a refusal with this code."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    assert problem["status"] == status and answer.headers["Content-Type"] == "application/problem+json"
    return problem


def four(**fields: Any) -> tuple[str, list[Someone]]:
    """Start a game of four people and return its id with the people by seat."""
    joiners = [Someone() for _ in range(4)]
    created = joiners[0].create(**fields)
    for joiner in joiners[1:]:
        started = good(joiner.post(f"/games/{created['id']}/seats", {"invite": created["invite"]}))
    by_name = {joiner.name: joiner for joiner in joiners}
    return created["id"], [by_name[seat["player"]] for seat in started["seats"]]


def alone(**fields: Any) -> tuple[str, Someone]:
    """Start a game of one person with three bots, and let the bots act."""
    creator = Someone()
    game_id = creator.create(bots=["easy"] * 3, **fields)["id"]
    bots_act(game_id)
    return game_id, creator


def bots_act(game_id: str) -> None:
    """Let the bots act as long as it is a bot's turn, as their workers would."""
    while (due := bot_turn(game_id)) is not None:
        acts = {"game_id": game_id, "by": HouseBot(due.seat), "expected_version": due.version}
        if due.view.legal_bids is not None:
            place_bid(bid=due.view.legal_bids[0], **acts)
        else:
            play_card(card=members(due.view.legal_plays or 0)[-1], **acts)


def act(game_id: str, someone: Someone, rng: random.Random) -> dict[str, Any]:
    """Let somebody whose turn it is do something legal, by chance, and return the state after it."""
    you = someone.state(game_id)["you"]
    if you["legal_bids"]:
        bid = rng.choice([bid for bid in you["legal_bids"] if bid <= 4])
        return good(someone.post(f"/games/{game_id}/bids", {"bid": bid}))
    return good(someone.post(f"/games/{game_id}/plays", {"card": rng.choice(you["legal_plays"])}))


def play_on(game_id: str, people: list[Someone], *, acts: int | None = None, seed: int = 1) -> dict[str, Any]:
    """Play by chance until the game is over, or so many acts of people; return the state that the first one sees."""
    rng = random.Random(seed)
    by_name = {someone.name: someone for someone in people}
    state = people[0].state(game_id)
    while state["status"] == "active" and acts != 0:
        on_turn = by_name.get(state["seats"][state["turn"]["seat"]]["player"])
        if on_turn is None:
            bots_act(game_id)
            state = people[0].state(game_id)
        else:
            state = act(game_id, on_turn, rng)
            acts = None if acts is None else acts - 1
    return people[0].state(game_id)
