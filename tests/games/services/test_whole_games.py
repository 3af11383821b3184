"""Whole games through the one door, of every ruleset, agree with their record played again."""

import random

import pytest

from games.presenters.state import game_state
from games.selectors.replay import differences
from games.services.lobby import Plan, create_game
from games.services.table import vote_to_finish
from tests.games.tables import four_at_a_table, person, play_on, ruleset

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["lite", "call-break-2"])
def test_four_people_play_a_game_of_five_rounds(name: str) -> None:
    table, _ = four_at_a_table(ruleset(name))
    table = play_on(table, random.Random(1))
    assert table.status == "finished"
    assert len(table.state.rounds) == 5
    assert differences(table.id) == []


def test_an_open_ended_game_ends_with_the_round_in_which_all_agree() -> None:
    table, players = four_at_a_table(ruleset("master"))
    table = play_on(table, random.Random(2), acts=56 + 30)
    for player in players:
        table = vote_to_finish(game_id=table.id, player_id=player.id, wants_to_finish=True)
    assert table.status == "active" and game_state(table, None)["final_round"]
    table = play_on(table, random.Random(2))
    assert table.status == "finished" and len(table.state.rounds) == 2
    assert differences(table.id) == []


def test_an_open_ended_game_ends_without_the_round_that_has_no_card_down() -> None:
    table, players = four_at_a_table(ruleset("master"))
    table = play_on(table, random.Random(3), acts=56 + 2)
    for player in players:
        table = vote_to_finish(game_id=table.id, player_id=player.id, wants_to_finish=True)
    assert table.status == "finished" and len(table.state.rounds) == 1
    shown = game_state(table, players[0].id)
    assert shown["round"]["number"] == 1 and shown["round"]["trick_number"] == 13 and shown["seats"][0]["cards"] == 0
    assert differences(table.id) == []


def test_an_agreement_before_any_round_is_over_cancels() -> None:
    table, players = four_at_a_table(ruleset("master"))
    for player in players:
        table = vote_to_finish(game_id=table.id, player_id=player.id, wants_to_finish=True)
    assert table.status == "cancelled"
    shown = game_state(table, None)
    assert shown["round"] is None and shown["turn"] is None and shown["result"] is None
    assert differences(table.id) == []


@pytest.mark.parametrize("seed", range(6))
def test_random_house_rules_give_games_that_agree_with_their_record(seed: int) -> None:
    rng = random.Random(seed)
    rules = ruleset(
        rng.choice(["custom", "lite", "master", "call-break-2"]),
        rounds=rng.randint(1, 3),
        max_bid=rng.randint(8, 13),
        must_head=rng.random() < 0.5,
        scoring=rng.choice(["overtricks", "exact-or-one-over"]),
        bonus_bid=rng.random() < 0.5,
        overtrick_tenths=rng.randint(0, 1),
        seating=rng.choice(["draw", "random"]),
        redeal_no_spade=True,
        redeal_no_honour=True,
        redeal_low_bids=rng.random() < 0.7,
        forced_cards=rng.choice(["off", "at_once"]),
    )
    table, _ = four_at_a_table(rules)
    table = play_on(table, rng)
    assert table.status == "finished"
    assert differences(table.id) == []


def test_one_person_with_three_bots_starts_at_once() -> None:
    table = create_game(player_id=person().id, plan=Plan(ruleset=ruleset(), bots=["easy", "medium", "easy"]))
    assert table.status == "active"
    assert [seat.kind for seat in table.seats] == ["human", "bot", "bot", "bot"]
    table = play_on(table, random.Random(4))
    assert table.status == "finished" and differences(table.id) == []
