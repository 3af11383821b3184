"""Before the start: who makes a game, who sits in it, who sees it."""

import secrets
from typing import Any

import pytest

from tests.games.api.tables import Someone, four, good, refused

pytestmark = pytest.mark.django_db
NOWHERE = "0" * 32


def seats_of(state: dict[str, Any]) -> list[str | None]:
    return [seat["player"] for seat in state["seats"]]


def test_a_game_needs_only_a_ruleset_and_its_creator_holds_place_0() -> None:
    creator = Someone()
    made = creator.create()
    assert (made["status"], made["version"], made["visibility"], made["rated"]) == ("open", 1, "public", False)
    assert made["time_control"] == {"kind": "correspondence", "per_turn": 86400}
    assert seats_of(made) == [creator.name, None, None, None] and made["you"]["seat"] == 0
    assert (made["round"], made["turn"], made["result"], made["you"]["hand"]) == (None, None, None, [])
    assert made["ruleset"]["name"] == "lite" and made["creator"] == creator.name


def test_with_three_bots_a_game_starts_at_once() -> None:
    made = Someone().create(bots=["easy", "medium", "easy"], time_control={"kind": "untimed"})
    assert made["status"] == "active" and made["time_control"] == {"kind": "untimed", "per_turn": None}
    assert seats_of(made)[1:] == ["Easy bot", "Medium bot", "Easy bot"] and len(made["you"]["hand"]) == 13
    assert made["turn"]["deadline"] is made["turn"]["seconds_left"] is None


def test_the_fourth_to_sit_down_starts_the_game_before_the_answer() -> None:
    creator = Someone()
    game_id = creator.create()["id"]
    for expected in ("open", "open", "active"):
        joined = good(Someone().post(f"/games/{game_id}/seats", {}))
        assert joined["status"] == expected
    assert joined["turn"]["action"] == "bid" and 86390 <= joined["turn"]["seconds_left"] <= 86400


def test_a_joiner_takes_the_place_that_he_names_or_the_first_free_one() -> None:
    game_id = Someone().create()["id"]
    assert good(Someone().post(f"/games/{game_id}/seats", {"seat": 3}))["you"]["seat"] == 3
    assert good(Someone().post(f"/games/{game_id}/seats"))["you"]["seat"] == 1


def test_seats_are_refused_in_order_already_seated_full_taken() -> None:
    creator, joiner = Someone(), Someone()
    game_id = creator.create()["id"]
    refused(creator.post(f"/games/{game_id}/seats", {"seat": 0}), 409, "already_seated")
    refused(joiner.post(f"/games/{game_id}/seats", {"seat": 0}), 409, "seat_taken")
    refused(creator.post(f"/games/{game_id}/bots", {"level": "easy", "seat": 0}), 409, "seat_taken")
    for _ in range(3):
        good(creator.post(f"/games/{game_id}/bots", {"level": "easy"}))
    refused(joiner.post(f"/games/{game_id}/seats", {}), 409, "already_started")
    refused(creator.post(f"/games/{game_id}/seats", {}), 409, "already_started")


def test_a_place_can_be_given_up_and_freed_until_the_start() -> None:
    creator, joiner, other = Someone(), Someone(), Someone()
    game_id = creator.create()["id"]
    for someone in (joiner, other):
        good(someone.post(f"/games/{game_id}/seats", {}))
    left = good(joiner.delete(f"/games/{game_id}/seats/me"))
    assert seats_of(left) == [creator.name, None, other.name, None] and left["you"] is None
    refused(joiner.delete(f"/games/{game_id}/seats/me"), 403, "not_seated")
    refused(other.delete(f"/games/{game_id}/seats/0"), 403, "not_creator")
    freed = good(creator.delete(f"/games/{game_id}/seats/2"))
    assert seats_of(freed) == [creator.name, None, None, None]
    refused(creator.delete(f"/games/{game_id}/seats/2"), 404, "not_found")
    good(creator.post(f"/games/{game_id}/start", {}))
    refused(creator.delete(f"/games/{game_id}/seats/1"), 409, "already_started")
    refused(creator.delete(f"/games/{game_id}/seats/me"), 409, "already_started")


def test_the_start_fills_empty_places_with_bots_of_the_level_that_the_creator_chose() -> None:
    creator, joiner = Someone(), Someone()
    game_id = creator.create(fill_with="easy")["id"]
    good(joiner.post(f"/games/{game_id}/seats", {"seat": 2}))
    refused(joiner.post(f"/games/{game_id}/start", {}), 403, "not_creator")
    started = good(creator.post(f"/games/{game_id}/start"))
    assert started["status"] == "active" and seats_of(started) == [creator.name, "Easy bot", joiner.name, "Easy bot"]
    refused(creator.post(f"/games/{game_id}/start"), 409, "already_started")


def test_only_its_creator_cancels_an_open_game_and_then_nobody_sits_down() -> None:
    creator, joiner = Someone(), Someone()
    game_id = creator.create()["id"]
    good(joiner.post(f"/games/{game_id}/seats", {}))
    refused(joiner.delete(f"/games/{game_id}"), 403, "not_creator")
    cancelled = good(creator.delete(f"/games/{game_id}"))
    assert (cancelled["status"], cancelled["round"], cancelled["turn"], cancelled["result"]) == (
        "cancelled", None, None, None,
    )  # fmt: skip
    assert good(joiner.get(f"/games/{game_id}/events"))["results"][-1]["type"] == "game.cancelled"
    refused(Someone().post(f"/games/{game_id}/seats", {}), 409, "game_not_open")
    refused(creator.delete(f"/games/{game_id}"), 409, "game_not_open")
    refused(creator.post(f"/games/{game_id}/start", {}), 409, "game_not_open")


def test_a_private_game_is_not_there_without_its_invite() -> None:
    creator, stranger = Someone(), Someone()
    made = creator.create(visibility="private")
    path, invite = f"/games/{made['id']}", made["invite"]
    wrong = ["", "x", invite[:-1], invite + "x", invite.swapcase(), "ü", None]
    for guess in wrong:
        refused(stranger.post(f"{path}/seats", {"invite": guess} if guess is not None else {}), 404, "not_found")
        refused(stranger.get(f"{path}?invite={guess or ''}"), 404, "not_found")
    assert "invite" not in good(stranger.get(f"{path}?invite={invite}"))
    assert good(stranger.get(f"{path}/fairness?invite={invite}"))["seat_seeds"] is None
    assert good(stranger.get(f"{path}/events?invite={invite}"))["results"][0]["type"] == "player.joined"
    refused(stranger.post(f"{path}/seats", {"seat": 9}), 404, "not_found")
    refused(stranger.post(f"{path}/seats", {"seat": 9, "invite": invite}), 400, "invalid")
    joined = good(stranger.post(f"{path}/seats", {"invite": invite}))
    assert joined["invite"] == invite and joined["you"]["seat"] == 1
    assert stranger.state(made["id"])["visibility"] == "private"


def test_who_gives_up_a_place_in_a_private_game_sees_nothing_of_it_any_more() -> None:
    creator, joiner = Someone(), Someone()
    made = creator.create(visibility="private")
    good(joiner.post(f"/games/{made['id']}/seats", {"invite": made["invite"]}))
    assert joiner.delete(f"/games/{made['id']}/seats/me").status_code == 204
    refused(joiner.get(f"/games/{made['id']}"), 404, "not_found")
    assert good(creator.delete(f"/games/{made['id']}/seats/me"))["you"] is None


def test_an_invite_opens_nothing_once_the_game_has_started() -> None:
    game_id, people = four(visibility="private")
    invite = people[0].state(game_id)["invite"]
    refused(Someone().get(f"/games/{game_id}?invite={invite}"), 404, "not_found")
    refused(Someone().post(f"/games/{game_id}/seats", {"invite": invite}), 404, "not_found")


def test_an_unlisted_game_is_for_who_has_the_link_and_an_account() -> None:
    creator, stranger = Someone(), Someone()
    made = creator.create(visibility="unlisted")
    assert stranger.state(made["id"])["you"] is None
    assert made["id"] not in [game["id"] for game in good(stranger.get("/games"))["results"]]


def test_an_untimed_game_has_no_place_for_other_people() -> None:
    creator = Someone()
    body = {"ruleset": "lite", "time_control": {"kind": "untimed"}}
    for bots in ([], ["easy"], ["easy", "easy"]):
        refused(creator.post("/games", {**body, "bots": bots}), 422, "not_available")


def test_a_reservation_shows_the_commitments_before_the_seed_is_known() -> None:
    creator, seed = Someone(), secrets.token_hex(32)
    kept = good(creator.post("/games/reservations", {"ruleset": "lite", "options": {"rounds": 2}}), 201)
    made = creator.create(options={"rounds": 2}, reservation=kept["reservation"], client_seed=seed.upper())
    assert made["id"] == kept["game_id"] == kept["fairness"]["game_id"]
    assert made["fairness"]["seeded"] == [True, False, False, False]
    good(creator.post(f"/games/{made['id']}/start", {}))
    shown = good(creator.get(f"/games/{made['id']}/fairness"))
    assert shown["commitments"] == kept["fairness"]["commitments"] and len(shown["commitments"]) == 3
    assert shown["seat_seeds"] == [seed, "0" * 64, "0" * 64, "0" * 64]


def test_a_seed_without_a_reservation_is_not_counted() -> None:
    made = Someone().create(client_seed="ab" * 32)
    assert made["fairness"]["seeded"] == [False] * 4


def test_a_reservation_is_for_one_game_of_one_person_by_the_same_rules() -> None:
    creator, other = Someone(), Someone()
    kept = good(creator.post("/games/reservations", {"ruleset": "master"}), 201)["reservation"]
    unknown = [NOWHERE, "", "no", kept[:-1], "ü" * 32, kept + kept]
    for reservation in unknown:
        body = {"ruleset": "master", "reservation": reservation}
        refused(creator.post("/games", body), 422, "invalid_reservation")
    refused(other.post("/games", {"ruleset": "master", "reservation": kept}), 422, "invalid_reservation")
    refused(creator.post("/games", {"ruleset": "lite", "reservation": kept}), 422, "invalid_reservation")
    wider = {"ruleset": "master", "options": {"min_bid": 1}, "reservation": kept}
    refused(creator.post("/games", wider), 422, "invalid_reservation")
    creator.create(ruleset="master", reservation=kept)
    refused(creator.post("/games", {"ruleset": "master", "reservation": kept}), 422, "invalid_reservation")


def test_the_lobby_lists_public_games_by_status_and_ruleset_and_ones_own_of_all_kinds() -> None:
    creator, other = Someone(), Someone()
    open_lite, open_master = creator.create()["id"], creator.create(ruleset="master")["id"]
    private = creator.create(visibility="private")["id"]
    active = creator.create(bots=["easy"] * 3)["id"]
    theirs = other.create()["id"]

    def listed(someone: Someone, query: str) -> list[str]:
        return [game["id"] for game in good(someone.get(f"/games{query}"))["results"]]

    assert listed(other, "") == [theirs, active, open_master, open_lite]
    assert listed(other, "?status=open&ruleset=master") == [open_master]
    assert listed(creator, "?status=active") == [active]
    assert listed(creator, "?mine=true") == [active, private, open_master, open_lite]
    assert listed(creator, "?mine=true&status=open&ruleset=lite") == [private, open_lite]
    assert listed(other, "?mine=true") == [theirs]
    assert listed(other, "?mine=false&limit=1") == [theirs]
    for query in ("status=bogus", "mine=yes", "ruleset=whist", "limit=0", "limit=101", "cursor=x", "page=2", "mine="):
        problem = refused(other.get(f"/games?{query}"), 400, "invalid")
        assert list(problem["errors"]) == [query.split("=")[0]]


def test_pages_of_the_lobby_miss_and_repeat_nothing_while_games_come_and_go() -> None:
    creator = Someone()
    made = [creator.create()["id"] for _ in range(7)]
    seen: list[str] = []
    path = "/games?limit=2"
    while path:
        answer = good(creator.get(path))
        seen += [game["id"] for game in answer["results"]]
        creator.create()
        path = (answer["next"] or "").removeprefix("http://testserver/api/v1")
    assert seen == made[::-1]
