"""Whoever reads a game reads the same before and after it is packed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from games.models import Archive, Event, Game, Play, Round, Trick
from games.presenters.table import Table
from games.services.archiving import archive_game
from players.models import Player
from players.services.tokens import issue_token
from tests.admin.desks import browser, moderator, page
from tests.contract import Api
from tests.games.ended import ENDINGS, eventful, void_in_a_round
from tests.games.tables import person
from tests.games.test_hidden_cards import CARD

pytestmark = pytest.mark.django_db

AT_ONCE = timedelta(0)


@pytest.fixture(autouse=True)
def no_limits(settings) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "")


def viewers(players: list[Player]) -> dict[str, Api]:
    """Return clients for the players, for a spectator with an account and for a stranger."""
    named = {f"player {number}": player for number, player in enumerate(players)} | {"spectator": person()}
    return {name: Api(issue_token(player_id=who.id, name="test")) for name, who in named.items()} | {"stranger": Api()}


def answers(table: Table, clients: dict[str, Api]) -> Iterator[tuple[Any, ...]]:
    """Yield every answer about a game, byte by byte, that anybody can get."""
    for viewer, client in clients.items():
        for path in paths(table):
            answer = client.get(path)
            headers = {header: value for header, value in answer.headers.items() if header != "X-Request-ID"}
            yield viewer, path, answer.status_code, answer.content, headers


def paths(table: Table) -> list[str]:
    """Return all that can be asked of a game."""
    last = table.version
    pages = [(after, 100) for after in range(0, last + 1, 100)]
    pages += [(after, 7) for after in (1, last // 2, last - 7, last - 1, last, last + 9)]
    of_events = [f"/events?after={after}&limit={limit}" for after, limit in pages]
    rounds = range((table.state.round_number if table.state else 0) + 2)
    of_rounds = [f"/rounds/{number}{end}" for number in rounds for end in ("", "/proof")]
    own = ["", "/fairness", "/export", "/export?format=text", *of_events, *of_rounds]
    return [f"/games/{table.id}{end}" for end in own] + ["/games?mine=true", "/me/turns"]


def pack(table: Table) -> None:
    """Pack a game, and make sure that its rows are gone."""
    assert archive_game(game_id=table.id, over_for=AT_ONCE) is True
    assert Archive.objects.filter(game=table.id).exists() and Game.objects.get(id=table.id).is_archived
    rounds = Round.objects.filter(game=table.id)
    left = (
        Event.objects.filter(game=table.id),
        Trick.objects.filter(round__in=rounds),
        Play.objects.filter(round__in=rounds),
    )
    assert [rows.count() for rows in left] == [0, 0, 0]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_answer_is_the_same_byte_by_byte_before_and_after_packing(ending: str) -> None:
    table, players = ENDINGS[ending]()
    clients = viewers(players if ending.startswith("void") else players[:1])
    before = list(answers(table, clients))
    assert sum(status == 200 for _, _, status, _, _ in before) > 20
    pack(table)
    for was, is_now in zip(before, answers(table, clients), strict=True):
        assert is_now == was


@pytest.mark.parametrize("ending", ["eventful", "dealt_again", "void_in_a_round", "cancelled_by_all"])
def test_the_desk_reads_the_same_record(ending: str) -> None:
    table, _ = ENDINGS[ending]()
    Game.objects.filter(id=table.id).update(visibility="public")
    reader = moderator("reader")
    before = record_pages(table, reader)
    pack(table)
    assert record_pages(table, reader) == before


def record_pages(table: Table, reader: Player) -> list[dict[str, Any]]:
    """Return what the desk shows of a game, chapter by chapter, as its page gets it."""
    desk = browser(reader)
    shown = []
    for number in range((table.state.round_number if table.state else 0) + 2):
        for first in ("", table.version // 2):
            answer = desk.get(page("game", table.id), {"round": number, "from": first})
            assert answer.status_code == 200
            known = {name: answer.context[name] for name in ("chapter", "chapters", "events", "next_version", "round")}
            shown.append(known | {"state": answer.context["state"]})
    return shown


def test_a_closed_account_leaves_no_name_in_an_archive() -> None:
    table, players = eventful()
    clients = viewers(players)
    pack(table)
    names = [player.username for player in players]
    for number, player in enumerate(players):
        Player.objects.filter(id=player.id).update(username=f"closed-{number}")
    told = b"".join(content for _, _, status, content, _ in answers(table, clients) if status == 200).decode()
    assert "closed-1" in told and not [name for name in names if name in told]


def test_what_a_void_round_hid_stays_hidden_in_its_archive() -> None:
    table, players = void_in_a_round()
    clients = viewers(players)
    number = table.version and Round.objects.get(game=table.id, finished_at=None).number
    hands = [hand["hand"] for hand in _dealt(table, number).values()]
    played = {
        event.public["card"] for event in Event.objects.filter(game=table.id, public__round=number, type="card.played")
    }
    pack(table)
    for seat, (viewer, client) in enumerate(clients.items()):
        own = set(hands[table.seat_of(players[seat].id)]) if seat < 4 else set()
        told = client.get(f"/games/{table.id}/rounds/{number}").content.decode()
        for after in range(0, table.version, 100):
            events = client.get(f"/games/{table.id}/events?after={after}&limit=100").json()["results"]
            told += " ".join(str(event) for event in events if event["data"].get("round") == number)
        assert played <= set(CARD.findall(told)) <= played | own, viewer


def _dealt(table: Table, number: int) -> dict[str, Any]:
    return Event.objects.get(game=table.id, type="round.dealt", public__round=number).private
