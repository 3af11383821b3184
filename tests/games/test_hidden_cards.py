"""Nobody learns a card too early: every answer is searched, and redealing what is hidden changes no byte of any."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.models import DealSecrets, Event, Game
from games.presenters.table import Table
from games.rules.cards import members, name, names
from games.rules.ruleset import Ruleset
from games.rules.shuffle import split
from players.models import Player
from players.services.tokens import issue_token
from tests.contract import Api
from tests.games.redealing import redealt
from tests.games.tables import act, four_at_a_table, person, reread, ruleset

pytestmark = pytest.mark.django_db

CARD = re.compile(r"(?<![0-9A-Za-z_-])([2-9TJQKA][CDHS])(?![0-9A-Za-z_-])")
PATHS = ["", "/events?after=0&limit=100", "/fairness", "/rounds/0/proof"]


@pytest.fixture(autouse=True)
def no_limits(settings) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "")


def viewers(players: list[Player]) -> dict[str, Api]:
    """Return clients for the four players by name, for a spectator with an account and for a stranger."""
    clients = {player.username: Api(issue_token(player_id=player.id, name="test")) for player in players}
    return clients | {"spectator": Api(issue_token(player_id=person().id, name="test")), "stranger": Api()}


def answers(client: Api, table: Table) -> Iterator[tuple[str, Any]]:
    """Yield everything about a game that this viewer can ask for."""
    numbers = range(1, table.state.round_number + 2)
    rounds = [f"/rounds/{number}{proof}" for number in numbers for proof in ("", "/proof")]
    for path in [f"/games/{table.id}{end}" for end in [*PATHS, *rounds, "/export"]]:
        yield path, client.get(path)
    if client.token:
        for path in ("/me/turns", "/games?mine=true", "/games?status=active", "/me"):
            yield path, client.get(path)


def known(table: Table, seat: int | None) -> set[str]:
    """Return the cards of the running round that *seat* may know: its own, and those that were played."""
    hands = table.state.hands
    seen = sum(hand.dealt & ~hand.held for hand in hands) | (hands[seat].dealt if seat is not None else 0)
    return set(names(seen))


@pytest.mark.parametrize(
    "rules",
    [ruleset("call-break-2", rounds=2), ruleset("lite", rounds=2, redeal_no_spade=True), ruleset("master", rounds=2)],
    ids=lambda rules: rules.name,
)
def test_no_answer_tells_a_card_or_a_secret_too_early(rules: Ruleset) -> None:
    rng = random.Random(1)
    table, players = four_at_a_table(rules)
    clients = viewers(players)
    searched = 0
    while table.status == "active":
        if rng.random() < 0.05:
            for viewer, client in clients.items():
                player_id = next((player.id for player in players if player.username == viewer), None)
                allowed = known(table, table.seat_of(player_id))
                for path, answer in answers(client, table):
                    _search(table, viewer, path, answer, allowed)
                    searched += 1
        table = act(table, rng)
    assert searched > 150


def _search(table: Table, viewer: str, path: str, answer: Any, allowed: set[str]) -> None:
    head = "\n".join(f"{header}: {value}" for header, value in answer.headers.items())
    text = head + answer.content.decode()
    secrets = split(bytes(DealSecrets.objects.get(game_id=table.id).secrets))
    for number in range(table.state.round_number, len(secrets)):
        assert secrets[number].hex() not in text.lower(), f"{viewer} reads the secret of round {number} at {path}"
    assert answer.status_code in (200, 401, 404, 409), path
    if answer.status_code != 200 or "/rounds/0/" in path:
        return  # the draw is shown to all
    body = answer.json()
    if path.endswith("limit=100"):
        body = [event for event in body["results"] if event["data"].get("round") == table.state.round_number]
        allowed = allowed | _dealt_before(table, viewer)
    elif "/rounds/" in path and f"/rounds/{table.state.round_number}" not in path:
        return  # a round that is over is shown to all
    elif path == f"/games/{table.id}":
        allowed = allowed | _shown_of_the_past(body)
    told = {card for value in _texts(body) for card in CARD.findall(value)}
    drawn = {seat.drawn_card for seat in table.seats}
    assert told - drawn <= allowed, f"{viewer} learns {sorted(told - drawn - allowed)} at {path}"


def _dealt_before(table: Table, viewer: str) -> set[str]:
    """Return the cards that a player held in this round before it was dealt again."""
    seat = next((seat.number for seat in table.seats if seat and seat.username == viewer), None)
    dealt = Event.objects.filter(game=table.id, type="round.dealt", public__round=table.state.round_number)
    return {card for event in dealt for card in event.private.get(str(seat), {"hand": []})["hand"]}


def _shown_of_the_past(state: dict[str, Any]) -> set[str]:
    last = state["round"]["last_trick"]
    return {play["card"] for play in last["plays"]} if last else set()


def _texts(value: Any) -> Iterator[str]:
    """Yield every key and every value as text, but for the random texts of ids and invites."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in ("invite", "id", "url", "next", "commitment", "commitments", "seat_seeds", "player"):
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif value is not None:
        yield str(value)


def test_redealing_what_is_hidden_changes_no_byte_of_any_answer() -> None:
    rng = random.Random(2)
    pairs = 0
    for rules in (ruleset("lite", rounds=2), ruleset("call-break-2", rounds=1), ruleset("master", rounds=2)):
        table, players = four_at_a_table(rules)
        clients = viewers(players)
        while table.status == "active":
            if rng.random() < 0.02:
                for player in players:
                    pairs += _compare_worlds(table, clients[player.username], table.seat_of(player.id), rng)
                pairs += _compare_worlds(table, clients["spectator"], None, rng)
                pairs += _compare_worlds(table, clients["stranger"], None, rng)
            table = act(table, rng)
    assert pairs > 150


def _compare_worlds(table: Table, client: Api, seat: int | None, rng: random.Random) -> int:
    """Compare the answers to one viewer before and after the cards that are hidden from that seat are dealt anew."""
    before = [(path, _bytes(answer)) for path, answer in answers(client, table)]
    with redealt(table, seat, rng):
        after = [(path, _bytes(answer)) for path, answer in answers(client, table)]
    assert before == after
    return len(before)


def _bytes(answer: Any) -> tuple[Any, ...]:
    # The time that is left runs on between two answers: it is the clock's, not the cards'.
    body = re.sub(rb'"seconds_left":\d+', b'"seconds_left":0', answer.content)
    headers = {header: value for header, value in answer.headers.items() if header != "X-Request-ID"}
    return answer.status_code, body, len(body), headers


def test_the_search_finds_a_planted_card() -> None:
    table, players = four_at_a_table()
    client = viewers(players)["spectator"]
    hidden = members(table.state.hands[0].held)[0]
    Game.objects.filter(id=table.id).update(trick_cards=[name(hidden)])
    with pytest.raises(AssertionError, match="learns"):
        for path, answer in answers(client, table):
            _search(table, "spectator", path, answer, known(table, None))
    assert reread(table).version == table.version
