"""The textbook twin plays by the same rules into the same tables: what it leaves, the product's own replay confirms."""

import random
from typing import Any

import pytest
from django.test import override_settings
from rest_framework.test import APIClient

from games.selectors.replay import differences
from tests.benchmarks.twin import settings as twin
from tests.games.api.tables import Someone, four, good

pytestmark = pytest.mark.django_db(transaction=True)


def play(game_id: str, someone: Someone, card: str) -> Any:
    """Send a card to the twin."""
    with override_settings(
        ROOT_URLCONF=twin.ROOT_URLCONF, MIDDLEWARE=twin.MIDDLEWARE, REST_FRAMEWORK=twin.REST_FRAMEWORK
    ):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {someone.token}")
        return client.post(f"/api/v1/games/{game_id}/plays", {"card": card}, format="json")


def test_a_game_played_at_the_twin_is_what_the_product_would_have_made_of_it() -> None:
    game_id, people = four(options={"rounds": 2})
    rng = random.Random(1)
    state = people[0].state(game_id)
    while state["status"] == "active":
        seat = state["turn"]["seat"]
        you = people[seat].state(game_id)["you"]
        if you["legal_bids"]:
            state = good(people[seat].post(f"/games/{game_id}/bids", {"bid": 3}))
            continue
        answer = play(game_id, people[seat], rng.choice(you["legal_plays"]))
        assert answer.status_code == 200, answer.content
        state = people[seat].state(game_id)
        told = answer.json()
        assert {name: told[name] for name in ("version", "status", "round", "totals")} == {
            name: state[name] for name in ("version", "status", "round", "totals")
        }
        assert told["you"]["hand"] == state["you"]["hand"]
    assert state["status"] == "finished" and list(differences(game_id)) == []


def test_the_twin_refuses_what_the_rules_forbid() -> None:
    game_id, people = four()
    for _ in range(4):
        seat = people[0].state(game_id)["turn"]["seat"]
        good(people[seat].post(f"/games/{game_id}/bids", {"bid": 3}))
    state = people[0].state(game_id)
    seat = state["turn"]["seat"]
    hand, other = people[seat].state(game_id)["you"]["hand"], people[(seat + 1) % 4]
    assert play(game_id, other, other.state(game_id)["you"]["hand"][0]).status_code == 400
    assert play(game_id, people[seat], next(c for c in other.state(game_id)["you"]["hand"])).status_code == 400
    assert play(game_id, people[seat], "1S").status_code == 400
    assert play(game_id, Someone(), hand[0]).status_code == 403
    assert people[0].state(game_id)["version"] == state["version"]
