"""A moderator acts while others do: one of them comes first, and nothing is half done."""

import random
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from callbreak_site.errors import Code
from games.models import Event, Game
from games.rules.cards import members
from games.rules.view import view
from games.selectors.replay import differences
from games.services.actors import Person
from games.services.table import play_card, resign_seat
from players.models import Audit, Player
from tests.admin.desks import administrator, browser, moderator, page, person, said
from tests.games.tables import four_at_a_table, play_on
from tests.games.threads import race

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 6


@pytest.fixture(autouse=True)
def connections_end() -> Iterator[None]:
    """Close what a test opened."""
    yield
    connection.close()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_game_is_voided_before_or_after_a_move_never_within(seed: int) -> None:
    client = browser(moderator())
    table, players = four_at_a_table()
    table = play_on(table, random.Random(seed), acts=4 + 11)
    assert table.state is not None and table.state.turn is not None
    mover = Person(table.seats[table.state.turn].player_id)
    card = members(view(table.state, table.state.turn).legal_plays or 0)[0]
    voided, moved, resigned = race(
        lambda: client.post(page("game", table.id, "void"), {"reason": "A race."}, follow=True),
        lambda: play_card(game_id=table.id, by=mover, card=card),
        lambda: resign_seat(game_id=table.id, player_id=next(p.id for p in players if p.id != mover.player_id)),
    )
    assert said(voided) == ["The game is void."]
    assert moved is Code.GAME_NOT_ACTIVE or moved.status == "active"
    assert resigned is Code.GAME_NOT_ACTIVE or resigned.status == "active"
    game = Game.objects.get()
    assert (game.status, game.turn_seat, Audit.objects.count()) == ("void", None, 1)
    assert Event.objects.get(version=game.version).type == "game.voided"
    assert differences(game.id) == []


def test_two_moderators_void_a_game_once() -> None:
    table, _ = four_at_a_table()
    mo, moe = browser(moderator("mo")), browser(moderator("moe"))
    url = page("game", table.id, "void")
    answers = race(
        *(lambda client=client: client.post(url, {"reason": "Both saw it."}, follow=True) for client in (mo, moe))
    )
    told = sorted(said(answer)[0] for answer in answers)
    assert told == ["Nothing was changed. The game is void already.", "The game is void."]
    assert Audit.objects.count() == 1 and Event.objects.filter(type="game.voided").count() == 1


def test_nobody_is_both_suspended_and_staff() -> None:
    chief, judge, asha = browser(administrator()), browser(moderator()), person("asha")
    for _ in range(ROUNDS):
        Player.objects.filter(pk=asha.pk).update(is_staff=False, suspended_at=None)
        before = Audit.objects.count()
        race(
            lambda: judge.post(page("player", asha.pk, "suspend"), {"reason": "A race."}),
            lambda: chief.post(page("player", asha.pk, "staff"), {"reason": "A race.", "is_staff": "on"}),
        )
        asha.refresh_from_db()
        assert asha.is_staff != (asha.suspended_at is not None)
        assert Audit.objects.count() == before + 1


def test_a_game_that_others_hold_for_long_is_told_to_be_busy() -> None:
    client = browser(moderator())
    table, _ = four_at_a_table()
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=table.id)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(void_elsewhere, client, table.id).result()
    assert said(answer) == ["Nothing was changed: others are busy with this. Try again in a moment."]
    assert Game.objects.get(pk=uuid.UUID(table.id)).status == "active" and not Audit.objects.exists()


def void_elsewhere(client, game_id: str):
    """Void on a connection of its own."""
    try:
        return client.post(page("game", game_id, "void"), {"reason": "It is stuck."}, follow=True)
    finally:
        connection.close()
