"""What accounts do to games: guests, who sign in again, who is suspended, who closes the account, who asks too much."""

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from players.models import Player
from players.services.accounts import sign_up_guest
from tests.contract import Api
from tests.games.api.tables import Someone, act, bots_act, four, good, play_on, refused

pytestmark = pytest.mark.django_db
PASSWORD = "a wet otter on a bus"


def someone_with(answer: dict[str, Any]) -> Someone:
    """Return the player whom a sign-up or sign-in has told of."""
    player = Someone(player=Player.objects.get(username=answer["player"]["username"]))
    player.token = answer["token"]
    return player


def test_a_guest_plays_at_once_and_keeps_the_seat_when_claiming_the_account() -> None:
    guest = someone_with(good(Api().post("/players/guest"), 201))
    game_id = guest.create(ruleset="call-break-2", bots=["easy"] * 3, options={"rounds": 1})["id"]
    state = play_on(game_id, [guest], acts=2)
    assert state["seats"][state["you"]["seat"]]["kind"] == "guest"
    good(guest.patch("/me", {"username": "Otter", "password": PASSWORD}))
    state = guest.state(game_id)
    assert (state["seats"][state["you"]["seat"]]["player"], state["seats"][state["you"]["seat"]]["kind"]) == (
        "Otter",
        "human",
    )
    again = someone_with(good(Api().post("/sessions", {"username": "otter", "password": PASSWORD}), 201))
    assert again.state(game_id)["you"]["hand"] == state["you"]["hand"]
    assert play_on(game_id, [again])["status"] == "finished"
    assert good(again.get("/players/OTTER/stats"))["games"] == 1


def test_a_closed_account_leaves_its_seats_to_bots_and_its_finished_games_without_the_name() -> None:
    leaver = someone_with(good(Api().post("/players", {"username": "Otter", "password": PASSWORD}), 201))
    others = [Someone() for _ in range(3)]

    def sit(**fields: Any) -> str:
        made = leaver.create(**fields)
        for other in others:
            good(other.post(f"/games/{made['id']}/seats", {}))
        return str(made["id"])

    over, running = sit(options={"rounds": 1}), sit()
    play_on(over, [leaver, *others])
    mine, theirs = leaver.create()["id"], others[0].create()["id"]
    good(leaver.post(f"/games/{theirs}/seats", {}))
    assert leaver.delete("/me", {"password": PASSWORD}).status_code == 204
    refused(leaver.get(f"/games/{running}"), 401, "not_authenticated")
    assert others[0].state(mine)["status"] == "cancelled"
    assert [seat["player"] for seat in others[0].state(theirs)["seats"]] == [others[0].name, None, None, None]
    state = others[0].state(running)
    assert "Medium bot" in [seat["player"] for seat in state["seats"]] and state["status"] == "active"
    bots_act(running)
    for game_id in (over, running, mine, theirs):
        for path in ("", "/events", "/events?after=100", "/export", "/export?format=text"):
            assert "Otter" not in others[0].get(f"/games/{game_id}{path}").content.decode()
    ended = others[0].state(over)
    assert any(str(seat["player"]).startswith("closed-") for seat in ended["seats"]) and ended["result"]
    refused(others[0].get("/players/Otter/stats"), 404, "not_found")


def test_a_suspended_player_acts_no_more_and_the_turn_runs_out_for_a_bot() -> None:
    game_id, people = four()
    banned = people[people[0].state(game_id)["turn"]["seat"]]
    Player.objects.filter(id=banned.player.id).update(suspended_at=datetime.now(UTC), suspension_reason="For a test.")
    version = people[0].state(game_id)["version"] if people[0] is not banned else None
    refused(banned.post(f"/games/{game_id}/bids", {"bid": 3}), 403, "suspended")
    refused(banned.get(f"/games/{game_id}"), 403, "suspended")
    seen = next(someone for someone in people if someone is not banned).state(game_id)
    assert seen["version"] == (version or seen["version"]) and seen["turn"]["action"] == "bid"


def test_reading_too_much_does_not_starve_a_play(settings) -> None:
    game_id, people = four()
    play_on(game_id, people, acts=4)
    settings.THROTTLES = {**settings.THROTTLES, "read": "3/minute", "write": "1/minute", "play": "2/minute"}
    player = people[people[0].state(game_id)["turn"]["seat"]]
    answers = [player.get(f"/games/{game_id}") for _ in range(5)]
    assert answers[-1].status_code == 429 and int(answers[-1].headers["Retry-After"]) > 0
    assert answers[-1].headers["RateLimit-Policy"] == '"read";q=3;w=60'
    card = next(answer for answer in answers if answer.status_code == 200).json()["you"]["legal_plays"][0]
    assert good(player.post(f"/games/{game_id}/plays", {"card": card}))["version"]
    good(player.post(f"/games/{game_id}/plays", {"card": card}))
    refused(player.post(f"/games/{game_id}/plays", {"card": card}), 429, "rate_limited")
    good(player.post(f"/games/{game_id}/resign"))
    refused(player.post(f"/games/{game_id}/resign"), 429, "rate_limited")


def test_four_guests_play_a_round_of_custom_rules_together() -> None:
    guests = [
        someone_with({"player": {"username": made.person.username}, "token": made.token}) for made in guests_signed_up()
    ]
    game_id = guests[0].create(ruleset="custom", options={"rounds": 1, "bonus_bid": True, "max_bid": 8})["id"]
    for guest in guests[1:]:
        good(guest.post(f"/games/{game_id}/seats"))
    rng = random.Random(3)
    while (state := guests[0].state(game_id))["status"] == "active":
        by_name = {guest.name: guest for guest in guests}
        act(game_id, by_name[state["seats"][state["turn"]["seat"]]["player"]], rng)
    assert state["result"]["totals"] == state["totals"] and state["ruleset"]["name"] == "custom"


def guests_signed_up() -> list[Any]:
    return [sign_up_guest() for _ in range(4)]
