"""The three games, played to the end over HTTP."""

from typing import Any

import pytest

from games.rules.record import read, replay
from games.rules.scoring import points
from games.selectors.replay import differences
from tests.games.api.tables import Someone, alone, four, good, play_on

pytestmark = pytest.mark.django_db
FIVE_ROUNDS = ["call-break-2", "lite"]


@pytest.mark.parametrize("ruleset", FIVE_ROUNDS)
def test_four_people_play_five_rounds(ruleset: str) -> None:
    game_id, people = four(ruleset=ruleset)
    check_the_end(play_on(game_id, people), people, rounds=5)


@pytest.mark.parametrize("ruleset", FIVE_ROUNDS)
def test_one_person_plays_five_rounds_with_three_bots(ruleset: str) -> None:
    game_id, someone = alone(ruleset=ruleset)
    check_the_end(play_on(game_id, [someone]), [someone], rounds=5)


def check_the_end(state: dict[str, Any], people: list[Someone], *, rounds: int) -> None:
    """A game is over when its places are declared, and its record says how it came to them."""
    assert (state["status"], state["turn"], state["final_round"]) == ("finished", None, None)
    assert [row["round"] for row in state["scoreboard"]] == list(range(1, rounds + 1))
    assert state["round"]["number"] == rounds and state["round"]["trick_number"] == 13
    assert state["totals"] == state["result"]["totals"] == [seat["score"] for seat in state["seats"]]
    assert [seat["place"] for seat in state["seats"]] == state["result"]["places"]
    assert state["you"]["hand"] == [] and all(seat["cards"] == 0 for seat in state["seats"])
    text = people[0].get(f"/games/{state['id']}/export?format=text").content.decode()
    assert [points(total) for total in replay(read(text)).totals_tenths] == state["totals"]
    whole = good(people[0].get(f"/games/{state['id']}/export"))
    assert len(whole["rounds"]) == rounds and len(whole["proofs"]) == rounds + 1
    assert [told["version"] for told in whole["events"]] == list(range(1, state["version"] + 1))
    assert differences(state["id"]) == []
