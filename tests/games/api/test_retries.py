"""What is sent again does nothing again, with a key and without."""

from typing import Any

import pytest

from callbreak_site.http.models import IdempotencyKey
from games.models import Event, Game, Play
from games.services.table import resign_seat
from tests.games.api.tables import Someone, alone, four, good, play_on, refused
from tests.games.threads import race

pytestmark = pytest.mark.django_db
KEY = {"Idempotency_Key": "one"}


def on_turn(game_id: str, people: list[Someone]) -> Someone:
    return people[people[0].state(game_id)["turn"]["seat"]]


def at_play() -> tuple[str, list[Someone], Someone, str]:
    """Start a game in which a card is down, and return who plays next with a card that may be played."""
    game_id, people = four()
    play_on(game_id, people, acts=5)
    player = on_turn(game_id, people)
    return game_id, people, player, player.state(game_id)["you"]["legal_plays"][0]


def test_the_same_key_and_body_get_the_first_answer_again() -> None:
    game_id, people, player, card = at_play()
    path = f"/games/{game_id}/plays"
    first = player.post(path, {"card": card, "expected_version": people[0].state(game_id)["version"]}, **KEY)
    good(on_turn(game_id, people).post(f"/games/{game_id}/resign"))
    again = player.post(
        path, b'{"expected_version": %d, "card": "%s"}' % (first.json()["version"] - 1, card.encode()), **KEY
    )
    assert again.status_code == first.status_code == 200 and again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first.headers
    assert Play.objects.count() == 2


def test_a_creation_sent_again_with_its_key_makes_one_game() -> None:
    creator = Someone()
    body = {"ruleset": "lite", "bots": ["easy"] * 3}
    first, again = creator.post("/games", body, **KEY), creator.post("/games", body, **KEY)
    assert (first.status_code, again.status_code) == (201, 201) and first.json() == again.json()
    assert Game.objects.count() == 1


def test_the_same_key_with_another_body_is_refused() -> None:
    creator = Someone()
    good(creator.post("/games", {"ruleset": "lite"}, **KEY), 201)
    for body in ({"ruleset": "master"}, {"ruleset": "lite", "rated": False}):
        refused(creator.post("/games", body, **KEY), 422, "idempotency_key_reused")
    assert Game.objects.count() == 1


def test_a_key_belongs_to_its_user_and_path() -> None:
    creator, joiner, other = Someone(), Someone(), Someone()
    first, second = creator.create()["id"], creator.create()["id"]
    for game_id in (first, second):
        for someone in (joiner, other):
            joined = someone.post(f"/games/{game_id}/seats", {}, **KEY)
            assert good(joined)["id"] == game_id and "Idempotent-Replayed" not in joined.headers
    assert Event.objects.filter(type="player.joined").count() == 6


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "a\x7f", "a\x00", "k" * 256, "\t"])
def test_a_key_is_1_to_255_visible_ascii_characters(key: str) -> None:
    creator = Someone()
    problem = refused(creator.post("/games", {"ruleset": "lite"}, Idempotency_Key=key), 400, "invalid")
    assert list(problem["errors"]) == ["Idempotency-Key"]
    assert Game.objects.count() == 0 and IdempotencyKey.objects.count() == 0


def test_the_longest_key_is_good() -> None:
    creator = Someone()
    for _ in range(2):
        good(creator.post("/games", {"ruleset": "lite"}, Idempotency_Key="~" * 255), 201)
    assert Game.objects.count() == 1


def test_a_refusal_is_not_kept() -> None:
    game_id, people = four()
    later = people[(people[0].state(game_id)["turn"]["seat"] + 1) % 4]
    refused(later.post(f"/games/{game_id}/bids", {"bid": 3}, **KEY), 409, "not_your_turn")
    good(on_turn(game_id, people).post(f"/games/{game_id}/bids", {"bid": 3}))
    answer = later.post(f"/games/{game_id}/bids", {"bid": 3}, **KEY)
    assert good(answer)["seats"][later.state(game_id)["you"]["seat"]]["bid"] == 3
    assert "Idempotent-Replayed" not in answer.headers


def test_no_hand_is_told_again_to_somebody_who_has_left_the_seat() -> None:
    game_id, _, player, card = at_play()
    good(player.post(f"/games/{game_id}/plays", {"card": card}, **KEY))
    resign_seat(game_id=game_id, player_id=player.player.id)
    problem = refused(player.post(f"/games/{game_id}/plays", {"card": card}, **KEY), 403, "not_seated")
    assert set(problem) == {"type", "title", "status", "detail", "code"}
    creator = Someone()
    body = {"ruleset": "lite", "bots": ["easy"] * 3}
    made = good(creator.post("/games", body, **KEY), 201)
    resign_seat(game_id=made["id"], player_id=creator.player.id)
    refused(creator.post("/games", body, **KEY), 403, "not_seated")


def test_a_kept_answer_about_a_game_that_may_not_be_seen_any_more_is_not_told() -> None:
    creator, joiner = Someone(), Someone()
    made = creator.create(visibility="private")
    path, body = f"/games/{made['id']}/seats", {"invite": made["invite"]}
    good(joiner.post(path, body, **KEY))
    good(creator.delete(f"/games/{made['id']}/seats/1"))
    good(creator.post(f"/games/{made['id']}/start"))
    refused(joiner.post(path, body, **KEY), 404, "not_found")


def test_keys_without_a_token_are_ignored() -> None:
    stranger = Someone()
    stranger.token = None
    refused(stranger.post("/games", {"ruleset": "lite"}, **KEY), 401, "not_authenticated")
    assert IdempotencyKey.objects.count() == 0


def test_a_play_without_a_key_sent_again_is_a_retry_however_far_the_game_has_moved() -> None:
    game_id, people, player, card = at_play()
    body = {"card": card, "expected_version": people[0].state(game_id)["version"]}
    first = good(player.post(f"/games/{game_id}/plays", body))
    assert good(player.post(f"/games/{game_id}/plays", body))["version"] == first["version"]
    play_on(game_id, people, acts=1)
    moved = people[0].state(game_id)["version"]
    assert good(player.post(f"/games/{game_id}/plays", body))["version"] == moved
    other = next(held for held in first["you"]["hand"] if held != card)
    refused(player.post(f"/games/{game_id}/plays", {"card": other}), 409, "not_your_turn")
    refused(player.post(f"/games/{game_id}/plays", {**body, "card": other}), 409, "version_conflict")


def test_a_bid_without_a_key_sent_again_is_a_retry_until_the_seat_plays() -> None:
    game_id, people = four()
    bidder = on_turn(game_id, people)
    version = people[0].state(game_id)["version"]
    for _ in range(2):
        good(bidder.post(f"/games/{game_id}/bids", {"bid": 3, "expected_version": version}))
    refused(bidder.post(f"/games/{game_id}/bids", {"bid": 4}), 409, "not_your_turn")
    play_on(game_id, people, acts=3)
    assert good(bidder.post(f"/games/{game_id}/bids", {"bid": 3}))["turn"]["action"] == "play"
    play_on(game_id, people, acts=4)
    refused(bidder.post(f"/games/{game_id}/bids", {"bid": 3}), 409, "wrong_phase")


def test_the_same_bid_is_a_new_one_after_a_redeal_on_ones_turn_and_a_retry_before() -> None:
    game_id, people = four(options={"redeal_low_bids": True})
    for _ in range(4):
        bidder = on_turn(game_id, people)
        good(bidder.post(f"/games/{game_id}/bids", {"bid": 1}))
    state = people[0].state(game_id)
    assert state["turn"]["action"] == "bid" and all(seat["bid"] is None for seat in state["seats"])
    last = bidder
    assert good(last.post(f"/games/{game_id}/bids", {"bid": 1}))["version"] == state["version"]
    first = on_turn(game_id, people)
    assert good(first.post(f"/games/{game_id}/bids", {"bid": 1}))["version"] == state["version"] + 1


def test_the_last_play_of_a_game_can_be_sent_again() -> None:
    game_id, someone = alone(options={"rounds": 1})
    play_on(game_id, [someone])
    last = good(someone.get(f"/games/{game_id}/rounds/1"))["tricks"][-1]["plays"]
    seat = someone.state(game_id)["you"]["seat"]
    card = next(play["card"] for play in last if play["seat"] == seat)
    assert good(someone.post(f"/games/{game_id}/plays", {"card": card, "expected_version": 1}))["status"] == "finished"
    other = "2C" if card != "2C" else "3C"
    refused(someone.post(f"/games/{game_id}/plays", {"card": other}), 409, "game_not_active")


def writes_of_an_open_game(creator: Someone, joiner: Someone) -> list[tuple[Someone, str, str, dict[str, Any]]]:
    return [
        (Someone(), "POST", "seats", {}),
        (joiner, "DELETE", "seats/me", {}),
        (creator, "DELETE", "seats/1", {}),
        (creator, "POST", "bots", {"level": "easy"}),
        (creator, "POST", "start", {}),
        (creator, "DELETE", "", {}),
    ]


def test_a_stale_version_is_refused_by_every_write_with_the_callers_own_view() -> None:
    creator, joiner = Someone(), Someone()
    open_id = creator.create()["id"]
    good(joiner.post(f"/games/{open_id}/seats", {}))
    cases = [(open_id, *write) for write in writes_of_an_open_game(creator, joiner)]
    game_id, people = four(ruleset="master")
    bidder = on_turn(game_id, people)
    cases += [(game_id, bidder, "POST", "bids", {"bid": 3}), (game_id, bidder, "POST", "resign", {})]
    cases += [(game_id, bidder, method, "finish-vote", {}) for method in ("PUT", "DELETE")]
    over, others = four(options={"rounds": 1})
    play_on(over, others)
    cases.append((over, others[0], "POST", "rematch", {}))
    playing, _, player, card = at_play()
    cases.append((playing, player, "POST", "plays", {"card": card}))
    for where, someone, method, path, body in cases:
        before = Event.objects.filter(game_id=where).count(), Game.objects.count()
        address = f"/games/{where}/{path}".rstrip("/")
        for stale in (0, -1, before[0] - 1, before[0] + 1, 10**30):
            problem = refused(
                someone.send(method, address, {**body, "expected_version": stale}), 409, "version_conflict"
            )
            current = problem["current"]
            assert current["version"] == before[0] and current["id"] == where
            shown = someone.state(where)
            assert {**current, "turn": None} == {**shown, "turn": None}
        assert (Event.objects.filter(game_id=where).count(), Game.objects.count()) == before


def test_the_right_version_is_taken_by_every_write() -> None:
    creator, joiner = Someone(), Someone()
    game_id = creator.create()["id"]
    writes = writes_of_an_open_game(creator, joiner)
    for someone, method, path, body in [
        (joiner, "POST", "seats", {}),
        *writes[1:2],
        *writes[:1],
        *writes[2:4],
        *writes[5:],
    ]:
        version = creator.state(game_id)["version"]
        address = f"/games/{game_id}/{path}".rstrip("/")
        assert someone.send(method, address, {**body, "expected_version": version}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_ten_requests_with_one_key_at_the_same_moment_do_one_thing() -> None:
    game_id, people = four()
    bidder = on_turn(game_id, people)
    version = people[0].state(game_id)["version"]
    calls = [lambda: bidder.post(f"/games/{game_id}/bids", {"bid": 3, "expected_version": version}, **KEY)] * 10
    answers: Any = race(*calls)
    assert [answer.status_code for answer in answers] == [200] * 10
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 9
    assert len({answer.content for answer in answers}) == 1
    creator = Someone()
    answers = race(*[lambda: creator.post("/games", {"ruleset": "lite"}, **KEY)] * 10)
    assert {answer.status_code for answer in answers} == {201} and Game.objects.filter(
        creator=creator.player
    ).count() == 1
    assert Event.objects.filter(game_id=game_id, type="bid.made").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_bodies_with_one_key_at_the_same_moment_one_is_done_and_the_other_refused() -> None:
    creator = Someone()
    bodies = [{"ruleset": name} for name in ("lite", "master")] * 3
    answers: Any = race(*[lambda body=body: creator.post("/games", body, **KEY) for body in bodies])
    assert Game.objects.count() == 1
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [422] * 3
