"""Bots choose legally, alike for alike, from what their seat sees alone; and the better level is better."""

import time
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean, median

import pytest

from bots.engine import LEVELS, choose, fallback
from bots.engine.arena import Player, compete, run, shuffled_packs, standard_error
from bots.engine.memory import remember
from bots.services.thinking import is_legal
from games.rules.cards import SPADES, SUIT_CARDS, cards, show
from games.rules.ruleset import LITE, MASTER, RULESETS, Ruleset, customised
from games.rules.state import Phase, deal_round, new_game
from games.rules.trick import trick
from games.rules.view import View, view
from tests.bots.positions import another_world, any_rules, positions

PLAYERS: dict[str, Player] = {level: partial(choose, level) for level in LEVELS}
GAMES = {"easy": 800, "medium": 200}


def checked(player: Player, seen: View, rng: Random) -> int:
    choice = player(seen, rng)
    assert is_legal(choice, seen), (choice, seen)
    return choice


@pytest.mark.parametrize("level", LEVELS)
def test_bots_play_whole_games_of_any_rules_legally(level: str) -> None:
    rng = Random(7)
    for _ in range(GAMES[level]):
        game = new_game(any_rules(rng), rng.randrange(4))
        ended = run([partial(checked, PLAYERS[level])] * 4, game, shuffled_packs(rng), rng)
        assert ended.phase is Phase.OVER


@pytest.mark.parametrize("level", LEVELS)
def test_bots_choose_legally_in_positions_that_they_would_not_have_come_to(level: str) -> None:
    rng = Random(8)
    for state in islice(positions(rng), 1_000):
        checked(PLAYERS[level], view(state, state.turn), rng)


def test_the_fallback_is_legal_anywhere() -> None:
    for state in islice(positions(Random(9)), 1_000):
        seen = view(state, state.turn)
        assert is_legal(fallback(seen), seen)


@pytest.mark.parametrize("level", LEVELS)
def test_bots_choose_the_same_for_the_same_seed(level: str) -> None:
    for state in islice(positions(Random(10)), 200):
        seen = view(state, state.turn)
        assert choose(level, seen, Random(1)) == choose(level, seen, Random(1))


@pytest.mark.parametrize("level", LEVELS)
def test_bots_choose_the_same_whatever_the_others_hold(level: str) -> None:
    rng = Random(11)
    for state in islice(positions(rng), 500):
        assert state.turn is not None
        choice = choose(level, view(state, state.turn), Random(1))
        for _ in range(20):
            world = another_world(state, state.turn, rng)
            assert choose(level, view(world, state.turn), Random(1)) == choice


def test_what_a_seat_remembers_is_true_of_what_the_others_hold() -> None:
    for state in islice(positions(Random(12)), 500):
        assert state.turn is not None
        memory = remember(view(state, state.turn))
        for seat in set(range(4)) - {state.turn}:
            assert state.hands[seat].held & ~memory.could_hold[seat] == 0


def test_bots_answer_in_milliseconds() -> None:
    seconds = []
    for state in islice(positions(Random(13)), 300):
        seen = view(state, state.turn)
        began = time.process_time()
        choose("medium", seen, Random(1))
        seconds.append(time.process_time() - began)
    assert median(seconds) < 0.005


@pytest.mark.parametrize(("name", "games", "lead"), [("call-break-2", 15, 0.3), ("lite", 15, 0.3), ("master", 15, 0.5)])
def test_a_card_counter_beats_three_beginners(name: str, games: int, lead: float) -> None:
    """The whole figure, over 200 sets of deals: `manage.py arena`."""
    tallies = compete(("medium", "easy", "easy", "easy"), PLAYERS, RULESETS[name], games, seed=1)
    assert fmean(tallies["medium"].lead) > lead


def test_four_card_counters_make_what_they_bid() -> None:
    bids_to_8 = customised("lite", {"max_bid": 8})
    tally = compete(("medium",) * 4, PLAYERS, bids_to_8, games=25, seed=1)["medium"]
    assert fmean(tally.points) > 1.95
    assert tally.made / len(tally.bids) > 0.85


def test_line_ups_play_the_same_cards_from_every_seat() -> None:
    first = compete(("easy", "easy", "easy", "easy"), PLAYERS, LITE, games=2, seed=1)["easy"]
    named = compete(("easy", "twin", "easy", "twin"), {**PLAYERS, "twin": PLAYERS["easy"]}, LITE, games=2, seed=1)
    assert fmean(named["easy"].points) == pytest.approx(fmean(named["twin"].points))
    assert sum(first.places) == 8
    assert standard_error([2.0]) == 0.0


# What a careful beginner does.


def seen(hand: str, on_the_table: str = "", *, bid: int = 3, tricks: int = 0, rules: Ruleset = LITE) -> View:
    """Return what seat 3 sees, about to play from *hand* in its fourth trick or so."""
    state = next(state for state in positions(Random(14), LITE) if state.phase is Phase.PLAY and not state.trick.cards)
    played = trick(on_the_table)
    leader = (3 - len(played.cards)) % 4
    held = cards(hand)
    hands = list(state.hands)
    hands[3] = hands[3]._replace(held=held, dealt=held, bid=bid, tricks=tricks)
    position = state._replace(
        ruleset=rules,
        turn=3,
        trick=played._replace(leader=leader),
        tricks=(),
        hands=tuple(hands),
    )
    return view(position, 3)


@pytest.mark.parametrize(
    ("hand", "on_the_table", "card"),
    [
        ("AH 2H 5C 9S", "", "AH"),
        ("QH 2H 5C 9S", "", "2H"),
        ("AH KH 2H 5C", "QH", "AH"),
        ("AH KH 2H 5C", "QH 3H 4H", "KH"),
        ("7H 2H 5C", "QH", "2H"),
        ("7C 2C 9S 4S", "QH", "4S"),
        ("7C 2D 4S", "QH 9S", "2D"),
    ],
    ids=["leads its ace", "leads low", "heads high", "wins cheaply when last", "ducks", "trumps low", "throws low"],
)
def test_a_beginner_plays_high_when_it_can_win_and_low_when_it_cannot(hand: str, on_the_table: str, card: str) -> None:
    assert show(1 << choose("easy", seen(hand, on_the_table), Random(1))) == card


def test_a_beginner_who_has_one_trick_over_ducks_where_another_would_cost_its_bid() -> None:
    assert show(1 << choose("easy", seen("AH 2H 5C", "QH", bid=2, tricks=3, rules=MASTER), Random(1))) == "2H"
    assert show(1 << choose("easy", seen("AH 2H 5C", "QH", bid=2, tricks=3, rules=LITE), Random(1))) == "AH"


# What a card counter does.


def test_a_card_counter_ducks_when_it_has_its_tricks_and_may_take_no_more() -> None:
    duck = seen("AH 2H 3C", "QH 5H 6H", bid=2, tricks=3, rules=MASTER)
    assert show(1 << choose("medium", duck, Random(1))) == "2H"


def test_a_card_counter_takes_what_it_needs() -> None:
    need = seen("AH 2H 3C", "QH 5H 6H", bid=3, tricks=2, rules=MASTER)
    assert show(1 << choose("medium", need, Random(1))) == "AH"


def test_a_card_counter_whose_bid_is_lost_still_takes_tricks_from_the_others() -> None:
    lost = seen("AH 2H 3C", "QH 5H 6H", bid=8, tricks=1, rules=MASTER)
    assert show(1 << choose("medium", lost, Random(1))) == "AH"


def test_a_card_counter_wins_with_the_cheapest_of_equals() -> None:
    assert show(1 << choose("medium", seen("AH KH QH 3C", "JH 5H 6H"), Random(1))) == "QH"


def test_a_card_counter_bids_8_more_readily_where_that_pays_13() -> None:
    rng, with_bonus, without = Random(15), 0, 0
    bonus = customised("lite", {"bonus_bid": True})
    for state in islice(positions(rng, LITE), 3_000):
        if state.phase is Phase.BID and (state.hands[state.turn or 0].held & SUIT_CARDS[SPADES]).bit_count() > 5:
            plain, paid = (view(state._replace(ruleset=rules), state.turn) for rules in (LITE, bonus))
            without += choose("medium", plain, rng) >= 8
            with_bonus += choose("medium", paid, rng) >= 8
    assert with_bonus > without


def test_a_lowest_bid_of_4_is_kept_to() -> None:
    rules = customised("lite", {"min_bid": 4})
    bidding = [state for state in islice(positions(Random(16), rules), 300) if state.phase is Phase.BID]
    bids = [choose("medium", view(state, state.turn), Random(1)) for state in bidding]
    assert min(bids) == 4


@pytest.mark.parametrize("level", LEVELS)
def test_bots_do_not_bid_thirteen_where_twelve_wins_as_much(level: str) -> None:
    hands = (SUIT_CARDS[SPADES], *(suit for suit in SUIT_CARDS if suit != SUIT_CARDS[SPADES]))
    state = deal_round(new_game(MASTER, dealer=3), hands)
    assert choose(level, view(state, 0), Random(1)) <= 12
    state = deal_round(new_game(LITE, dealer=3), hands)
    assert choose(level, view(state, 0), Random(1)) == 13
