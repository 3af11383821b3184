"""The rules of Callbreak a second time, written from the rule text alone, to judge the first by.

A card is two characters ("AS"), a hand or a trick is a list of them in the order held or played, and a
ruleset is the dict that the API shows. Nothing here is fast; everything here is as near to the text as it can be.
"""

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HAND_ORDER = "SHCD"
DRAW_ORDER = "SHDC"
HONOURS = "AKQJ"
LONGEST_OPEN_ENDED_GAME = 250
MOST_REDEALS = 3

SWITCHES_OFF = {
    "bonus_bid": False,
    "redeal_no_spade": False,
    "redeal_no_honour": False,
    "redeal_low_bids": False,
    "forced_cards": "off",
}
LITE = {
    "name": "lite",
    "rounds": 5,
    "min_bid": 1,
    "max_bid": 13,
    "must_head": True,
    "scoring": "overtricks",
    "overtrick_tenths": 1,
    "seating": "random",
    **SWITCHES_OFF,
}
CALL_BREAK_2 = LITE | {"name": "call-break-2", "seating": "draw"}
MASTER = LITE | {
    "name": "master",
    "rounds": None,
    "min_bid": 2,
    "must_head": False,
    "scoring": "exact-or-one-over",
    "bonus_bid": True,
}
RULESETS = {ruleset["name"]: ruleset for ruleset in (CALL_BREAK_2, MASTER, LITE)}


def height(card):
    """Return how high *card* stands among its suit, two lowest."""
    return RANKS.index(card[0])


def in_hand_order(cards):
    """Return *cards* as a state shows a hand: spades, hearts, clubs, diamonds, each high to low.

    >>> in_hand_order(["2C", "AD", "KC", "3S"])
    ['3S', 'KC', '2C', 'AD']
    """
    return sorted(cards, key=lambda card: (HAND_ORDER.index(card[1]), -height(card)))


def next_seat(seat, steps=1):
    """Return the seat that comes *steps* after *seat* in order of play."""
    return (seat + steps) % 4


def winning_card(trick):
    """Return the card that wins *trick* so far: the highest spade, else the highest of the suit led."""
    spades = [card for card in trick if card[1] == "S"]
    followers = [card for card in trick if card[1] == trick[0][1]]
    return max(spades or followers, key=height)


def trick_winner(leader, trick):
    """Return the seat that played the winning card of *trick*, led by seat *leader*.

    >>> trick_winner(2, ["QH", "AH", "2S", "KH"])
    0
    """
    return next_seat(leader, trick.index(winning_card(trick)))


def legal_plays(hand, trick, ruleset):
    """Return the cards of *hand* that may be played to *trick*, in the order of a hand.

    >>> legal_plays(["2H", "KH", "AS"], ["QH", "3S"], LITE)
    ['KH', '2H']
    """
    if not trick:
        return in_hand_order(hand)
    led = trick[0][1]
    best = winning_card(trick)
    of_led = [card for card in hand if card[1] == led]
    if of_led:
        higher = [card for card in of_led if height(card) > height(best)]
        is_best_of_led = best[1] == led
        return in_hand_order(higher if ruleset["must_head"] and is_best_of_led and higher else of_led)
    spades = [card for card in hand if card[1] == "S"]
    if best[1] == "S":
        spades = [card for card in spades if height(card) > height(best)]
    return in_hand_order(spades or hand)


def legal_bids(ruleset):
    """Return every bid that *ruleset* allows, lowest first."""
    return list(range(ruleset["min_bid"], ruleset["max_bid"] + 1))


def score_tenths(bid, taken, ruleset):
    """Return what a hand that bid *bid* and took *taken* tricks scores, in tenths of a point.

    >>> score_tenths(5, 7, LITE), score_tenths(4, 3, LITE), score_tenths(9, 10, MASTER)
    (52, -40, 130)
    """
    is_exact = ruleset["scoring"] == "exact-or-one-over"
    is_made = taken in (bid, bid + 1) if is_exact else taken >= bid
    if not is_made:
        return -10 * bid
    if ruleset["bonus_bid"] and bid >= 8:
        return 130
    return 10 * bid + (0 if is_exact else ruleset["overtrick_tenths"] * (taken - bid))


def points(tenths):
    """Return *tenths* as the API writes a score.

    >>> points(52), points(-40), points(0), points(-3)
    ('5.2', '-4.0', '0.0', '-0.3')
    """
    whole, tenth = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}.{tenth}"


def tenths(text):
    """Return the tenths that a score written as *text* stands for; ValueError when it isn't written as it should be."""
    number = int(text.replace(".", "", 1))
    if points(number) != text:
        raise ValueError(f"{text!r} is not a score with exactly one decimal")
    return number


def places(totals):
    """Return the place of each seat, highest total first; equal totals share one.

    >>> places([10, 30, 30, -5])
    [3, 1, 1, 4]
    """
    return [1 + sum(rival > total for rival in totals) for total in totals]


def gaps(totals, seat):
    """Return for each seat its total minus that of *seat*."""
    return [rival - totals[seat] for rival in totals]


def last_round_number(ruleset):
    """Return the round after which a game ends by itself."""
    return ruleset["rounds"] or LONGEST_OPEN_ENDED_GAME


def seats_by_draw(drawn):
    """Return the seat that each joiner gets, given the card that each drew: the highest card sits at seat 0.

    >>> seats_by_draw(["KD", "KH", "2S", "AC"])
    [2, 1, 3, 0]
    """
    best_first = sorted(drawn, key=lambda card: (-height(card), DRAW_ORDER.index(card[1])))
    return [best_first.index(card) for card in drawn]


def redeals_owed(hands, ruleset):
    """Return every redeal that freshly dealt *hands*, one list by seat, call for: a list of (reason, seat)."""
    owed = []
    for seat, hand in enumerate(hands):
        if ruleset["redeal_no_spade"] and all(card[1] != "S" for card in hand):
            owed.append(("no_spade", seat))
        if ruleset["redeal_no_honour"] and all(card[0] not in HONOURS for card in hand):
            owed.append(("no_honour", seat))
    return owed


def is_redeal_for_low_bids(bids, ruleset):
    """Return whether four *bids* are so low together that the round is dealt again."""
    return ruleset["redeal_low_bids"] and sum(bids) < 10


def sides_of_final_round(totals):
    """Return `final_round` as a state shows it, from the running totals in tenths."""
    return [
        {"seat": seat, "total": points(totals[seat]), "gaps": [points(gap) for gap in gaps(totals, seat)]}
        for seat in range(4)
    ]
