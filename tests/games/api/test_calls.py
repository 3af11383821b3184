"""How many Python calls a play and a view cost, and that neither wakes a worker where a person is next."""

import pytest
from django.test import Client

from tests.games.api.calls import asked, cost_of
from tests.games.api.tables import Someone, four, good

pytestmark = pytest.mark.django_db(transaction=True)
# What was counted when this was last brought up to date, and a seventh more; the test client's own calls are in it.
MOST_A_PLAY, MOST_A_VIEW, MOST_AN_UNCHANGED_VIEW = 1_150, 875, 880


def bid_all(game_id: str, people: list[Someone]) -> None:
    """Make the four bids, which warms what is kept for the life of a process."""
    for _ in range(4):
        someone = people[people[0].state(game_id)["turn"]["seat"]]
        good(someone.post(f"/games/{game_id}/bids", {"bid": 3}))


def test_a_play_costs_so_many_calls_and_no_message() -> None:
    game_id, people = four()
    bid_all(game_id, people)
    costs, client = [], Client()
    for _ in range(11):  # not the last card of the third trick
        someone = people[people[0].state(game_id)["turn"]["seat"]]
        card = someone.state(game_id)["you"]["legal_plays"][0]
        costs.append(
            cost_of(asked(client, "POST", f"/games/{game_id}/plays", someone.token, b'{"card":"%b"}' % card.encode()))
        )
    warm = costs[3:]
    assert max(cost.calls for cost in warm) <= MOST_A_PLAY
    assert {cost.publishes for cost in costs} == {0}


def test_a_view_costs_so_many_calls_also_when_nothing_is_new() -> None:
    game_id, people = four()
    bid_all(game_id, people)
    client, token = Client(), people[0].token
    look = asked(client, "GET", f"/games/{game_id}", token)
    etag = look().headers["ETag"]
    again = asked(client, "GET", f"/games/{game_id}", token, **{"If-None-Match": etag})
    assert again().status_code == 304
    whole, unchanged = cost_of(look), cost_of(again)
    assert whole.calls <= MOST_A_VIEW and unchanged.calls <= MOST_AN_UNCHANGED_VIEW
    assert whole.publishes == unchanged.publishes == 0
