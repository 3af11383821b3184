"""What can be read: the state with its tag, events, rounds, proofs, lists, turns and what came of it all."""

import re
import time
from typing import Any

import pytest

from games.models import Game
from games.rules.proof import wrong_in_proof
from games.rules.record import read, write
from games.services.lobby import cancel_game
from games.services.table import expire_turn, resign_seat
from tests.games.api.tables import Someone, alone, bots_act, four, good, play_on, refused

pytestmark = pytest.mark.django_db
BASE = "http://testserver/api/v1"


def nobody() -> Someone:
    stranger = Someone()
    stranger.token = None
    return stranger


def every_page(someone: Someone, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while path:
        answer = good(someone.get(path))
        assert answer["results"] or not answer["next"]
        found += answer["results"]
        path = (answer["next"] or "").removeprefix(BASE)
    return found


def test_a_tag_names_what_one_viewer_sees_and_spares_sending_it_again() -> None:
    game_id, people = four()
    path = f"/games/{game_id}"
    first = people[0].get(path)
    tag = first.headers["ETag"]
    assert re.fullmatch(r'W/"[0-9a-f]{32}"', tag) and first.headers["Cache-Control"] == "private, no-store"
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', f'W/"x" , {tag},"y"', "*"):
        answer = people[0].get(path, If_None_Match=known)
        assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", tag)
        assert "Content-Length" not in answer.headers
    for unknown in ('"other"', tag[:-2] + '"', "", "nonsense", tag.strip('W/"')):
        assert people[0].get(path, If_None_Match=unknown).status_code == 200
    others = [someone.get(path).headers["ETag"] for someone in (*people[1:], Someone(), Someone(), nobody())]
    assert len({tag, *others}) == 7


def test_a_tag_stays_while_only_the_seconds_run_and_changes_with_each_event() -> None:
    game_id, people = four()
    path = f"/games/{game_id}"
    before = people[0].get(path)
    while (again := people[0].get(path)).json()["turn"]["seconds_left"] == before.json()["turn"]["seconds_left"]:
        time.sleep(0.1)
    assert again.headers["ETag"] == before.headers["ETag"]
    play_on(game_id, people, acts=1)
    after = people[0].get(path, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200 and after.headers["ETag"] != before.headers["ETag"]


def test_a_tag_can_only_be_made_with_the_servers_key(settings) -> None:
    """A plain hash would let anybody try out the hands that another viewer may hold."""
    game_id, people = four()
    before = people[0].get(f"/games/{game_id}").headers["ETag"]
    settings.SECRET_KEY = "another" + settings.SECRET_KEY
    assert people[0].get(f"/games/{game_id}").headers["ETag"] != before


def test_events_are_told_after_a_version_in_order_and_without_a_gap() -> None:
    game_id, people = four(ruleset="call-break-2", options={"rounds": 1})
    version = play_on(game_id, people)["version"]
    whole = every_page(people[0], f"/games/{game_id}/events?limit=7")
    assert [event["version"] for event in whole] == list(range(1, version + 1))
    assert good(people[0].get(f"/games/{game_id}/events?after={version}")) == {"results": [], "next": None}
    assert good(people[0].get(f"/games/{game_id}/events?after={10**17}"))["results"] == []
    page = good(people[0].get(f"/games/{game_id}/events?after=3&limit=2"))
    assert [event["version"] for event in page["results"]] == [4, 5]
    assert page["next"] == f"{BASE}/games/{game_id}/events?after=5&limit=2"
    types = [event["type"] for event in whole]
    assert types[:7] == [*["player.joined"] * 4, "game.started", "seats.drawn", "round.dealt"]
    assert types[-2:] == ["round.scored", "game.finished"] and types.count("card.played") == 52


def test_each_viewer_is_told_every_event_and_only_the_own_hand() -> None:
    game_id, people = four()
    told = [every_page(someone, f"/games/{game_id}/events") for someone in (*people, Someone(), nobody())]
    hands = [next(event["data"].get("hand") for event in events if event["type"] == "round.dealt") for events in told]
    for someone, hand in zip(people, hands, strict=False):
        assert hand == someone.state(game_id)["you"]["hand"]
    assert hands[4:] == [None, None]
    public = [[{**event, "data": {**event["data"], "hand": None}} for event in events] for events in told]
    assert all(events == public[0] for events in public)


def test_a_round_shows_other_hands_and_its_secret_only_when_it_is_over() -> None:
    game_id, people = four(options={"rounds": 2})
    play_on(game_id, people, acts=10)
    path = f"/games/{game_id}/rounds/1"
    for someone, seat in [
        *((someone, seat) for seat, someone in enumerate(people)),
        (Someone(), None),
        (nobody(), None),
    ]:
        shown = good(someone.get(path))
        assert [hand["seat"] for hand in shown["hands"] if hand["dealt"]] == ([] if seat is None else [seat])
        assert len(shown["tricks"]) == 2 and shown["tricks"][1]["winner"] is None and not shown["finished"]
        proof = good(someone.get(f"{path}/proof"))
        assert proof["server_seed"] is proof["deck"] is None and len(proof["seat_seeds"]) == 4
    play_on(game_id, people, acts=46)
    shown, proof = good(nobody().get(path)), good(nobody().get(f"{path}/proof"))
    assert shown["finished"] and all(len(hand["dealt"]) == 13 for hand in shown["hands"])
    assert len({card for hand in shown["hands"] for card in hand["dealt"]}) == 52
    dealt = [{*proof["deck"][place::4]} for place in range(4)]
    for place, hand in enumerate(shown["hands"]):
        assert {*hand["dealt"]} == dealt[(place - proof["dealer"] - 1) % 4]
    assert wrong_in_proof(proof) is None
    assert good(people[0].get(f"/games/{game_id}/rounds/2/proof"))["server_seed"] is None


def test_only_what_is_public_and_final_may_be_kept_by_caches() -> None:
    for visibility, final in (("public", "public, max-age=31536000, immutable"), ("unlisted", "private, no-store")):
        game_id, people = four(options={"rounds": 2}, visibility=visibility)
        play_on(game_id, people, acts=56)
        kept = {
            path: people[0].get(f"/games/{game_id}{path}").headers["Cache-Control"]
            for path in ("", "/events", "/fairness", "/rounds/0/proof", "/rounds/1", "/rounds/1/proof", "/rounds/2",
                         "/rounds/2/proof", "/rounds/3", "/export")
        }  # fmt: skip
        lasting = {path for path, header in kept.items() if header == final}
        if visibility == "public":
            assert lasting == {"/rounds/0/proof", "/rounds/1", "/rounds/1/proof"}
        assert set(kept.values()) <= {"private, no-store", final}


def test_commitments_stand_from_the_beginning_and_are_the_same_for_all() -> None:
    creator = Someone()
    game_id = creator.create(ruleset="master")["id"]
    before = good(nobody().get(f"/games/{game_id}/fairness"))
    assert [row["round"] for row in before["commitments"]] == list(range(251)) and before["seat_seeds"] is None
    zero = good(nobody().get(f"/games/{game_id}/rounds/0/proof"))
    assert zero["seat_seeds"] is zero["joined"] is zero["deck"] is zero["server_seed"] is None
    seed = "0123456789abcdef" * 4
    good(Someone().post(f"/games/{game_id}/seats", {"client_seed": seed.upper()}))
    good(creator.post(f"/games/{game_id}/start"))
    after = good(Someone().get(f"/games/{game_id}/fairness"))
    assert after["commitments"] == before["commitments"] and after["seat_seeds"][1] == seed
    assert after["seeded"] == [False, True, False, False]
    zero = good(nobody().get(f"/games/{game_id}/rounds/0/proof"))
    assert wrong_in_proof(zero) is None and zero["joined"] == [0, 1, 2, 3] and zero["dealer"] is None


def test_strangers_read_public_games_and_nothing_else() -> None:
    stranger, readable = nobody(), ("", "/events", "/fairness", "/rounds/1", "/rounds/0/proof", "/rounds/1/proof")
    for visibility, status in (("public", 200), ("unlisted", 401), ("private", 401)):
        game_id, _ = four(visibility=visibility)
        for path in readable:
            assert stranger.get(f"/games/{game_id}{path}").status_code == status
        refused(stranger.get(f"/games/{game_id}/export"), 401, "not_authenticated")
    for path in ("/games", "/rulesets", "/me/turns", "/players/nobody/stats", f"/games/{'0' * 32}", "/games/x/events"):
        refused(stranger.get(path), 401, "not_authenticated")


def test_the_record_is_text_that_can_be_read_back_and_marks_what_a_bot_played_for_a_person() -> None:
    game_id, people = four(ruleset="call-break-2", options={"rounds": 1}, fill_with="easy")
    play_on(game_id, people, acts=6)
    state = people[0].state(game_id)
    Game.objects.filter(id=game_id).update(turn_ends_at=Game.objects.get(id=game_id).created_at.replace(year=2020))
    assert expire_turn(game_id=game_id)
    bots_act(game_id)
    play_on(game_id, people)
    answer = people[0].get(f"/games/{game_id}/export?format=text", Accept="text/plain")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    record = read(answer.content.decode())
    assert write(record) == answer.content.decode()
    assert record.names == tuple(someone.name for someone in people)
    assert record.rounds[0].stand_ins == {6} and state["turn"] is not None
    refused(people[0].get(f"/games/{game_id}/export?format=pdf"), 400, "invalid")
    assert good(people[0].get(f"/games/{game_id}/export?format=json"))["rounds"][0]["finished"]


def test_my_turns_are_the_games_that_wait_for_me_most_urgent_first() -> None:
    someone = Someone()
    rival = Someone()
    waiting = []
    for control in ({"kind": "untimed"}, {"per_turn": 7200}, {"kind": "live"}, {"per_turn": 3600}, {"kind": "untimed"}):
        game_id = someone.create(bots=["easy"] * 3, time_control=control)["id"]
        bots_act(game_id)
        waiting.append(game_id)
    rival.create(bots=["easy"] * 3)
    someone.create()
    untimed = sorted([waiting[0], waiting[4]])
    order = [waiting[2], waiting[3], waiting[1], *untimed]
    answer = good(someone.get("/me/turns"))
    assert [turn["game"] for turn in answer["results"]] == order and answer["count"] == 5 and answer["next"] is None
    first, last = answer["results"][0], answer["results"][-1]
    assert (first["action"], first["url"]) == ("bid", f"{BASE}/games/{waiting[2]}") and first["seconds_left"] <= 30
    assert (last["deadline"], last["seconds_left"]) == (None, None)
    assert good(someone.get(first["url"].removeprefix(BASE)))["turn"]["deadline"] == first["deadline"]
    for limit in (1, 2, 3, 4, 5):
        assert [turn["game"] for turn in every_page(someone, f"/me/turns?limit={limit}")] == order
    assert good(someone.get("/me/turns?limit=2"))["count"] == 5
    good(someone.post(f"/games/{waiting[1]}/bids", {"bid": 3}))
    bots_act(waiting[1])
    good(someone.post(f"/games/{waiting[2]}/resign"))
    assert good(someone.get("/me/turns"))["count"] == 4
    for cursor in ("x", "W10", "WyJ4IiwgIngiXQ", "WyIyMDI2LTAxLTAxIiwgIngiXQ", ""):
        refused(someone.get(f"/me/turns?cursor={cursor}"), 400, "invalid")


def test_statistics_count_the_public_games_that_were_finished() -> None:
    winner_of = {"lite": 2, "master": 1}
    someone = Someone("Otter")
    for ruleset, games in winner_of.items():
        for seed in range(games):
            game_id = someone.create(ruleset=ruleset, options={"rounds": 1}, bots=["easy"] * 3)["id"]
            play_on(game_id, [someone], seed=seed)
    hidden = someone.create(visibility="private", options={"rounds": 1}, bots=["easy"] * 3)["id"]
    play_on(hidden, [someone])
    running = someone.create(bots=["easy"] * 3)["id"]
    left = someone.create(bots=["easy"] * 3)["id"]
    resign_seat(game_id=left, player_id=someone.player.id)
    stats = good(Someone().get("/players/oTTER/stats"))
    assert (stats["player"], stats["games"], stats["rounds"], sum(stats["places"])) == ("Otter", 3, 3, 3)
    rows = {row["ruleset"]: row for row in stats["by_ruleset"]}
    assert {name: row["games"] for name, row in rows.items()} == winner_of
    tenths = [int(row["points"].replace(".", "")) for row in rows.values()]
    assert sum(tenths) == int(stats["points"].replace(".", ""))
    assert stats["bids_made"] == sum(row["bids_made"] for row in rows.values()) <= 3
    listed = [game["id"] for game in good(Someone().get("/players/otter/games"))["results"]]
    assert hidden not in listed and left not in listed and listed[0] == running and len(listed) == 4
    new = good(Someone().get(f"/players/{Someone().name}/stats"))
    assert (new["games"], new["points"], new["by_ruleset"]) == (0, "0.0", [])
    for path in ("stats", "games"):
        refused(someone.get(f"/players/nobody-at-all/{path}"), 404, "not_found")
        refused(someone.get(f"/players/Easy bot/{path}"), 404, "not_found")


def test_a_cancelled_game_has_an_end_but_no_record() -> None:
    creator = Someone()
    game_id = creator.create()["id"]
    cancel_game(game_id=game_id, player_id=creator.player.id)
    refused(creator.get(f"/games/{game_id}/export"), 409, "game_not_finished")
    assert good(creator.get(f"/games/{game_id}/events"))["results"][-1]["data"] == {"reason": "cancelled_by_creator"}


def test_the_rulesets_are_those_of_the_rules_with_every_switch() -> None:
    rows = {row["name"]: row for row in good(Someone().get("/rulesets"))["results"]}
    assert list(rows) == ["call-break-2", "master", "lite"]
    assert rows["master"]["rounds"] is None and rows["master"]["scoring"] == "exact-or-one-over"
    assert rows["call-break-2"]["seating"] == "draw" and rows["lite"]["must_head"] is True


def test_a_forced_card_is_played_by_itself_where_the_table_says_so() -> None:
    game_id, someone = alone(options={"rounds": 1, "forced_cards": "at_once"})
    play_on(game_id, [someone])
    played = [
        event["data"]["by"] for event in every_page(someone, f"/games/{game_id}/events") if "card" in event["data"]
    ]
    assert len(played) == 52 and "rule" in played
