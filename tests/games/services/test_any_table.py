"""Whatever people, bots and the clock do at a table of any rules, it stays sound and somebody can always act."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from callbreak_site.errors import Code, ServiceError
from games.models import Game
from games.presenters.table import Table
from games.rules.cards import FULL_PACK, members
from games.rules.view import view
from games.selectors.replay import differences
from games.services.actors import HouseBot, Person
from games.services.table import expire_turn, place_bid, play_card, resign_seat, vote_to_finish
from tests.games.tables import act, four_at_a_table, play_on, reread
from tests.rules.playing import rulesets

pytestmark = pytest.mark.django_db


class AnyTable(RuleBasedStateMachine):
    """One game; every step goes through the services."""

    table: Table

    @initialize(ruleset=rulesets, seed=st.integers(0, 2**32))
    def sit_down(self, ruleset, seed: int) -> None:
        self.rng = random.Random(seed)
        rounds = ruleset.rounds and min(ruleset.rounds, 2)
        self.table, self.players = four_at_a_table(replace(ruleset, rounds=rounds))

    def is_active(self) -> bool:
        return self.table.status == "active"

    @precondition(is_active)
    @rule(acts=st.integers(1, 40))
    def play_on(self, acts: int) -> None:
        self.table = play_on(self.table, self.rng, acts=acts)

    @precondition(is_active)
    @rule(seat=st.integers(0, 3), card=st.integers(0, 51))
    def try_any_card(self, seat: int, card: int) -> None:
        before, state = self.table, self.table.state
        by = self.person(seat)
        is_legal = by is not None and state.turn == seat and (view(state, seat).legal_plays or 0) >> card & 1
        try:
            self.table = play_card(game_id=before.id, by=by or Person(before.creator_id), card=card)
        except ServiceError:
            self.table = reread(before)
            assert not (is_legal and not before.is_bots_turn)
            assert self.table.version == before.version
        else:
            assert is_legal or self.table.version == before.version

    @precondition(is_active)
    @rule(seat=st.integers(0, 3), bid=st.integers(-1, 15))
    def try_any_bid(self, seat: int, bid: int) -> None:
        before, by = self.table, self.person(seat)
        try:
            self.table = place_bid(game_id=before.id, by=by or Person(before.creator_id), bid=bid)
        except ServiceError:
            self.table = reread(before)
            assert self.table.version == before.version

    @precondition(is_active)
    @rule()
    def miss_the_turn(self) -> None:
        was_bots = self.table.is_bots_turn
        Game.objects.filter(id=self.table.id).update(turn_ends_at=Now() - timedelta(seconds=3))
        assert expire_turn(game_id=self.table.id) is not was_bots
        assert expire_turn(game_id=self.table.id) is False
        self.table = reread(self.table)

    @precondition(is_active)
    @rule(seat=st.integers(0, 3), wants=st.booleans())
    def vote(self, seat: int, wants: bool) -> None:
        player = self.table.seats[seat].player_id
        if player is None:
            return
        try:
            self.table = vote_to_finish(game_id=self.table.id, player_id=player, wants_to_finish=wants)
        except ServiceError as refusal:
            assert refusal.code in (Code.NOT_AVAILABLE, Code.FINISH_AGREED)

    @precondition(is_active)
    @rule(seat=st.integers(0, 3), will=st.integers(0, 4))
    def resign(self, seat: int, will: int) -> None:
        player = self.table.seats[seat].player_id
        if player is not None and will == 0:
            self.table = resign_seat(game_id=self.table.id, player_id=player)

    @rule()
    def look_again(self) -> None:
        """There is something to do when the game is over, too."""
        self.table = reread(self.table)

    def person(self, seat: int) -> Person | None:
        player_id = self.table.seats[seat].player_id
        return Person(player_id) if player_id else None

    @invariant()
    def every_card_is_somewhere_once(self) -> None:
        if not hasattr(self, "table") or not self.is_active():
            return
        hands = self.table.state.hands
        assert sum(hand.dealt for hand in hands) == FULL_PACK
        played = sum(hand.dealt & ~hand.held for hand in hands)
        assert played.bit_count() == 4 * sum(hand.tricks for hand in hands) + len(self.table.state.trick.cards)

    @invariant()
    def somebody_can_act(self) -> None:
        if hasattr(self, "table") and self.is_active():
            state = self.table.state
            seen = view(state, state.turn)
            assert seen.legal_bids or members(seen.legal_plays)
            by_bot = self.table.seats[state.turn].kind == "bot"
            assert self.table.is_bots_turn or not by_bot

    @invariant()
    def the_answer_is_what_the_rows_say(self) -> None:
        if hasattr(self, "table"):
            stored = reread(self.table)
            assert stored.version == self.table.version
            assert stored.state.hands == self.table.state.hands or stored.status != "active"
            assert stored.state.totals_tenths == self.table.state.totals_tenths
            assert [seat.total_tenths for seat in stored.seats] == list(stored.state.totals_tenths)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            assert differences(self.table.id) == []


def test_any_table_stays_sound() -> None:
    run_state_machine_as_test(
        AnyTable,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )


def test_a_bot_may_not_play_for_a_person_whose_time_runs() -> None:
    table, _ = four_at_a_table()
    with pytest.raises(ServiceError) as refusal:
        place_bid(game_id=table.id, by=HouseBot(table.state.turn), bid=2)
    assert refusal.value.code is Code.NOT_YOUR_TURN
    assert act(table, random.Random(1)).version == table.version + 1
