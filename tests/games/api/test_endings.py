"""How games go and end: the draw, redeals, votes, ties, resigning and playing again."""

import random
from typing import Any

import pytest

from games.selectors.replay import differences
from tests.games.api.tables import Someone, act, alone, bots_act, four, good, play_on, refused

pytestmark = pytest.mark.django_db


def vote(someone: Someone, game_id: str) -> dict[str, Any]:
    return good(someone.put(f"/games/{game_id}/finish-vote", {}))


def events(someone: Someone, game_id: str) -> list[str]:
    found, path = [], f"/games/{game_id}/events"
    while path:
        answer = good(someone.get(path))
        found += [event["type"] for event in answer["results"]]
        path = (answer["next"] or "").removeprefix("http://testserver/api/v1")
    return found


def test_where_cards_are_drawn_the_highest_sits_first_and_deals() -> None:
    game_id, people = four(ruleset="call-break-2")
    state = people[2].state(game_id)
    drawn = [seat["drawn_card"] for seat in state["seats"]]
    order = [("23456789TJQKA".index(card[0]), "CDHS".index(card[1])) for card in drawn]
    assert order == sorted(order, reverse=True) and len(set(drawn)) == 4
    assert state["round"]["dealer"] == 0 and state["turn"]["seat"] == 1 and state["you"]["seat"] == 2
    proof = good(people[0].get(f"/games/{game_id}/rounds/0/proof"))
    assert [drawn[seat] for seat in proof["joined"]] == proof["deck"][:4]


def test_bids_below_ten_are_dealt_again_three_times_and_then_the_hands_stand() -> None:
    game_id, people = four(options={"redeal_low_bids": True})
    for redeals in range(4):
        path = f"/games/{game_id}/rounds/1"
        assert len(good(people[0].get(path))["redeals"]) == good(people[0].get(f"{path}/proof"))["redeals"] == redeals
        for _ in range(4):
            turn = people[0].state(game_id)["turn"]
            assert turn["action"] == "bid"
            good(people[turn["seat"]].post(f"/games/{game_id}/bids", {"bid": 1}))
    assert people[0].state(game_id)["turn"]["action"] == "play"
    assert events(people[0], game_id).count("round.redealt") == 3


def test_in_the_last_round_everybody_is_told_what_is_still_needed() -> None:
    game_id, people = four(options={"rounds": 2})
    assert people[0].state(game_id)["final_round"] is None
    state = play_on(game_id, people, acts=56)
    assert state["round"]["number"] == 2 and state["round"]["last_trick"]["round"] == 1
    tenths = [int(total.replace(".", "")) for total in state["totals"]]
    for seat, standing in enumerate(state["final_round"]):
        gaps = [int(gap.replace(".", "")) for gap in standing["gaps"]]
        assert (standing["seat"], standing["total"]) == (seat, state["totals"][seat])
        assert gaps == [total - tenths[seat] for total in tenths]


def test_equal_totals_share_a_place() -> None:
    game_id, people = four(options={"rounds": 1, "overtrick_tenths": 0})
    rng = random.Random(1)
    while (state := people[0].state(game_id))["status"] == "active":
        someone = people[state["turn"]["seat"]]
        if state["turn"]["action"] == "bid":
            good(someone.post(f"/games/{game_id}/bids", {"bid": 1}))
        else:
            act(game_id, someone, rng)
    totals = state["totals"]
    assert set(totals) <= {"1.0", "-1.0"}  # so at least two are equal
    made = totals.count("1.0")
    assert state["result"]["places"] == [1 if total == "1.0" else made + 1 for total in totals]
    assert state["result"]["winners"] == [seat for seat, total in enumerate(totals) if total == "1.0"]


def test_a_vote_before_any_round_is_over_and_without_a_card_down_cancels_the_game() -> None:
    game_id, people = four(ruleset="master")
    for someone in people[:3]:
        assert vote(someone, game_id)["status"] == "active"
    ended = vote(people[3], game_id)
    assert (ended["status"], ended["round"], ended["turn"], ended["result"]) == ("cancelled", None, None, None)
    refused(people[0].get(f"/games/{game_id}/rounds/1"), 404, "not_found")


def test_a_vote_with_a_card_down_makes_this_round_the_last() -> None:
    game_id, people = four(ruleset="master")
    play_on(game_id, people, acts=5)
    for someone in people:
        state = vote(someone, game_id)
    assert state["status"] == "active" and state["final_round"] is not None
    refused(people[1].delete(f"/games/{game_id}/finish-vote"), 409, "finish_agreed")
    assert vote(people[1], game_id)["version"] == state["version"]
    ended = play_on(game_id, people)
    assert ended["status"] == "finished" and len(ended["scoreboard"]) == 1


def test_a_vote_between_rounds_drops_the_round_that_was_just_dealt() -> None:
    game_id, people = four(ruleset="master")
    play_on(game_id, people, acts=58)
    for someone in people:
        ended = vote(someone, game_id)
    assert ended["status"] == "finished" and ended["round"]["number"] == 1 and ended["round"]["trick_number"] == 13
    assert [seat["bid"] for seat in ended["seats"]] == ended["scoreboard"][0]["bids"]
    refused(people[0].get(f"/games/{game_id}/rounds/2"), 404, "not_found")
    refused(people[0].get(f"/games/{game_id}/rounds/2/proof"), 404, "not_found")
    assert len(good(people[0].get(f"/games/{game_id}/export"))["proofs"]) == 2
    assert differences(game_id) == []


def test_agreement_is_told_to_all_taken_back_and_the_same_when_repeated() -> None:
    game_id, people = four(ruleset="master")
    first = vote(people[1], game_id)
    assert [seat["wants_to_finish"] for seat in first["seats"]] == [False, True, False, False]
    assert vote(people[1], game_id)["version"] == first["version"]
    back = good(people[1].delete(f"/games/{game_id}/finish-vote", {}))
    assert not any(seat["wants_to_finish"] for seat in back["seats"]) and back["version"] == first["version"] + 1
    assert good(people[1].delete(f"/games/{game_id}/finish-vote"))["version"] == back["version"]
    assert people[1].put(f"/games/{game_id}/finish-vote").status_code == 200


def test_one_person_among_bots_decides_alone() -> None:
    game_id, someone = alone(ruleset="master")
    play_on(game_id, [someone], acts=14)
    bots_act(game_id)
    assert vote(someone, game_id)["status"] == "finished"


def test_a_game_with_a_number_of_rounds_is_not_finished_by_a_vote() -> None:
    game_id, people = four()
    refused(people[0].put(f"/games/{game_id}/finish-vote", {}), 422, "not_available")
    refused(people[0].delete(f"/games/{game_id}/finish-vote"), 422, "not_available")


def test_who_resigns_sees_what_a_spectator_sees_and_a_bot_plays_on() -> None:
    game_id, people = four(fill_with="easy", options={"rounds": 1})
    play_on(game_id, people, acts=9)
    left = good(people[1].post(f"/games/{game_id}/resign", {}))
    assert left["you"] is None and left["seats"][1]["player"] == "Easy bot" and left["seats"][1]["bot_level"] == "easy"
    own = good(people[1].get(f"/games/{game_id}/rounds/1"))
    assert [hand["dealt"] for hand in own["hands"]] == [None] * 4
    dealt = [event for event in good(people[1].get(f"/games/{game_id}/events"))["results"] if "hand" in event["data"]]
    assert dealt == []
    refused(people[1].post(f"/games/{game_id}/plays", {"card": "AS"}), 403, "not_seated")
    refused(people[1].post(f"/games/{game_id}/resign"), 403, "not_seated")
    ended = play_on(game_id, [people[0], *people[2:]])
    assert ended["status"] == "finished"
    text = people[0].get(f"/games/{game_id}/export?format=text").content.decode()
    assert f'[Seat1 "{people[1].name}"]' in text and "*" in text


def test_who_resigns_from_a_private_game_gets_no_word_of_it_any_more() -> None:
    game_id, people = four(visibility="private")
    creator = people[0].state(game_id)["creator"]
    leaver = next(someone for someone in people if someone.name != creator)
    assert leaver.post(f"/games/{game_id}/resign", {}).status_code == 204
    refused(leaver.get(f"/games/{game_id}"), 404, "not_found")
    refused(leaver.post(f"/games/{game_id}/resign", {}), 404, "not_found")


def test_when_all_resign_the_bots_play_to_the_end() -> None:
    game_id, people = four(options={"rounds": 1})
    for someone in people:
        good(someone.post(f"/games/{game_id}/resign"))
    bots_act(game_id)
    assert people[0].state(game_id)["status"] == "finished"


def test_everybody_who_asks_for_a_rematch_gets_the_same_game_and_a_place_in_it() -> None:
    game_id, people = four(ruleset="call-break-2", options={"rounds": 1}, visibility="private")
    refused(people[0].post(f"/games/{game_id}/rematch", {}), 409, "game_not_finished")
    play_on(game_id, people)
    answers = [good(someone.post(f"/games/{game_id}/rematch", {})) for someone in people]
    assert len({answer["id"] for answer in answers} | {game_id}) == 2
    assert [answer["status"] for answer in answers] == ["open", "open", "open", "active"]
    again = good(people[0].post(f"/games/{game_id}/rematch"))
    assert again["id"] == answers[0]["id"] and again["ruleset"] == answers[0]["ruleset"]
    assert again["ruleset"]["rounds"] == 1 and again["visibility"] == "private" and again["you"] is not None
    refused(Someone().post(f"/games/{game_id}/rematch"), 404, "not_found")


def test_a_rematch_against_bots_starts_at_once() -> None:
    game_id, someone = alone(options={"rounds": 1}, time_control={"kind": "untimed"})
    play_on(game_id, [someone])
    again = good(someone.post(f"/games/{game_id}/rematch"))
    assert again["status"] == "active" and again["time_control"]["kind"] == "untimed"
