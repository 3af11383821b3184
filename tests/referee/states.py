"""Does one state agree with itself and with the rules? No other request is needed to tell."""

from . import rules, shapes
from .shapes import must, same

FINAL_FIELDS = ("seat", "total", "gaps")


def check_state(state):
    """Raise Wrong unless *state* is as the contract has it for its status and obeys the rules."""
    shapes.check(state, shapes.STATE, "state")
    check_seats(state)
    check_scores(state)
    if state["status"] == "open":
        check_open(state)
    elif state["status"] == "active":
        check_active(state)
    elif state["status"] == "finished":
        check_finished(state)
    else:
        check_ended_without_result(state)
    if state["status"] != "active":
        same(state["turn"], None, "turn of a game that is not active")
        same(state["final_round"], None, "final_round of a game that is not active")
        if state["you"]:
            same(state["you"]["hand"], [], "hand in a game that is not active")
            same(state["you"]["legal_bids"], None, "legal_bids in a game that is not active")
            same(state["you"]["legal_plays"], None, "legal_plays in a game that is not active")
    if state["status"] != "finished":
        same(state["result"], None, "result of a game that is not finished")
        same([seat["place"] for seat in state["seats"]], [None] * 4, "places in a game that is not finished")


def column(state, field):
    """Return *field* of the four seats."""
    return [seat[field] for seat in state["seats"]]


def is_open_ended(state):
    """Return whether the game has no last round."""
    return state["ruleset"]["rounds"] is None


def check_seats(state):
    """Raise Wrong unless the seats hold whole people or bots and the drawn cards seat them."""
    same(column(state, "seat"), [0, 1, 2, 3], "the seats' numbers")
    for seat in state["seats"]:
        where = f"seat {seat['seat']}"
        must((seat["player"] is None) == (seat["kind"] is None), f"{where}: player and kind are not null together")
        must((seat["kind"] == "bot") == (seat["bot_level"] is not None), f"{where}: bot_level goes with bots alone")
        if seat["kind"] in (None, "bot"):
            same(seat["wants_to_finish"], False, f"wants_to_finish of {where}")
    people = [seat["player"] for seat in state["seats"] if seat["kind"] in ("human", "guest")]
    must(len(set(people)) == len(people), f"one person holds two seats: {people}")
    if not is_open_ended(state):
        same(column(state, "wants_to_finish"), [False] * 4, "wants_to_finish in a game with a last round")
    drawn = column(state, "drawn_card")
    if state["ruleset"]["seating"] == "draw" and state["status"] in ("active", "finished"):
        must(None not in drawn, "the drawn cards are not kept")
        must(len(set(drawn)) == 4, f"a card was drawn twice: {drawn}")
        same(rules.seats_by_draw(drawn), [0, 1, 2, 3], f"the order that the drawn cards {drawn} give")
    if state["ruleset"]["seating"] == "random" or state["status"] == "open":
        same(drawn, [None] * 4, "the drawn cards without a draw")
    if state["time_control"]["kind"] != "untimed":
        must(type(state["time_control"].get("per_turn")) is int, "time_control has no per_turn")


def check_scores(state):
    """Raise Wrong unless scoreboard and totals follow from bids and tricks."""
    totals, ruleset = [0, 0, 0, 0], state["ruleset"]
    for number, row in enumerate(state["scoreboard"], 1):
        where = f"scoreboard of round {number}"
        same(row["round"], number, where)
        same(sum(row["tricks"]), 13, f"{where}: the tricks' sum")
        must(all(bid in rules.legal_bids(ruleset) for bid in row["bids"]), f"{where}: bids {row['bids']}")
        scores = [
            rules.score_tenths(bid, taken, ruleset) for bid, taken in zip(row["bids"], row["tricks"], strict=True)
        ]
        same(row["scores"], [rules.points(score) for score in scores], f"{where}: scores")
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
    shown = [rules.points(total) for total in totals]
    same(state["totals"], shown, "totals")
    same(column(state, "score"), shown, "the seats' scores")


def check_open(state):
    """Raise Wrong unless nothing has happened yet."""
    same(state["round"], None, "round of an open game")
    same(state["scoreboard"], [], "scoreboard of an open game")
    same(column(state, "bid"), [None] * 4, "bids of an open game")
    same(column(state, "tricks"), [0] * 4, "tricks of an open game")
    same(column(state, "cards"), [0] * 4, "cards of an open game")
    must(None in column(state, "player"), "four places are taken and the game has not started")


def check_ended_without_result(state):
    """Raise Wrong unless a cancelled game shows no round; a void one need only be still."""
    if state["status"] == "cancelled":
        same(state["round"], None, "round of a cancelled game")
        same(state["scoreboard"], [], "scoreboard of a cancelled game")
        same(column(state, "cards"), [0] * 4, "cards of a cancelled game")


def check_finished(state):
    """Raise Wrong unless places and the last round are shown as they ended."""
    current, board = state["round"], state["scoreboard"]
    must(current is not None and board, "a finished game without a scored round")
    same(current["number"], len(board), "number of the last scored round")
    if not is_open_ended(state):
        same(len(board), state["ruleset"]["rounds"], "rounds scored")
    same(current["of"], state["ruleset"]["rounds"], "round.of")
    same(current["trick_number"], 13, "trick_number of a finished game")
    same(current["trick"], [], "trick of a finished game")
    same(column(state, "bid"), board[-1]["bids"], "bids of the last round")
    same(column(state, "tricks"), board[-1]["tricks"], "tricks of the last round")
    same(column(state, "cards"), [0] * 4, "cards of a finished game")
    check_last_trick(state)
    check_dealer(state)
    totals = [rules.tenths(total) for total in state["totals"]]
    result = state["result"]
    must(result is not None, "a finished game without a result")
    same(result["totals"], state["totals"], "result.totals")
    same(result["places"], rules.places(totals), "result.places")
    same(result["winners"], [seat for seat in range(4) if totals[seat] == max(totals)], "result.winners")
    same(column(state, "place"), result["places"], "the seats' places")


def check_active(state):
    """Raise Wrong unless the turn, the trick and what the viewer may do follow from the rest."""
    current, turn = state["round"], state["turn"]
    must(current is not None, "an active game without a round")
    must(turn is not None, "an active game where it is nobody's turn")
    must(None not in column(state, "player"), "an active game with an empty seat")
    same(current["number"], len(state["scoreboard"]) + 1, "round.number")
    same(current["of"], state["ruleset"]["rounds"], "round.of")
    must(current["number"] <= rules.last_round_number(state["ruleset"]), "a round after the last one")
    check_dealer(state)
    check_last_trick(state)
    bids, first = column(state, "bid"), rules.next_seat(current["dealer"])
    order = [rules.next_seat(first, step) for step in range(4)]
    made = sum(bid is not None for bid in bids)
    must(all(bids[seat] is not None for seat in order[:made]), f"bids {bids} out of turn, dealer {current['dealer']}")
    legal = rules.legal_bids(state["ruleset"])
    must(all(bid is None or bid in legal for bid in bids), f"bids {bids} out of range")
    same(turn["action"], "bid" if made < 4 else "play", "turn.action")
    played = [sum(play["seat"] == seat for play in current["trick"]) for seat in range(4)]
    same(sum(column(state, "tricks")), current["trick_number"] - 1, "the seats' tricks in sum")
    same(column(state, "cards"), [14 - current["trick_number"] - n for n in played], "the seats' numbers of cards")
    if current["trick_number"] == 1:
        same(current["leader"], first, "leader of the first trick")
    seats = [rules.next_seat(current["leader"], step) for step in range(len(current["trick"]))]
    same([play["seat"] for play in current["trick"]], seats, "the seats that played to the trick")
    must(len(current["trick"]) < 4, "a whole trick is still the trick being played")
    cards = [play["card"] for play in current["trick"]]
    must(len(set(cards)) == len(cards), f"a card twice in the trick {cards}")
    if made < 4:
        same(current["trick_number"], 1, "trick_number while bidding")
        same(current["trick"], [], "trick while bidding")
        same(turn["seat"], order[made], "turn.seat while bidding")
    else:
        same(turn["seat"], rules.next_seat(current["leader"], len(cards)), "turn.seat")
    check_clock(state)
    check_final_round(state)
    check_you(state, cards)


def check_dealer(state):
    """Raise Wrong where the dealer is known from the draw and isn't that seat."""
    if state["ruleset"]["seating"] == "draw":
        same(state["round"]["dealer"], (state["round"]["number"] - 1) % 4, "dealer after a draw")


def check_last_trick(state):
    """Raise Wrong unless the last trick is the one before this and was won as the rules say."""
    current = state["round"]
    last, number = current["last_trick"], current["number"]
    if number == 1 and current["trick_number"] == 1:
        same(last, None, "last_trick before the first")
        return
    must(last is not None, "no last_trick after the first trick")
    if state["status"] == "finished":
        expected = (number, 13)
    else:
        expected = (number, current["trick_number"] - 1) if current["trick_number"] > 1 else (number - 1, 13)
    same((last["round"], last["number"]), expected, "round and number of last_trick")
    cards = [play["card"] for play in last["plays"]]
    seats = [rules.next_seat(last["leader"], step) for step in range(4)]
    same([play["seat"] for play in last["plays"]], seats, "the seats of last_trick")
    must(len(set(cards)) == 4, f"a card twice in last_trick {cards}")
    same(last["winner"], rules.trick_winner(last["leader"], cards), "winner of last_trick")
    if last["round"] == number:
        same(current["leader"], last["winner"], "leader after a trick")
        again = set(cards) & {play["card"] for play in current["trick"]}
        must(not again, f"played twice: {again}")


def check_clock(state):
    """Raise Wrong unless a timed turn has a deadline within its time, and an untimed one none."""
    turn, control = state["turn"], state["time_control"]
    if control["kind"] == "untimed":
        same((turn["deadline"], turn["seconds_left"]), (None, None), "the deadline of an untimed turn")
        return
    must(turn["deadline"] is not None and turn["seconds_left"] is not None, "a timed turn without a deadline")
    must(turn["seconds_left"] <= control["per_turn"], f"{turn['seconds_left']} s left of {control['per_turn']}")


def check_final_round(state):
    """Raise Wrong unless the gaps are shown in the last round, and only then."""
    is_last = state["round"]["number"] == rules.last_round_number(state["ruleset"])
    people = [seat for seat in state["seats"] if seat["kind"] != "bot"]
    if is_open_ended(state) and people and all(seat["wants_to_finish"] for seat in people):
        is_last = True
        is_card_down = state["round"]["trick"] or state["round"]["trick_number"] > 1
        must(is_card_down, "all agree to finish, no card is down, and the game goes on")
    totals = [rules.tenths(total) for total in state["totals"]]
    shown = state["final_round"] and [{field: side[field] for field in FINAL_FIELDS} for side in state["final_round"]]
    same(shown, rules.sides_of_final_round(totals) if is_last else None, "final_round")


def check_you(state, trick):
    """Raise Wrong unless the viewer's hand is whole and sorted and what it may do is what the rules allow."""
    you, turn = state["you"], state["turn"]
    if you is None:
        return
    hand, last = you["hand"], state["round"]["last_trick"]
    same(len(hand), state["seats"][you["seat"]]["cards"], "the length of the hand")
    same(hand, rules.in_hand_order(set(hand)), "the order of the hand")
    gone = set(trick)
    if last and last["round"] == state["round"]["number"]:
        gone |= {play["card"] for play in last["plays"]}
    must(not gone & set(hand), f"held though played: {gone & set(hand)}")
    is_due = turn["seat"] == you["seat"]
    bids = rules.legal_bids(state["ruleset"]) if is_due and turn["action"] == "bid" else None
    same(you["legal_bids"], bids, "legal_bids")
    if is_due and turn["action"] == "play":
        must(you["legal_plays"] is not None, "legal_plays is null on one's turn to play")
        must(len(set(you["legal_plays"])) == len(you["legal_plays"]), "a card twice in legal_plays")
        legal = rules.legal_plays(hand, trick, state["ruleset"])
        same(rules.in_hand_order(you["legal_plays"]), legal, "legal_plays")
        is_forced = state["ruleset"]["forced_cards"] == "at_once" and len(legal) == 1
        must(not is_forced, f"{legal[0]} is the only legal card and was not played by itself")
    else:
        same(you["legal_plays"], None, "legal_plays when no card is due")
