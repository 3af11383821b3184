"""What is refused, by which name, and what is refused first when several things are wrong."""

from typing import Any

import pytest

from games.models import Game
from games.presenters.table import Table
from games.rules.cards import FULL_PACK, names
from games.rules.state import Phase
from games.rules.view import view
from games.services.actors import Person
from games.services.table import place_bid, play_card
from tests.games.api.tables import Someone, four, good, play_on, refused
from tests.games.tables import four_at_a_table, reread

pytestmark = pytest.mark.django_db
NOWHERE = "f" * 32


@pytest.fixture
def bidding() -> tuple[str, list[Someone]]:
    """A game of four people in which nobody has bid; the dealer's right is on turn."""
    return four()


def on_turn(game_id: str, people: list[Someone], steps: int = 0) -> Someone:
    """Return the person on turn, or *steps* seats after."""
    return people[(people[0].state(game_id)["turn"]["seat"] + steps) % 4]


def test_a_bid_out_of_range_is_told_the_legal_ones(bidding: tuple[str, list[Someone]]) -> None:
    game_id, people = bidding
    bidder = on_turn(game_id, people)
    for bid in (0, 14, -1, 10**30, -(10**30), int("9" * 4000)):
        problem = refused(bidder.post(f"/games/{game_id}/bids", {"bid": bid}), 422, "illegal_bid")
        assert problem["legal_bids"] == list(range(1, 14))


@pytest.mark.parametrize("bid", [b"3.0", b"1e0", b'"3"', b"true", b"null", b"[3]", b"{}", "٣".encode(), b"03", b"0x3"])
def test_anything_but_a_json_integer_is_no_bid(bidding: tuple[str, list[Someone]], bid: bytes) -> None:
    game_id, people = bidding
    problem = refused(on_turn(game_id, people).post(f"/games/{game_id}/bids", b'{"bid": %s}' % bid), 400, "invalid")
    assert set(problem["errors"]) <= {"bid", "body"} and problem["errors"]


@pytest.mark.parametrize(
    "card",
    ["as", "aS", "As", "10S", "1S", "SA", "ZZ", "A", "AS ", " AS", "A♠", "ＡS", "", 51, 0, True, None, ["AS"], {}],
)
def test_a_card_is_two_characters_or_none_at_all(bidding: tuple[str, list[Someone]], card: Any) -> None:
    game_id, people = bidding
    problem = refused(people[0].post(f"/games/{game_id}/plays", {"card": card}), 400, "invalid")
    assert list(problem["errors"]) == ["card"]


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b"3", b'"x"', b"null", b'{"bid": 3', b'{"bid": 3, "bid": 3}', b"\xff", b'{"bid": NaN}']
)
def test_a_body_must_be_an_object_with_its_field_once(bidding: tuple[str, list[Someone]], body: bytes) -> None:
    game_id, people = bidding
    assert refused(on_turn(game_id, people).post(f"/games/{game_id}/bids", body), 400, "invalid")["errors"]


def test_a_card_that_is_not_held_and_one_against_the_rules_are_told_apart() -> None:
    game_id, people = four()
    state = play_on(game_id, people, acts=5)
    player = on_turn(game_id, people)
    you = player.state(game_id)["you"]
    stranger = next(card for card in names(FULL_PACK) if card not in you["hand"])
    problem = refused(player.post(f"/games/{game_id}/plays", {"card": stranger}), 422, "card_not_held")
    assert problem["legal_plays"] == you["legal_plays"]
    table, seat = one_with_an_illegal_card()
    you = Someone(player=seat).state(table.id)["you"]
    illegal = next(card for card in you["hand"] if card not in you["legal_plays"])
    problem = refused(Someone(player=seat).post(f"/games/{table.id}/plays", {"card": illegal}), 422, "illegal_play")
    assert problem["legal_plays"] == you["legal_plays"] and problem["detail"].startswith("You ")
    assert player.state(game_id)["version"] == state["version"]


def one_with_an_illegal_card() -> tuple[Table, Any]:
    """Play by lowest card until somebody on turn holds a card against the rules."""
    table, players = four_at_a_table()
    by_id = {player.id: player for player in players}
    while True:
        assert table.state is not None and table.state.turn is not None
        seat = table.seats[table.state.turn]
        assert seat is not None and seat.player_id is not None
        seen = view(table.state, table.state.turn)
        if table.state.phase is Phase.PLAY and seen.legal_plays != seen.hand:
            return table, by_id[seat.player_id]
        acts: dict[str, Any] = {"game_id": table.id, "by": Person(seat.player_id)}
        if table.state.phase is Phase.BID:
            table = place_bid(bid=2, **acts)
        else:
            table = play_card(card=(seen.legal_plays or 0).bit_length() - 1, **acts)


def test_a_bid_when_a_play_is_due_and_the_reverse_come_at_the_wrong_time() -> None:
    game_id, people = four()
    refused(on_turn(game_id, people).post(f"/games/{game_id}/plays", {"card": "AS"}), 409, "wrong_phase")
    play_on(game_id, people, acts=5)
    refused(on_turn(game_id, people).post(f"/games/{game_id}/bids", {"bid": 13}), 409, "wrong_phase")


def test_checks_come_in_the_order_of_the_contract() -> None:
    """Each step of the ladder mends one thing, and the next one is refused."""
    game_id, people = four(visibility="private")
    state = people[0].state(game_id)
    player = on_turn(game_id, people, 1)
    bids, plays = f"/games/{game_id}/bids", f"/games/{game_id}/plays"
    stale = state["version"] - 1
    stranger = Someone()
    narrow = Someone()
    narrow.token = narrow_token(narrow, ["games:read"])
    refused(nobody().post(bids, {"bid": "x"}), 401, "not_authenticated")
    refused(narrow.post(bids, {"bid": "x"}), 403, "missing_scope")
    refused(stranger.post(bids, {"bid": "x"}), 404, "not_found")
    refused(player.post(bids, {"bid": "x", "expected_version": stale}), 400, "invalid")
    refused(player.post(plays, {"card": "AS", "expected_version": stale}), 409, "version_conflict")
    refused(player.post(plays, {"card": "AS"}), 409, "wrong_phase")
    refused(player.post(bids, {"bid": 14}), 409, "not_your_turn")
    act_of_everybody_before(game_id, people, player)
    refused(player.post(bids, {"bid": 14}), 422, "illegal_bid")


def act_of_everybody_before(game_id: str, people: list[Someone], player: Someone) -> None:
    while on_turn(game_id, people) is not player:
        good(on_turn(game_id, people).post(f"/games/{game_id}/bids", {"bid": 3}))


def narrow_token(someone: Someone, scopes: list[str], **fields: Any) -> str:
    """Make a token of fewer scopes."""
    return str(good(someone.post("/tokens", {"name": "narrow", "scopes": scopes, **fields}), 201)["token"])


def test_a_game_that_is_over_is_refused_after_the_seat_and_before_the_version() -> None:
    game_id, people = four(options={"rounds": 1})
    version = play_on(game_id, people)["version"]
    for path, body in (("bids", {"bid": 1}), ("plays", {"card": "AS"}), ("resign", {})):
        stale = {**body, "expected_version": version - 1}
        refused(Someone().post(f"/games/{game_id}/{path}", stale), 403, "not_seated")
        unlike = {**stale, "card": "2C"} if path == "plays" else stale
        if people[0].state(game_id)["round"]["last_trick"]["plays"][0]["card"] != "2C":
            refused(people[0].post(f"/games/{game_id}/{path}", unlike), 409, "game_not_active")
    refused(people[0].put(f"/games/{game_id}/finish-vote", {"expected_version": 1}), 409, "game_not_active")


def test_an_open_game_is_not_active() -> None:
    creator = Someone()
    game_id = creator.create()["id"]
    refused(creator.post(f"/games/{game_id}/bids", {"bid": 3}), 409, "game_not_active")
    refused(creator.post(f"/games/{game_id}/resign", {}), 409, "game_not_active")
    refused(creator.post(f"/games/{game_id}/rematch", {}), 409, "game_not_finished")
    refused(creator.get(f"/games/{game_id}/export"), 409, "game_not_finished")
    refused(creator.get(f"/games/{game_id}/rounds/1"), 404, "not_found")
    refused(creator.get(f"/games/{game_id}/rounds/1/proof"), 404, "not_found")
    refused(creator.get(f"/games/{game_id}/rounds/0"), 404, "not_found")


def test_a_spectator_may_look_but_not_act() -> None:
    game_id, _ = four()
    spectator = Someone()
    assert spectator.state(game_id)["you"] is None
    for method, path, body in (
        ("POST", "bids", {"bid": 3}),
        ("POST", "plays", {"card": "AS"}),
        ("POST", "resign", {}),
        ("PUT", "finish-vote", {}),
        ("DELETE", "finish-vote", None),
        ("DELETE", "seats/me", None),
        ("POST", "rematch", {}),
    ):
        refused(spectator.send(method, f"/games/{game_id}/{path}", body), 403, "not_seated")
    for method, path in (("POST", "start"), ("DELETE", "seats/1"), ("DELETE", "")):
        refused(spectator.send(method, f"/games/{game_id}/{path}".rstrip("/")), 403, "not_creator")


def test_a_removed_player_is_not_seated() -> None:
    table, players = four_at_a_table()
    leaver = Someone(player=players[1])
    good(leaver.post(f"/games/{table.id}/resign"))
    version = reread(table).version
    for path, body in (("bids", {"bid": 3}), ("plays", {"card": "AS"}), ("resign", {})):
        refused(leaver.post(f"/games/{table.id}/{path}", body), 403, "not_seated")
    assert reread(table).version == version


def test_an_id_that_is_none_is_not_found_and_either_case_is_read() -> None:
    game_id, people = four()
    for wrong in (
        NOWHERE,
        "x",
        game_id[:-1],
        game_id + "0",
        f"{game_id[:8]}-{game_id[9:]}",
        "g" * 32,
        "1_" * 16,
        "%20",
    ):
        refused(people[0].get(f"/games/{wrong}"), 404, "not_found")
        refused(people[0].post(f"/games/{wrong}/bids", {"bid": "x"}), 404, "not_found")
        refused(nobody().get(f"/games/{wrong}"), 401, "not_authenticated")
    assert people[0].state(game_id.upper())["id"] == game_id
    for wrong in ("01", "-1", "x", "99", "99999999999999999999", "1.0", "+1", "１"):
        refused(people[0].get(f"/games/{game_id}/rounds/{wrong}"), 404, "not_found")
        refused(people[0].get(f"/games/{game_id}/rounds/{wrong}/proof"), 404, "not_found")


def nobody() -> Someone:
    stranger = Someone()
    stranger.token = None
    return stranger


@pytest.mark.parametrize(
    "query", ["after=x", "after=-1", "after=1.0", "limit=0", "limit=101", "since=3", "after=1&after=2"]
)
def test_a_query_that_is_wrong_is_told_so_only_to_who_may_see_the_game(query: str) -> None:
    game_id, people = four(visibility="private")
    refused(people[0].get(f"/games/{game_id}/events?{query}"), 400, "invalid")
    refused(Someone().get(f"/games/{game_id}/events?{query}"), 404, "not_found")
    refused(nobody().get(f"/games/{game_id}/events?{query}"), 401, "not_authenticated")


def test_a_turn_that_has_run_out_is_a_bots() -> None:
    table, players = four_at_a_table()
    someone = next(Someone(player=player) for player in players if table.seat_of(player.id) == table.state.turn)
    run_out(table.id)
    refused(someone.post(f"/games/{table.id}/bids", {"bid": 3}), 409, "not_your_turn")
    state = someone.state(table.id)
    assert state["turn"]["seconds_left"] == 0
    assert good(someone.get("/me/turns"))["count"] == 1


def run_out(game_id: str) -> None:
    """Put the end of a game's turn well into the past."""
    game = Game.objects.get(id=game_id)
    Game.objects.filter(id=game_id).update(turn_ends_at=game.created_at.replace(year=2020))


def test_of_two_people_only_the_one_on_turn_gets_through() -> None:
    game_id, people = four()
    for steps in (1, 2, 3):
        refused(on_turn(game_id, people, steps).post(f"/games/{game_id}/bids", {"bid": 3}), 409, "not_your_turn")
    good(on_turn(game_id, people).post(f"/games/{game_id}/bids", {"bid": 3}))


def test_a_player_who_is_not_there_comes_before_a_query_that_is_wrong() -> None:
    someone = Someone()
    for page in ("games", "stats"):
        refused(someone.get(f"/players/nobody-there/{page}?limit=x"), 404, "not_found")
        refused(someone.get(f"/players/{someone.name}/{page}?limit=x"), 400, "invalid")
