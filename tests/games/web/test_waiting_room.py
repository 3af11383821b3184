"""Before a game starts: making a table, coming in by invite, and who may do what."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.services.lobby import Plan, create_game, start_game, take_seat
from players.models import Player
from tests.games.tables import people, person, reread, ruleset
from tests.games.web.test_first_page import signed_in, text

pytestmark = pytest.mark.django_db
FORM = {"ruleset": "lite", "pace": "days-1", "visibility": "private", "bots": "0", "level": "easy",
        "fill_with": "medium", "forced_cards": "at_once"}  # fmt: skip


def table_of(creator: Player, visibility: str = "private", **plan: object):  # type: ignore[no-untyped-def]
    return create_game(player_id=creator.id, plan=Plan(ruleset("lite"), visibility=visibility, **plan))  # type: ignore[arg-type]


def test_a_table_is_made_by_its_form_with_house_rules() -> None:
    client = signed_in()
    assert "House rules" in text(client.get("/games/new"))
    asked = {**FORM, "bots": "1", "rounds": "3", "must_head": "False", "redeal_no_spade": "True", "scoring": ""}
    answer = client.post("/games/new", asked)
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.id.hex}/"
    rules = {name: game.ruleset[name] for name in ("name", "rounds", "must_head", "redeal_no_spade", "scoring")}
    assert rules == {"name": "lite", "rounds": 3, "must_head": False, "redeal_no_spade": True, "scoring": "overtricks"}
    assert (game.clock_kind, game.per_turn_s, game.visibility, game.fill_with) == (
        "correspondence", 86_400, "private", "medium",
    )  # fmt: skip
    page = text(client.get(answer.headers["Location"]))
    assert f"http://testserver/games/{game.id.hex}/?invite={game.invite}" in page
    assert 'data-feed="yes"' in page


def test_a_table_without_a_fixed_end_is_one_with_no_number_of_rounds() -> None:
    signed_in().post("/games/new", {**FORM, "rounds": "None"})
    assert Game.objects.get().ruleset["rounds"] is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("ruleset", "bridge"), ("rounds", "21"), ("min_bid", "0"), ("pace", "none"), ("visibility", ""), ("bots", "4"),
     ("bots", "9" * 5000), ("level", "god"), ("client_seed", "zz"), ("forced_cards", "masked")],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused_beside_the_field(field: str, value: str) -> None:
    answer = Client().post("/games/new", {**FORM, field: value})
    page = text(answer)
    assert answer.status_code == 400
    assert (f'id="id_{field}_error"' in page) or field == "client_seed"
    assert 'role="alert"' in page
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_a_stranger_with_an_invite_sees_the_private_table_and_joins_it_as_a_guest() -> None:
    table = table_of(person())
    client, path = Client(), f"/games/{table.id}/"
    for closed in (path, f"{path}?invite=wrong", f"{path}?invite={'x' * 5000}", f"/games/{uuid.uuid4().hex}/?invite=x"):
        assert client.get(closed).status_code == 401
        assert client.get(closed.replace("/?", "/deals.json?")).status_code == 401
    page = text(client.get(f"{path}?invite={table.invite}"))
    assert "Join as a guest" in page
    assert len(client.get(f"{path}deals.json?invite={table.invite}").json()["commitments"]) == 6
    joined = client.post(f"{path}join", {"invite": table.invite, "client_seed": "0b" * 32})
    assert joined.headers["Location"] == path
    guest = Player.objects.get(kind="guest")
    seat = Game.objects.get().seats.get(player=guest)
    assert (seat.number, bytes(seat.client_seed)) == (1, bytes([11] * 32))
    assert "Join as a guest" not in text(client.get(path))
    again = client.post(f"{path}join", {"invite": table.invite})
    assert again.headers["Location"] == path
    assert "already" not in text(client.get(path))


def test_an_invite_to_a_table_that_has_started_says_so() -> None:
    creator = person()
    table = table_of(creator)
    start_game(game_id=table.id, player_id=creator.id)
    for client in (Client(), signed_in()):
        page = client.get(f"/games/{table.id}/?invite={table.invite}")
        assert page.status_code in (401, 404)
        assert "the game has started" in text(page)
    public = table_of(creator, "public")
    start_game(game_id=public.id, player_id=creator.id)
    client = Client()
    page = client.post(f"/games/{public.id}/join", {}, follow=True)
    assert "The game has started." in text(page)
    assert not Player.objects.filter(kind="guest").exists()


def test_who_joins_fourth_comes_to_a_running_game() -> None:
    creator = person()
    table = table_of(creator, "public", bots=["easy", "easy"])
    client = signed_in()
    assert "Sit on place 4" in text(client.get(f"/games/{table.id}/"))
    taken = client.post(f"/games/{table.id}/join", {"seat": "0"}, follow=True)
    assert "This place is taken." in text(taken)
    assert client.post(f"/games/{table.id}/join", {"seat": "3"}).status_code == 302
    assert reread(table).status == "active"


@pytest.mark.parametrize("sent", [{"seat": "4"}, {"seat": "-1"}, {"seat": "0" * 5000}, {"client_seed": "00"},
                                  {"invite": "i" * 5000}])  # fmt: skip
def test_a_place_that_cannot_be_is_refused(sent: dict[str, str]) -> None:
    table = table_of(person(), "public")
    page = Client().post(f"/games/{table.id}/join", sent, follow=True)
    assert "Something in the form is not right." in text(page)
    assert Player.objects.count() == 1


def test_only_the_creator_fills_frees_starts_and_cancels() -> None:
    creator, other = people(2)
    table = table_of(creator, "public")
    take_seat(game_id=table.id, player_id=other.id)
    acts = [("fill", {"level": "easy"}), ("free", {"seat": "0"}), ("start", {}), ("cancel", {})]
    client, stranger = signed_in(other), Client()
    page = text(client.get(f"/games/{table.id}/"))
    for act, sent in acts:
        assert f"/games/{table.id}/{act}" not in page
        assert "Only who made the table may do this." in text(
            client.post(f"/games/{table.id}/{act}", sent, follow=True)
        )
        assert "Please sign in first." in text(stranger.post(f"/games/{table.id}/{act}", sent, follow=True))
        assert client.get(f"/games/{table.id}/{act}").status_code == 405
    assert [bool(seat) for seat in reread(table).seats] == [True, True, False, False]


def test_the_creator_fills_frees_and_starts() -> None:
    creator, other = people(2)
    table = table_of(creator, "public")
    take_seat(game_id=table.id, player_id=other.id)
    client, path = signed_in(creator), f"/games/{table.id}"
    page = text(client.get(f"{path}/"))
    assert f"Free the place of {other.username}" in page
    assert client.post(f"{path}/fill", {"level": "easy", "seat": "3"}).headers["Location"] == f"{path}/"
    for sent in ({"level": "god"}, {"level": "easy", "seat": "7"}):
        assert "Something in the form" in text(client.post(f"{path}/fill", sent, follow=True))
    client.post(f"{path}/free", {"seat": "1"})
    assert "Something in the form" in text(client.post(f"{path}/free", {}, follow=True))
    assert [bool(seat) for seat in reread(table).seats] == [True, False, False, True]
    client.post(f"{path}/start")
    started = reread(table)
    assert started.status == "active"
    assert sorted(seat.bot_level or "" for seat in started.seats if seat) == ["", "easy", "medium", "medium"]


def test_who_leaves_or_cancels_goes_to_the_first_page() -> None:
    creator, other = people(2)
    table = table_of(creator)
    take_seat(game_id=table.id, player_id=other.id, invite=table.invite)
    assert "You have left the table." in text(signed_in(other).post(f"/games/{table.id}/leave", follow=True))
    assert "The table is cancelled." in text(signed_in(creator).post(f"/games/{table.id}/cancel", follow=True))
    assert Game.objects.get().status == "cancelled"


def test_the_waiting_room_costs_at_most_four_statements_and_shows_no_invite_to_who_has_none() -> None:
    creator = person()
    table = table_of(creator, "unlisted")
    for client, is_told in ((signed_in(creator), True), (signed_in(), False)):
        client.get("/")  # a session is written down when it begins
        with CaptureQueriesContext(connection) as captured:
            page = text(client.get(f"/games/{table.id}/"))
        assert len(captured) <= 4, [query["sql"] for query in captured]
        assert (table.invite in page) is is_told
