"""Does one round in full, and its proof, agree with the rules, the dealing and the state?"""

from . import deal, rules, shapes
from .shapes import must, same


def plays_of(trick):
    """Return the plays of *trick* as pairs (seat, card)."""
    return [(play["seat"], play["card"]) for play in trick["plays"]]


def all_plays(detail):
    """Return every play of a round in order, as pairs (seat, card)."""
    return [play for trick in detail["tricks"] for play in plays_of(trick)]


def hand_of(detail, seat):
    """Return the hand of *seat* in a round."""
    return detail["hands"][seat]


def check_round(detail, ruleset, viewer):
    """Raise Wrong unless a round in full obeys the rules; *viewer* is the seat of who sees it, or None."""
    shapes.check(detail, shapes.ROUND, "round")
    same([hand["seat"] for hand in detail["hands"]], [0, 1, 2, 3], "the hands' seats")
    must(len(detail["redeals"]) <= rules.MOST_REDEALS, "more than three redeals")
    for redeal in detail["redeals"]:
        must(ruleset[f"redeal_{redeal['reason']}"], f"redealt for {redeal['reason']}, which is off")
        must((redeal["seat"] is None) == (redeal["reason"] == "low_bids"), f"redeal of seat {redeal['seat']}")
    check_tricks(detail)
    check_dealt(detail, viewer)
    check_hands(detail, ruleset)
    check_legality(detail, ruleset)


def check_dealt(detail, viewer):
    """Raise Wrong unless exactly the hands that *viewer* may see are shown, each whole."""
    seen = []
    for hand in detail["hands"]:
        if detail["finished"] or hand["seat"] == viewer:
            must(hand["dealt"] is not None, f"the hand of seat {hand['seat']} is hidden from who may see it")
            same(len(set(hand["dealt"])), 13, f"the number of cards dealt to seat {hand['seat']}")
            same(len(hand["dealt"]), 13, f"the number of cards dealt to seat {hand['seat']}")
            seen += hand["dealt"]
        else:
            same(hand["dealt"], None, f"the hand of seat {hand['seat']} before the round is over")
    must(len(set(seen)) == len(seen), "one card was dealt to two seats")


def check_tricks(detail):
    """Raise Wrong unless the tricks follow each other, each won as the rules say."""
    leader, seen = rules.next_seat(detail["dealer"]), []
    for number, trick in enumerate(detail["tricks"], 1):
        where = f"trick {number}"
        same(trick["number"], number, where)
        same(trick["leader"], leader, f"leader of {where}")
        plays = plays_of(trick)
        seats = [rules.next_seat(leader, step) for step in range(len(plays))]
        same([seat for seat, _ in plays], seats, f"the seats of {where}")
        is_whole = len(plays) == 4
        must(len(plays) <= 4, f"{where} has {len(plays)} plays")
        must(is_whole or number == len(detail["tricks"]), f"{where} is not whole and not the last")
        leader = rules.trick_winner(leader, [card for _, card in plays]) if is_whole else None
        same(trick["winner"], leader, f"winner of {where}")
        seen += [card for _, card in plays]
    must(len(set(seen)) == len(seen), "a card was played twice")
    if detail["finished"]:
        same(len(seen), 52, "the number of cards played in a finished round")


def check_hands(detail, ruleset):
    """Raise Wrong unless bids, tricks and scores of the hands follow from the tricks."""
    first = rules.next_seat(detail["dealer"])
    bids = [hand_of(detail, rules.next_seat(first, step))["bid"] for step in range(4)]
    made = sum(bid is not None for bid in bids)
    must(None not in bids[:made], f"bids out of turn, from the first to bid: {bids}")
    must(all(bid in rules.legal_bids(ruleset) for bid in bids[:made]), f"a bid out of range: {bids}")
    must(made == 4 or not all_plays(detail), "a card before the bids are made")
    for hand in detail["hands"]:
        where = f"seat {hand['seat']}"
        taken = sum(trick["winner"] == hand["seat"] for trick in detail["tricks"])
        same(hand["tricks"], taken, f"tricks of {where}")
        score = rules.points(rules.score_tenths(hand["bid"], taken, ruleset)) if detail["finished"] else None
        same(hand["score"], score, f"score of {where}")


def check_legality(detail, ruleset):
    """Raise Wrong unless every play of the hands that are shown was one that the rules allow."""
    held = {hand["seat"]: list(hand["dealt"]) for hand in detail["hands"] if hand["dealt"] is not None}
    for trick in detail["tricks"]:
        so_far = []
        for seat, card in plays_of(trick):
            if seat in held:
                must(card in held[seat], f"seat {seat} played {card} without holding it")
                legal = rules.legal_plays(held[seat], so_far, ruleset)
                must(card in legal, f"seat {seat} played {card} to {so_far} where {legal} are legal")
                held[seat].remove(card)
            so_far.append(card)


def check_state_against_round(state, detail):
    """Raise Wrong unless *state*, active and of the same moment, follows from its running round *detail*."""
    current, tricks = state["round"], [trick for trick in detail["tricks"] if trick["plays"]]
    same(detail["finished"], False, "finished of the running round")
    same(detail["number"], current["number"], "number of the running round")
    same(detail["dealer"], current["dealer"], "dealer of the running round")
    for seat, hand in zip(state["seats"], detail["hands"], strict=True):
        same((hand["bid"], hand["tricks"]), (seat["bid"], seat["tricks"]), f"bid and tricks of seat {seat['seat']}")
    whole = [trick for trick in tricks if trick["winner"] is not None]
    running = [plays_of(trick) for trick in tricks if trick["winner"] is None]
    same(current["trick_number"], len(whole) + 1, "trick_number")
    same([(play["seat"], play["card"]) for play in current["trick"]], running[0] if running else [], "trick")
    if whole:
        last = whole[-1]
        shown = current["last_trick"]
        same(
            (shown["leader"], plays_of(shown), shown["winner"]),
            (last["leader"], plays_of(last), last["winner"]),
            "last_trick",
        )
    if state["you"]:
        seat = state["you"]["seat"]
        gone = {card for player, card in all_plays(detail) if player == seat}
        left = set(hand_of(detail, seat)["dealt"]) - gone
        same(state["you"]["hand"], rules.in_hand_order(left), "the hand, from the cards dealt and played")


def check_finished_against_state(state, detail):
    """Raise Wrong unless the finished round *detail* is the one that the scoreboard of *state* shows."""
    row = state["scoreboard"][detail["number"] - 1]
    same(detail["finished"], True, "finished of a scored round")
    for field, column in (("bid", "bids"), ("tricks", "tricks"), ("score", "scores")):
        same([hand[field] for hand in detail["hands"]], row[column], f"{column} of round {detail['number']}")


def check_proof(proof, number, fairness, is_over):
    """Raise Wrong unless *proof* of round *number* shows what its time allows and its commitment is the first one."""
    shapes.check(proof, shapes.PROOF, "proof")
    same(proof["round"], number, "proof.round")
    same(proof["game_id"], fairness["game_id"], "proof.game_id")
    committed = {entry["round"]: entry["hash"] for entry in fairness["commitments"]}
    same(proof["commitment"], committed[number], "proof.commitment")
    must((proof["deck"] is None) == (not is_over), f"deck is {'hidden' if is_over else 'shown'}")
    must((proof["server_seed"] is None) == (not is_over), f"server_seed is {'hidden' if is_over else 'shown'}")
    if number:
        must(proof["dealer"] is not None, "proof without a dealer")
        same(proof["seat_seeds"], fairness["seat_seeds"], "proof.seat_seeds")
    else:
        same(proof["dealer"], None, "dealer in the proof of round 0")
        same(proof["redeals"], 0, "redeals in the proof of round 0")
        must("joined" in proof, "proof of round 0 without `joined`")
    if is_over:
        must(not deal.faults_of(proof, fairness), "; ".join(deal.faults_of(proof, fairness)))


def check_round_against_proof(detail, proof, ruleset):
    """Raise Wrong unless a finished round was dealt as its proof says, redeals and their reasons included."""
    same(proof["dealer"], detail["dealer"], "proof.dealer")
    same(proof["redeals"], len(detail["redeals"]), "proof.redeals")
    hands = deal.hands_of(proof["deck"], proof["dealer"])
    for seat in range(4):
        same(set(hand_of(detail, seat)["dealt"]), set(hands[seat]), f"the hand of seat {seat}, from the deck")
    secret, game_id, number, seeds = deal.parts(proof)
    for redeals in range(proof["redeals"] + 1):
        deck = deal.shuffled(deal.key_of(secret, game_id, number, seeds, redeals))
        owed = rules.redeals_owed(deal.hands_of(deck, proof["dealer"]), ruleset)
        if redeals < proof["redeals"]:
            told = (detail["redeals"][redeals]["reason"], detail["redeals"][redeals]["seat"])
            must(told in owed or (told[0] == "low_bids" and not owed), f"redealt for {told}; owed were {owed}")
        elif redeals < rules.MOST_REDEALS:
            must(not owed, f"not redealt for {owed}")
            bids = [hand["bid"] for hand in detail["hands"]]
            must(not rules.is_redeal_for_low_bids(bids, ruleset), f"not redealt though the bids are {bids}")


def check_seating(proof, state, fairness):
    """Raise Wrong unless the draw, or the first dealer, is what the proof of round 0 gives."""
    joined = proof["joined"]
    must(sorted(joined) == [0, 1, 2, 3], f"joined is {joined}")
    for seed, seat in zip(proof["seat_seeds"], joined, strict=True):
        same(seed, fairness["seat_seeds"][seat], f"the seed of seat {seat}, in order of joining")
    if state["ruleset"]["seating"] == "draw":
        drawn = proof["deck"][:4]
        same(joined, rules.seats_by_draw(drawn), f"the seats that {drawn} give")
        same([state["seats"][seat]["drawn_card"] for seat in joined], drawn, "the drawn cards, in order of joining")
        first = 0
    else:
        secret, game_id, number, seeds = deal.parts(proof)
        first = next(deal.words(deal.key_of(secret, game_id, number, seeds))) % 4
    if state["round"]:
        same(state["round"]["dealer"], rules.next_seat(first, state["round"]["number"] - 1), "dealer, from round 0")
