"""What a moderator does to a game is told to its players and written down."""

import random

import pytest

from callbreak_site.errors import Code, ServiceError
from games.presenters.state import game_state
from games.selectors.replay import differences
from games.services.moderation import void_game
from players.models import Audit
from tests.admin.desks import moderator
from tests.games.tables import act, four_at_a_table, play_on

pytestmark = pytest.mark.django_db


def test_a_void_game_has_no_turn_and_no_result_and_says_why() -> None:
    table, players = four_at_a_table()
    table = play_on(table, random.Random(1), acts=70)
    judge = moderator()
    table = void_game(game_id=table.id, moderator_id=judge.id, reason="Two seats were one person.")
    shown = game_state(table, players[0].id)
    assert (shown["status"], shown["turn"], shown["round"], shown["result"]) == ("void", None, None, None)
    assert shown["you"]["hand"] == [] and shown["void_reason"] == "Two seats were one person."
    assert differences(table.id) == []
    row = Audit.objects.get()
    assert (row.actor_id, row.subject_id.hex, row.before, row.after) == (
        judge.id,
        table.id,
        {"status": "active"},
        {"status": "void"},
    )


def test_a_game_is_voided_once_and_then_nobody_plays_in_it() -> None:
    table, _ = four_at_a_table()
    judge = moderator()
    before = table
    void_game(game_id=table.id, moderator_id=judge.id, reason="A test of the rules.")
    with pytest.raises(ServiceError) as refusal:
        void_game(game_id=table.id, moderator_id=judge.id, reason="Again.")
    assert refusal.value.code is Code.GAME_NOT_ACTIVE and Audit.objects.count() == 1
    with pytest.raises(ServiceError) as refusal:
        act(before, random.Random(1))
    assert refusal.value.code is Code.GAME_NOT_ACTIVE
