"""Whatever is sent at the same moment, a game goes on one act at a time."""

import random
import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import islice

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now

from callbreak_site.errors import Code
from games.models import Event, Game, Play, Round, Seat
from games.presenters.rounds import RoundRecord
from games.presenters.table import Table
from games.rules.cards import members
from games.rules.view import view
from games.selectors.replay import differences
from games.selectors.rounds import round_record
from games.services.actors import HouseBot, Person
from games.services.lobby import Plan, create_game, free_seat, give_up_seat, start_game, take_seat
from games.services.moves import GRACE
from games.services.table import expire_turn, place_bid, play_card
from players.models import Kind, Player
from players.services.accounts import close_account
from tests.games.tables import act, four_at_a_table, people, person, play_on, reread, ruleset
from tests.games.threads import race

pytestmark = pytest.mark.django_db(transaction=True)


def choices(rng: random.Random) -> Iterator[tuple[Table, list[int]]]:
    """Play games by chance and yield each table whose seat on turn has four cards or more to choose from."""
    while True:
        table, _ = four_at_a_table()
        table = play_on(table, rng, acts=4)
        while table.status == "active":
            legal = members(view(table.state, table.state.turn).legal_plays or 0)
            if len(legal) >= 4:
                yield table, legal
            table = reread(table)
            table = act(table, rng) if table.status == "active" else table


def test_of_four_cards_sent_at_once_by_one_seat_exactly_one_is_played() -> None:
    rng = random.Random(1)
    for table, legal in islice(choices(rng), 60):
        seat = table.seats[table.state.turn]
        plays = [
            partial(play_card, game_id=table.id, by=Person(seat.player_id), card=card, expected_version=table.version)
            for card in rng.sample(legal, 4)
        ]
        answers = race(*plays)
        assert sum(isinstance(answer, Table) for answer in answers) == 1
        assert sorted(code for code in answers if not isinstance(code, Table)) == [Code.VERSION_CONFLICT] * 3
    for game in Game.objects.all():
        assert differences(game.id) == []


def test_when_all_four_seats_act_at_once_only_the_one_on_turn_gets_through() -> None:
    rng = random.Random(2)
    table, _ = four_at_a_table(ruleset(rounds=1))
    table = play_on(table, rng, acts=4)
    while table.status == "active":
        turn = table.state.turn
        seats = [number for number in range(4) if table.state.hands[number].held]
        answers = race(*[partial(a_play, table, number, rng) for number in seats])
        through = [number for number, answer in zip(seats, answers, strict=True) if isinstance(answer, Table)]
        assert through == [turn]
        refusals = {answer for answer in answers if not isinstance(answer, Table)}
        assert refusals <= {Code.NOT_YOUR_TURN, Code.VERSION_CONFLICT}
        table = reread(table)
    assert differences(table.id) == []


def a_play(table: Table, number: int, rng: random.Random) -> Table:
    """Play a card of that seat, a legal one when it is its turn."""
    held = table.state.hands[number].held
    cards = view(table.state, number).legal_plays if number == table.state.turn else held
    by = Person(table.seats[number].player_id)
    return play_card(game_id=table.id, by=by, card=rng.choice(members(cards)), expected_version=table.version)


def test_twenty_people_race_for_three_places_and_the_game_starts_once() -> None:
    for _ in range(4):
        table = create_game(player_id=person().id, plan=Plan(ruleset=ruleset()))
        racers = people(10)
        answers = race(
            *[partial(take_seat, game_id=table.id, player_id=racer.id) for racer in racers for _ in range(2)]
        )
        assert sum(isinstance(answer, Table) for answer in answers) == 3
        assert Seat.objects.filter(game=table.id).count() == 4
        assert Seat.objects.filter(game=table.id).values("player").distinct().count() == 4
        assert Round.objects.filter(game=table.id).count() == 1
        assert Event.objects.filter(game=table.id, type="game.started").count() == 1
        assert differences(table.id) == []


def test_joining_leaving_removing_and_starting_at_once_leave_a_sound_game() -> None:
    rng = random.Random(3)
    for _ in range(15):
        creator, *others = people(5)
        table = create_game(player_id=creator.id, plan=Plan(ruleset=ruleset("call-break-2")))
        for other in others[:2]:
            take_seat(game_id=table.id, player_id=other.id)
        calls = [
            partial(take_seat, game_id=table.id, player_id=others[2].id),
            partial(take_seat, game_id=table.id, player_id=others[3].id, seat=3),
            partial(give_up_seat, game_id=table.id, player_id=others[0].id),
            partial(free_seat, game_id=table.id, player_id=creator.id, seat=2),
            partial(start_game, game_id=table.id, player_id=creator.id),
            partial(start_game, game_id=table.id, player_id=creator.id),
        ]
        rng.shuffle(calls)
        race(*calls)
        game = Game.objects.get(id=table.id)
        seats = list(Seat.objects.filter(game=game))
        assert len({seat.number for seat in seats}) == len(seats) <= 4
        assert len({seat.player_id for seat in seats if seat.player_id}) == len(
            [seat for seat in seats if seat.player_id]
        )
        assert Event.objects.filter(game=game, type="game.started").count() == (game.status == "active")
        assert Round.objects.filter(game=game).count() == (game.status == "active")
        assert differences(game.id) == []


def test_a_move_and_the_clock_that_race_give_one_outcome() -> None:
    rng = random.Random(4)
    moved = missed = 0
    margin_ms = 5.0  # follows the edge, wherever this machine has it
    table, _ = four_at_a_table(ruleset(rounds=1))
    table = play_on(table, rng, acts=4)
    while table.status == "active":
        ends = Now() - GRACE + timedelta(milliseconds=margin_ms + rng.uniform(-2, 2))
        Game.objects.filter(id=table.id).update(turn_ends_at=ends)
        seat = table.seats[table.state.turn]
        card = rng.choice(members(view(table.state, table.state.turn).legal_plays or 0))
        played, expired = race(
            partial(play_card, game_id=table.id, by=Person(seat.player_id), card=card, expected_version=table.version),
            partial(expire_turn, game_id=table.id),
        )
        if isinstance(played, Table):
            moved += 1
            margin_ms -= 1 if missed else 8
            # The clock came second and found another turn, or came early and found this one still running.
            assert expired is False
            table = played
        else:
            assert played in (Code.NOT_YOUR_TURN, Code.VERSION_CONFLICT)
            if expired is False:
                assert expire_turn(game_id=table.id) is True
            missed += 1
            margin_ms += 1 if moved else 8
            assert expire_turn(game_id=table.id) is False
            table = play_card(game_id=table.id, by=HouseBot(seat.number), card=card, expected_version=table.version + 1)
    assert moved and missed
    assert Play.objects.filter(round__game=table.id).count() == 52
    assert differences(table.id) == []


def test_a_move_on_a_game_that_is_locked_for_long_is_refused_in_time() -> None:
    table, _ = four_at_a_table()
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Game.objects.select_for_update().get(id=table.id)
            held.set()
            let_go.wait(20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    seat = table.seats[table.state.turn]
    try:
        with pytest.raises(OperationalError):
            place_bid(game_id=table.id, by=Person(seat.player_id), bid=1)
    finally:
        let_go.set()
        holder.join()
    assert isinstance(place_bid(game_id=table.id, by=Person(seat.player_id), bid=1), Table)


def test_whoever_looks_while_bots_play_sees_one_moment() -> None:
    table = create_game(player_id=person().id, plan=Plan(ruleset=ruleset(rounds=1), bots=["easy"] * 3))
    table = play_on(table, random.Random(5), acts=4)
    is_over = threading.Event()

    def play() -> None:
        play_on(table, random.Random(5))
        is_over.set()

    def look() -> int:
        looks = 0
        while not is_over.is_set():
            seen = reread(table)
            _check_one_moment(seen)
            _check_round(round_record(uuid.UUID(table.id), 1))
            looks += 1
        return looks

    _, *looks = race(play, look, look)
    assert sum(looks) > 50


def _check_one_moment(seen: Table) -> None:
    if seen.status != "active":
        return
    state = seen.state
    cards = [hand.held.bit_count() for hand in state.hands]
    assert sum(cards) == 52 - 4 * (state.trick_number - 1) - len(state.trick.cards)
    assert sum(hand.tricks for hand in state.hands) == state.trick_number - 1


def _check_round(record: RoundRecord | None) -> None:
    assert record is not None
    assert sum(hand.tricks for hand in record.hands) == sum(trick.winner is not None for trick in record.tricks)
    assert all((len(trick.plays) == 4) == (trick.winner is not None) for trick in record.tricks)


def test_whoever_joins_while_the_account_is_closed_leaves_no_seat_behind() -> None:
    for _ in range(10):
        leaver = person()
        Player.objects.filter(id=leaver.id).update(kind=Kind.GUEST)  # who needs no password to leave
        tables = [create_game(player_id=person().id, plan=Plan(ruleset=ruleset())) for _ in range(2)]
        race(
            partial(close_account, player_id=leaver.id),
            *[partial(take_seat, game_id=table.id, player_id=leaver.id) for table in tables],
            partial(create_game, player_id=leaver.id, plan=Plan(ruleset=ruleset())),
        )
        assert not Player.objects.get(id=leaver.id).is_active
        assert not Seat.objects.filter(player_id=leaver.id, game__status__in=["open", "active"]).exists()
