"""An id of somebody else's opens nothing, wherever it is put."""

from typing import Any

import pytest

from games.models import Event, Game
from players.models import Token
from tests.games.api.tables import Someone, four, good, play_on, refused

pytestmark = pytest.mark.django_db


def rows() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Game, Event)]


def test_no_operation_on_a_private_game_of_others_works_with_ones_own_rights_elsewhere() -> None:
    theirs, _ = four(visibility="private")
    mine, people = four(visibility="private")
    play_on(mine, people, acts=5)
    me = people[people[0].state(mine)["turn"]["seat"]]
    card = me.state(mine)["you"]["legal_plays"][0]
    invite = me.state(mine)["invite"]
    before = rows()
    for method, path, body in (
        ("GET", f"?invite={invite}", None),
        ("GET", f"/events?invite={invite}", None),
        ("GET", "/rounds/1", None),
        ("GET", "/rounds/1/proof", None),
        ("GET", f"/fairness?invite={invite}", None),
        ("GET", "/export", None),
        ("POST", "/plays", {"card": card}),
        ("POST", "/bids", {"bid": 3}),
        ("POST", "/seats", {"invite": invite}),
        ("POST", "/bots", {"level": "easy"}),
        ("POST", "/start", {}),
        ("POST", "/resign", {}),
        ("POST", "/rematch", {}),
        ("PUT", "/finish-vote", {}),
        ("DELETE", "/finish-vote", None),
        ("DELETE", "/seats/me", None),
        ("DELETE", "/seats/1", None),
        ("DELETE", "", None),
    ):
        refused(me.send(method, f"/games/{theirs}{path}", body), 404, "not_found")
    assert rows() == before


def test_an_invite_opens_its_own_game_alone() -> None:
    first, second = Someone().create(visibility="private"), Someone().create(visibility="private")
    guest = Someone()
    refused(guest.post(f"/games/{first['id']}/seats", {"invite": second["invite"]}), 404, "not_found")
    refused(guest.get(f"/games/{first['id']}?invite={second['invite']}"), 404, "not_found")
    good(guest.post(f"/games/{first['id']}/seats", {"invite": first["invite"]}))


def test_a_token_of_somebody_else_is_not_there_to_be_revoked() -> None:
    owner, thief = Someone(), Someone()
    [token] = good(owner.get("/tokens"))["results"]
    refused(thief.delete(f"/tokens/{token['id']}"), 404, "not_found")
    assert Token.objects.filter(id=token["id"]).exists()


def test_a_cursor_from_somebody_elses_list_shows_ones_own_rows() -> None:
    owner, thief = Someone(), Someone()
    made = [owner.create(visibility="private")["id"] for _ in range(3)]
    onward = good(owner.get("/games?mine=true&limit=1"))["next"].removeprefix("http://testserver/api/v1")
    assert good(thief.get(onward))["results"] == []
    assert [game["id"] for game in good(owner.get(onward))["results"]] == made[1:2]


def test_a_token_bound_to_a_game_plays_there_and_nowhere_else() -> None:
    mine, people = four()
    other, _ = four()
    body = {"name": "bound", "scopes": ["games:read", "games:play"], "game": mine}
    bound = Someone(player=people[0].player)
    bound.token = good(people[0].post("/tokens", body), 201)["token"]
    assert bound.state(mine.upper())["you"]["seat"] == 0
    for path in (f"/games/{other}", "/games", "/me/turns", "/me"):
        refused(bound.get(path), 403, "missing_scope")
    refused(bound.post("/games", {"ruleset": "lite"}), 403, "missing_scope")
