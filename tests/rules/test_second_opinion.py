"""Two implementations of the rules, written apart from each other from the same text, agree on everything."""

from itertools import combinations, pairwise, product

from hypothesis import given, settings

from games.rules.cards import card, cards, name, names
from games.rules.ruleset import LITE, MASTER, as_json
from games.rules.scoring import gaps, places, score_tenths
from games.rules.shuffle import draw_order
from games.rules.state import Phase, legal_bids, legal_cards, redeal_reason
from games.rules.trick import Trick, legal_plays
from tests.referee import rules as second
from tests.rules.playing import Chance, rulesets, seeds, states_of_game


@settings(max_examples=60)
@given(ruleset=rulesets, seed=seeds)
def test_they_agree_on_whole_games(ruleset, seed) -> None:
    theirs = as_json(ruleset)
    for before, state in pairwise(states_of_game(ruleset, seed)):
        if state.phase is Phase.BID:
            assert list(legal_bids(state)) == second.legal_bids(theirs)
        if state.phase is Phase.PLAY:
            held = names(state.hands[state.turn].held)
            trick = [name(played) for played in state.trick.cards]
            assert names(legal_cards(state)) == second.legal_plays(held, trick, theirs)
        if state.last_trick and state.last_trick != before.last_trick:
            ended = state.last_trick.trick
            assert ended.winner == second.trick_winner(ended.leader, [name(played) for played in ended.cards])
        if len(state.rounds) > len(before.rounds):
            scored = state.rounds[-1]
            made = [
                second.score_tenths(bid, tricks, theirs) for bid, tricks in zip(scored.bids, scored.tricks, strict=True)
            ]
            assert list(scored.scores_tenths) == made
            assert list(places(state.totals_tenths)) == second.places(state.totals_tenths)
            assert [list(gaps(state.totals_tenths, seat)) for seat in range(4)] == [
                second.gaps(state.totals_tenths, seat) for seat in range(4)
            ]
        _compare_redeals(state, theirs)


def _compare_redeals(state, theirs) -> None:
    if state.redeals == second.MOST_REDEALS:
        assert redeal_reason(state) is None
    elif state.phase is Phase.BID and all(hand.bid is None for hand in state.hands):
        owed = second.redeals_owed([names(hand.dealt) for hand in state.hands], theirs)
        assert redeal_reason(state) in owed if owed else redeal_reason(state) is None
    elif state.phase is Phase.PLAY and state.trick_number == 1 and not state.trick.cards:
        is_low = second.is_redeal_for_low_bids([hand.bid for hand in state.hands], theirs)
        assert redeal_reason(state) == (("low_bids", None) if is_low else None)


# Cards of the suit led, of another suit and of trumps, low and high: every pattern of a trick can be made of them.
FEW = "2H 9H KH 5C AC 3S TS AS".split()


def test_they_agree_on_every_pattern_of_a_trick() -> None:
    patterns = 0
    for played in product(FEW, repeat=3):
        for length in range(4):
            trick = list(played[:length])
            if len(set(trick)) < length:
                continue
            rest = [text for text in FEW if text not in trick]
            for held in combinations(rest, min(3, len(rest))):
                for ruleset in (LITE, MASTER):
                    ours = legal_plays(cards(" ".join(held)), Trick(0, tuple(map(card, trick))), ruleset)
                    assert names(ours) == second.legal_plays(list(held), trick, as_json(ruleset)), (
                        held,
                        trick,
                        ruleset.name,
                    )
                    patterns += 1
    assert patterns > 50_000


def test_they_agree_on_every_score() -> None:
    chance = Chance("scores")
    for ruleset in (LITE, MASTER):
        for bid, tricks in product(range(ruleset.min_bid, 14), range(14)):
            assert score_tenths(bid, tricks, ruleset) == second.score_tenths(bid, tricks, as_json(ruleset))
    for _ in range(500):
        drawn = list(range(52))
        picked = [drawn.pop(chance.below(len(drawn))) for _ in range(4)]
        assert list(draw_order(picked)) == second.seats_by_draw([name(one) for one in picked])
