"""One pretended game: who sits, what has happened, and what each viewer is shown of it."""

import secrets as chance
from datetime import UTC, datetime, timedelta

from .. import deal, rules


class Refusal(Exception):
    """The answer to a request that is refused."""

    def __init__(self, status, code, **extra):
        super().__init__(code)
        self.status, self.code, self.extra = status, code, extra


class Game:
    """The state of one game; *clock* returns the time now."""

    def __init__(self, creator, ruleset, clock, visibility="public", control=None, fill_with="easy", held=None):
        self.id, self.secrets = held or (chance.token_hex(16), new_secrets(ruleset))
        self.creator, self.ruleset, self.clock = creator, ruleset, clock
        self.visibility, self.fill_with = visibility, fill_with
        self.invite = chance.token_hex(8) if visibility == "private" else None
        self.control = control or {"kind": "correspondence", "per_turn": 86400}
        self.places = [None] * 4
        self.order = []
        self.joined = None
        self.status = "open"
        self.events = []
        self.rounds = []
        self.board = []
        self.latest = {}
        self.deadline = None
        self.rematch = None
        self.commitments = [
            deal.commitment(bytes.fromhex(self.id), number, secret) for number, secret in enumerate(self.secrets)
        ]

    def emit(self, kind, seat=None, data=None, own=None):
        """Write down one event; *own* holds what each seat alone is told."""
        at = self.clock().strftime("%Y-%m-%dT%H:%M:%SZ")
        self.events.append({"type": kind, "at": at, "seat": seat, "data": data or {}, "own": own or {}})

    @property
    def version(self):
        """The number of events."""
        return len(self.events)

    @property
    def round(self):
        """The round being played, or the last one."""
        return self.rounds[-1]

    @property
    def turn(self):
        """The seat on turn and what is due, None when nothing is."""
        if self.status != "active":
            return None
        first, made = rules.next_seat(self.round["dealer"]), sum(bid is not None for bid in self.round["bids"])
        if made < 4:
            return rules.next_seat(first, made), "bid"
        return rules.next_seat(self.leader(), len(self.trick())), "play"

    def leader(self):
        """Return the seat that leads the trick being played."""
        winners = self.round["winners"]
        return winners[-1] if winners else rules.next_seat(self.round["dealer"])

    def trick(self):
        """Return the plays of the trick being played."""
        return self.round["plays"][4 * len(self.round["winners"]) :]

    def held(self, seat):
        """Return the cards that *seat* holds."""
        if self.status != "active":
            return []
        gone = {card for _, card in self.round["plays"]}
        return rules.in_hand_order(set(self.round["hands"][seat]) - gone)

    def legal(self, seat):
        """Return what *seat*, on turn to play, may play."""
        return rules.legal_plays(self.held(seat), [card for _, card in self.trick()], self.ruleset)

    def totals(self):
        """Return the four totals in tenths."""
        return [sum(row["scores"][seat] for row in self.board) for seat in range(4)]

    def seat_of(self, username):
        """Return the seat that *username* holds, None without one."""
        for seat, place in enumerate(self.places):
            if place and place["kind"] != "bot" and place["player"] == username:
                return seat
        return None

    def sit(self, place, player, kind, level=None, seed=None):
        """Put somebody on a free *place*; the fourth starts the game."""
        self.places[place] = {
            "player": player, "kind": kind, "level": level, "seed": seed, "drawn": None, "wants": False
        }  # fmt: skip
        self.order.append(place)
        self.emit("player.joined", place, {"player": player})
        if None not in self.places:
            self.start()

    def free(self, place):
        """Empty a *place* before the start."""
        self.places[place] = None
        self.order.remove(place)
        self.emit("player.left", place)

    def seeds(self):
        """Return the seats' seeds as bytes, by seat."""
        return [bytes.fromhex(place["seed"] or "0" * 64) for place in self.places]

    def start(self):
        """Draw or choose the first dealer, and deal."""
        joiners = [self.places[place] for place in self.order]
        key = deal.key_of(self.secrets[0], bytes.fromhex(self.id), 0, [self.seeds()[place] for place in self.order])
        self.joined, dealer = list(self.order), next(deal.words(key)) % 4
        self.status = "active"
        self.emit("game.started")
        if self.ruleset["seating"] == "draw":
            drawn = deal.shuffled(key)[:4]
            self.joined, dealer = rules.seats_by_draw(drawn), 0
            for seat, joiner, card in zip(self.joined, joiners, drawn, strict=True):
                self.places[seat] = joiner
                joiner["drawn"] = card
            self.emit("seats.drawn", None, {"cards": [place["drawn"] for place in self.places]})
        self.deal(dealer)

    def deal(self, dealer, redeals=()):
        """Deal the next round, or the same one again after *redeals*."""
        number = len(self.board) + 1
        key = deal.key_of(self.secrets[number], bytes.fromhex(self.id), number, self.seeds(), len(redeals))
        hands = deal.hands_of(deal.shuffled(key), dealer)
        self.rounds[number - 1 :] = [
            {"number": number, "dealer": dealer, "redeals": list(redeals), "hands": hands, "bids": [None] * 4,
             "plays": [], "winners": [], "scores": None}
        ]  # fmt: skip
        self.emit("round.dealt", None, {"round": number}, {seat: {"hand": hands[seat]} for seat in range(4)})
        owed = rules.redeals_owed(hands, self.ruleset)
        if owed and len(redeals) < rules.MOST_REDEALS:
            self.redeal(*owed[0])
        self.wind()

    def redeal(self, reason, seat):
        """Deal this round again."""
        self.emit("round.redealt", seat, {"reason": reason})
        self.deal(self.round["dealer"], [*self.round["redeals"], {"reason": reason, "seat": seat}])

    def wind(self):
        """Give the seat on turn its time."""
        if self.control["kind"] != "untimed":
            self.deadline = self.clock() + timedelta(seconds=self.control["per_turn"])

    def bid(self, seat, bid):
        """Take a bid that is legal and due."""
        self.round["bids"][seat] = self.latest[seat] = bid
        self.emit("bid.made", seat, {"bid": bid})
        bids = self.round["bids"]
        if None not in bids and rules.is_redeal_for_low_bids(bids, self.ruleset) and len(self.round["redeals"]) < 3:
            self.redeal("low_bids", None)
        self.wind()
        self.play_forced()

    def play(self, seat, card):
        """Take a play that is legal and due."""
        self.round["plays"].append((seat, card))
        self.latest[seat] = card
        self.emit("card.played", seat, {"card": card})
        trick = self.trick()
        if len(trick) == 4:
            winner = rules.trick_winner(trick[0][0], [played for _, played in trick])
            self.round["winners"].append(winner)
            self.emit("trick.won", winner)
        if len(self.round["winners"]) == 13:
            self.score()
        if self.status == "active":
            self.wind()
            self.play_forced()

    def play_forced(self):
        """Play a card that is the only legal one, where the table wants that."""
        if self.ruleset["forced_cards"] == "at_once" and self.turn and self.turn[1] == "play":
            cards = self.legal(self.turn[0])
            if len(cards) == 1:
                self.play(self.turn[0], cards[0])

    def score(self):
        """End a round, and the game with the last one."""
        taken = [self.round["winners"].count(seat) for seat in range(4)]
        bids = self.round["bids"]
        scores = [rules.score_tenths(bids[seat], taken[seat], self.ruleset) for seat in range(4)]
        self.round["scores"] = scores
        self.board.append({"bids": list(bids), "tricks": taken, "scores": scores})
        self.emit("round.scored", None, {"scores": [rules.points(score) for score in scores]})
        if self.is_final():
            self.end("finished")
        else:
            self.deal(rules.next_seat(self.round["dealer"]))

    def is_agreed(self):
        """Return whether every person still seated wants to finish."""
        people = [place for place in self.places if place and place["kind"] != "bot"]
        return self.ruleset["rounds"] is None and bool(people) and all(place["wants"] for place in people)

    def is_final(self):
        """Return whether the round being played, or just scored, is the last."""
        return self.round["number"] == rules.last_round_number(self.ruleset) or self.is_agreed()

    def count_votes(self):
        """End the game at once when all agree and no card is down."""
        if self.status == "active" and self.is_agreed() and not self.round["plays"]:
            self.rounds.pop()
            self.end("finished" if self.board else "cancelled")

    def end(self, status):
        """Let the game be over."""
        self.status, self.deadline = status, None
        self.emit(f"game.{status}")

    def to_bot(self, seat, kind):
        """Let a bot take *seat*."""
        self.places[seat] |= {"player": "Easy bot", "kind": "bot", "level": "easy", "wants": False}
        self.emit(kind, seat)
        self.count_votes()


def new_secrets(ruleset):
    """Return the secrets of every round."""
    return [chance.token_bytes(32) for _ in range(rules.last_round_number(ruleset) + 1)]


def clock_at(speed):
    """Return a clock that starts now and runs *speed* times as fast as others."""
    start = datetime.now(UTC)
    return lambda: start + (datetime.now(UTC) - start) * speed
