"""Positions for bots to think about, and other worlds that look the same from one seat."""

from collections.abc import Iterator
from random import Random

from bots.engine.memory import remember
from games.rules.cards import members, pack
from games.rules.ruleset import CUSTOM, RULESETS, Ruleset, customised
from games.rules.shuffle import deal
from games.rules.state import Phase, State, bid, deal_round, new_game, play, redeal_reason
from games.rules.view import view


def any_rules(rng: Random) -> Ruleset:
    """Return a ruleset for a short game: a published one, or one of switches by chance."""
    rounds = rng.choice([1, 1, 2])
    if rng.random() < 0.3:
        return customised(rng.choice(list(RULESETS)), {"rounds": rounds})
    return customised(
        CUSTOM.name,
        {
            "rounds": rounds,
            "min_bid": rng.randint(1, 4),
            "max_bid": rng.randint(8, 13),
            "must_head": rng.random() < 0.5,
            "scoring": rng.choice(["overtricks", "exact-or-one-over"]),
            "overtrick_tenths": rng.choice([0, 1]),
            "bonus_bid": rng.random() < 0.5,
            "redeal_no_spade": rng.random() < 0.3,
            "redeal_no_honour": rng.random() < 0.3,
            "redeal_low_bids": rng.random() < 0.3,
        },
    )


def random_act(state: State, rng: Random) -> State:
    """Return *state* after a legal act by chance."""
    assert state.turn is not None
    seen = view(state, state.turn)
    if state.phase is Phase.BID:
        return bid(state, state.turn, rng.choice((seen.legal_bids or ())[:4]))
    return play(state, state.turn, rng.choice(members(seen.legal_plays or 0)))


def positions(rng: Random, ruleset: Ruleset | None = None) -> Iterator[State]:
    """Yield positions in which somebody has to bid or play, from rounds played by chance."""
    while True:
        rules = ruleset or any_rules(rng)
        state = deal_round(new_game(rules, rng.randrange(4)), deal(rng.sample(range(52), 52), 0))
        acts = rng.randrange(56)
        while acts and state.round_number == 1 and state.phase in (Phase.BID, Phase.PLAY):
            if redeal_reason(state):
                break
            state = random_act(state, rng)
            acts -= 1
        if acts == 0 and state.turn is not None and state.round_number == 1 and not redeal_reason(state):
            yield state


def another_world(state: State, seat: int, rng: Random) -> State:
    """Return *state* with the cards that *seat* can't see dealt anew among the others, as their play allows."""
    memory = remember(view(state, seat))
    while (held := _dealt_anew(memory.could_hold, memory.cards_held, memory.unseen, seat, rng)) is None:
        pass
    hands = list(state.hands)
    for other in range(4):
        if other != seat:
            played = state.hands[other].dealt & ~state.hands[other].held
            hands[other] = hands[other]._replace(held=held[other], dealt=held[other] | played)
    return state._replace(hands=(hands[0], hands[1], hands[2], hands[3]))


def _dealt_anew(
    could_hold: tuple[int, ...], counts: tuple[int, ...], unseen: int, seat: int, rng: Random
) -> list[int] | None:
    """Deal each card, the least movable first, to a seat by chance that may hold it and has room; None if stuck."""
    room = [0 if other == seat else count for other, count in enumerate(counts)]
    held: list[list[int]] = [[], [], [], []]
    cards = members(unseen)
    rng.shuffle(cards)
    cards.sort(key=lambda card: sum(may >> card & 1 for may in could_hold))
    for card in cards:
        free = [other for other in range(4) if could_hold[other] >> card & 1 and room[other]]
        if not free:
            return None
        taker = rng.choices(free, weights=[room[other] for other in free])[0]
        room[taker] -= 1
        held[taker].append(card)
    return [pack(cards) for cards in held]
