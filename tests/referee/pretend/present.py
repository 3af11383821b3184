"""What one viewer is shown of a pretended game; *seat* is the viewer's, or None."""

from .. import deal, rules


def seat_row(game, number):
    """Return one of the four seats of a state."""
    place = game.places[number]
    row = {"seat": number, "player": None, "kind": None, "bot_level": None, "drawn_card": None, "bid": None}
    row |= {"tricks": 0, "cards": 0, "score": rules.points(game.totals()[number]), "place": None}
    row["wants_to_finish"] = bool(place and place["wants"] and place["kind"] != "bot")
    if place:
        row |= {"player": place["player"], "kind": place["kind"], "bot_level": place["level"]}
        row["drawn_card"] = place["drawn"]
    if game.rounds and game.status in ("active", "finished"):
        row |= {"bid": game.round["bids"][number], "tricks": game.round["winners"].count(number)}
        row["cards"] = len(game.held(number))
    if game.status == "finished":
        row["place"] = rules.places(game.totals())[number]
    return row


def last_trick(game):
    """Return the last trick that ended, None before the first."""
    for each in reversed(game.rounds):
        if each["winners"]:
            number = len(each["winners"])
            plays = each["plays"][4 * number - 4 : 4 * number]
            return {
                "round": each["number"], "number": number, "leader": plays[0][0], "winner": each["winners"][-1],
                "plays": [{"seat": seat, "card": card} for seat, card in plays],
            }  # fmt: skip
    return None


def round_part(game):
    """Return `round` of a state."""
    if game.status not in ("active", "finished"):
        return None
    return {
        "number": game.round["number"],
        "of": game.ruleset["rounds"],
        "dealer": game.round["dealer"],
        "trick_number": min(13, len(game.round["winners"]) + 1),
        "leader": game.leader(),
        "trick": [{"seat": seat, "card": card} for seat, card in game.trick()],
        "last_trick": last_trick(game),
    }


def turn_part(game):
    """Return `turn` of a state."""
    if not game.turn:
        return None
    turn = {"seat": game.turn[0], "action": game.turn[1], "deadline": None, "seconds_left": None}
    if game.deadline:
        left = (game.deadline - game.clock()).total_seconds()
        turn |= {"deadline": game.deadline.isoformat().replace("+00:00", "Z"), "seconds_left": max(0, int(left))}
    return turn


def you_part(game, seat):
    """Return `you` of a state."""
    if seat is None:
        return None
    you = {"seat": seat, "hand": game.held(seat), "legal_bids": None, "legal_plays": None}
    if game.turn and game.turn[0] == seat:
        if game.turn[1] == "bid":
            you["legal_bids"] = rules.legal_bids(game.ruleset)
        else:
            you["legal_plays"] = game.legal(seat)
    return you


def state(game, seat):
    """Return the state as *seat* sees it."""
    totals = game.totals()
    shown = [rules.points(total) for total in totals]
    places = rules.places(totals)
    answer = {
        "id": game.id,
        "version": game.version,
        "status": game.status,
        "ruleset": game.ruleset,
        "time_control": game.control,
        "seats": [seat_row(game, number) for number in range(4)],
        "round": round_part(game),
        "turn": turn_part(game),
        "you": you_part(game, seat),
        "scoreboard": [
            {"round": number, "bids": row["bids"], "tricks": row["tricks"]}
            | {"scores": [rules.points(score) for score in row["scores"]]}
            for number, row in enumerate(game.board, 1)
        ],
        "totals": shown,
        "final_round": rules.sides_of_final_round(totals) if game.status == "active" and game.is_final() else None,
        "result": None,
        "fairness": {"scheme": "callbreak-deal/1", "seeded": seeded(game)},
    }
    if game.status == "finished":
        winners = [number for number in range(4) if places[number] == 1]
        answer["result"] = {"places": places, "winners": winners, "totals": shown}
    if seat is not None and game.invite:
        answer["invite"] = game.invite
    return answer


def seeded(game):
    """Return which seats brought chance of their own."""
    return [bool(place and place["seed"]) for place in game.places]


def round_in_full(game, number, seat):
    """Return one round as *seat* sees it, None when there is none."""
    if not 1 <= number <= len(game.rounds):
        return None
    each = game.rounds[number - 1]
    is_over = each["scores"] is not None
    tricks = []
    for at in range(0, len(each["plays"]), 4):
        plays, index = each["plays"][at : at + 4], at // 4
        tricks.append(
            {"number": index + 1, "leader": plays[0][0], "plays": [{"seat": who, "card": card} for who, card in plays],
             "winner": each["winners"][index] if len(plays) == 4 else None}
        )  # fmt: skip
    hands = [
        {"seat": who, "dealt": each["hands"][who] if is_over or who == seat else None, "bid": each["bids"][who],
         "tricks": each["winners"].count(who), "score": rules.points(each["scores"][who]) if is_over else None}
        for who in range(4)
    ]  # fmt: skip
    return {"number": number, "dealer": each["dealer"], "finished": is_over, "redeals": each["redeals"],
            "hands": hands, "tricks": tricks}  # fmt: skip


def fairness(game):
    """Return all commitments."""
    return {
        "scheme": "callbreak-deal/1",
        "game_id": game.id,
        "commitments": [{"round": number, "hash": digest} for number, digest in enumerate(game.commitments)],
        "seat_seeds": [seed.hex() for seed in game.seeds()] if game.joined else None,
        "seeded": seeded(game),
    }


def proof(game, number):
    """Return the proof of one round, None when there is none."""
    if number > len(game.rounds):
        return None
    each = game.rounds[number - 1] if number else None
    is_over = bool(each["scores"]) if number else game.joined is not None
    answer = {"scheme": "callbreak-deal/1", "game_id": game.id, "round": number, "dealer": each and each["dealer"]}
    answer |= {"redeals": len(each["redeals"]) if each else 0, "commitment": game.commitments[number]}
    answer |= {"server_seed": None, "seat_seeds": fairness(game)["seat_seeds"], "deck": None}
    if number == 0:
        answer["joined"] = game.joined
        if game.joined:
            answer["seat_seeds"] = [game.seeds()[seat].hex() for seat in game.joined]
    if is_over:
        seeds = [bytes.fromhex(seed) for seed in answer["seat_seeds"]]
        secret = game.secrets[number]
        key = deal.key_of(secret, bytes.fromhex(game.id), number, seeds, answer["redeals"])
        answer |= {"server_seed": secret.hex(), "deck": deal.shuffled(key)}
    return answer


def events(game, after, seat):
    """Return the events after version *after* as *seat* is told them."""
    shown = []
    for version, event in enumerate(game.events[after:], after + 1):
        row = {"version": version, "type": event["type"], "at": event["at"]}
        row |= {"data": event["data"] | event["own"].get(seat, {})}
        shown.append(row if event["seat"] is None else row | {"seat": event["seat"]})
    return shown
