"""How many SQL statements a request costs, and when a play wakes a worker."""

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.selectors.turns import bot_turn
from games.services.actors import HouseBot
from games.services.table import play_card
from tests.games.api.tables import Someone, bots_act, four, good, play_on

pytestmark = pytest.mark.django_db(transaction=True)
APART = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
MOST_A_PLAY, MOST_A_VIEW, MOST_A_LIST = 3, 6, 6


@contextmanager
def counted(into: list[int]) -> Iterator[None]:
    """Append the number of statements that are sent inside."""
    with CaptureQueriesContext(connection) as captured:
        yield
    into.append(sum(not query["sql"].startswith(APART) for query in captured.captured_queries))


def two_people_and_two_bots() -> tuple[str, dict[int, Someone]]:
    """Start a game where people sit at 0 and 1, so that a person is followed by a person or by a bot."""
    first, second = Someone(), Someone()
    game_id = first.create(options={"rounds": 1})["id"]
    good(second.post(f"/games/{game_id}/seats", {"seat": 1}))
    good(first.post(f"/games/{game_id}/start"))
    return game_id, {0: first, 1: second}


def waiting_calls() -> int:
    """Return how many messages wait for the workers that take bots' turns."""
    return int(redis.Redis.from_url(settings.REDIS_URL).llen("turns"))


def test_a_play_costs_two_statements_or_three_that_wake_a_worker_for_a_bot() -> None:
    seen: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    rng = random.Random(1)
    for _ in range(3):
        game_id, people = two_people_and_two_bots()
        for someone in people.values():
            someone.state(game_id)  # the use of the token is written down once a minute, so not below
        while (state := people[0].state(game_id))["status"] == "active":
            seat, order = state["turn"]["seat"], len(state["round"]["trick"])
            is_play, is_last = state["turn"]["action"] == "play", sum(row["cards"] for row in state["seats"]) == 1
            counts: list[int] = []
            if seat in people:
                you, before = people[seat].state(game_id)["you"], waiting_calls()
                path, body = ("plays", {"card": rng.choice(you["legal_plays"] or [""])})
                if not is_play:
                    path, body = "bids", {"bid": rng.choice(you["legal_bids"])}
                with counted(counts):
                    after = good(people[seat].post(f"/games/{game_id}/{path}", body))
                is_bot_next = after["turn"] is not None and after["turn"]["seat"] not in people
                assert waiting_calls() - before == is_bot_next
            else:
                due = bot_turn(game_id)
                assert due is not None
                if not is_play:
                    bots_act(game_id)
                    continue
                card = (due.view.legal_plays or 0).bit_length() - 1
                with counted(counts):
                    table = play_card(game_id=game_id, by=HouseBot(seat), card=card, expected_version=due.version)
                is_bot_next = table.is_bots_turn
            if not is_last:
                who, following = "person" if seat in people else "bot", "bot" if is_bot_next else "person"
                seen[f"{who} {'plays' if is_play else 'bids'}", order, following] += counts
    plays = {case: counts for case, counts in seen.items() if case[0].endswith("plays")}
    assert {case for case in plays if case[0] == "person plays"} == {
        ("person plays", order, following) for order in range(4) for following in ("person", "bot")
    }
    costs = {case: max(counts) for case, counts in seen.items()}
    assert {case: cost for case, cost in costs.items() if cost > MOST_A_PLAY} == {}
    assert {
        cost for (who, _, following), cost in costs.items() if who.startswith("person") != (following == "bot")
    } == {2}


def test_a_view_costs_six_statements_at_most() -> None:
    open_id = Someone().create()["id"]
    active, people = four()
    play_on(active, people, acts=60)
    over, others = four(options={"rounds": 1})
    play_on(over, others)
    costs: dict[str, int] = {}
    for game_id, someone in ((open_id, Someone()), (active, people[0]), (over, others[0])):
        someone.state(game_id)
        paths = ["", "/events", "/fairness", "/rounds/0/proof"]
        paths += [] if game_id == open_id else ["/rounds/1", "/rounds/1/proof"]
        for path in paths:
            counts: list[int] = []
            with counted(counts):
                good(someone.get(f"/games/{game_id}{path}"))
            costs[path] = max(costs.get(path, 0), *counts)
    assert {path: cost for path, cost in costs.items() if cost > MOST_A_VIEW} == {}
    assert costs[""] == 1
    tag = people[0].get(f"/games/{active}")["ETag"]
    unchanged: list[int] = []
    with counted(unchanged):
        assert people[0].get(f"/games/{active}", If_None_Match=tag).status_code == 304
    assert unchanged == [1]


def test_a_list_costs_the_same_for_one_game_and_for_thirty() -> None:
    someone = Someone()
    paths = ["/games?limit=50", "/games?mine=true&limit=50", "/me/turns?limit=50"]
    paths += [f"/players/{someone.name}/games?limit=50", f"/players/{someone.name}/stats"]
    costs: list[list[int]] = []
    for games in (1, 29):
        for _ in range(games):
            bots_act(someone.create(bots=["easy"] * 3)["id"])
        counts: list[int] = []
        for path in paths:
            with counted(counts):
                good(someone.get(path))
        costs.append(counts)
    assert costs[0] == costs[1] and max(costs[0]) <= MOST_A_LIST


def test_a_record_costs_the_same_for_one_round_and_for_three() -> None:
    costs: list[int] = []
    for rounds in (1, 3):
        game_id, people = four(options={"rounds": rounds})
        play_on(game_id, people)
        for path in ("export", "export?format=text"):
            with counted(costs):
                assert people[0].get(f"/games/{game_id}/{path}").status_code == 200
    assert costs[:2] == costs[2:] and max(costs) <= 10


def test_a_bid_costs_no_more_than_a_play() -> None:
    game_id, people = four()
    counts: list[int] = []
    for _ in range(4):
        someone = people[people[0].state(game_id)["turn"]["seat"]]
        someone.state(game_id)
        with counted(counts):
            good(someone.post(f"/games/{game_id}/bids", {"bid": 3}))
    assert max(counts) <= MOST_A_PLAY
