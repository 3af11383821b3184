"""The events of one game, as one viewer gets them, told again: do they follow each other as the rules ask?"""

from . import leaks, rules, shapes
from .shapes import must, same

SEATED = (
    "player.joined player.left bid.made card.played trick.won vote.changed turn.missed "
    "seat.resigned seat.taken_over seat.reclaimed"
).split()
BEFORE_START = ("player.joined", "player.left", "game.cancelled", "seats.drawn", "game.started")
ENDINGS = ("game.finished", "game.cancelled", "game.voided")


class Round:
    """What the events have told of one round so far."""

    def __init__(self, number, dealer):
        self.number = number
        self.dealer = dealer
        self.redeals = 0
        self.is_dealt = False
        self.own = None
        self.own_before = set()
        self.bids = {}
        self.plays = []
        self.winners = []
        self.is_scored = False

    @property
    def leader(self):
        """The seat that leads the trick being played; None when the dealer isn't known yet."""
        if self.winners:
            return self.winners[-1]
        return None if self.dealer is None else rules.next_seat(self.dealer)

    @property
    def trick(self):
        """The plays of the trick being played."""
        return self.plays[4 * len(self.winners) :]

    @property
    def turn(self):
        """The seat on turn; None when the dealer isn't known yet."""
        done = len(self.bids) if len(self.bids) < 4 else len(self.trick)
        if len(self.bids) < 4 and self.dealer is None:
            return None
        start = rules.next_seat(self.dealer) if len(self.bids) < 4 else self.leader
        return rules.next_seat(start, done)


class Story:
    """Follows the events of a game; *is_seated* says whether the viewer holds a seat (and is shown a hand)."""

    def __init__(self, ruleset, is_seated):
        self.ruleset = ruleset
        self.is_seated = is_seated
        self.version = 0
        self.at = ""
        self.is_started = False
        self.is_drawn = False
        self.ending = None
        self.rounds = []
        self.public = []

    @property
    def round(self):
        """The round that is being told."""
        return self.rounds[-1]

    def add(self, event):
        """Follow one more *event*; raise Wrong when it can't come next or shows what it may not."""
        shapes.check(event, shapes.EVENT, "event")
        kind, seat, data = event["type"], event.get("seat"), event["data"] or {}
        same(event["version"], self.version + 1, "version of the next event")
        must(event["at"][:19] >= self.at[:19], f"event {event['version']} is older than the one before")
        must(seat is None or seat in range(4), f"seat {seat!r} of {kind}")
        must(kind not in SEATED or seat is not None, f"{kind} without a seat")
        must(self.ending is None or kind.startswith("seat."), f"{kind} after {self.ending}")
        must(self.is_started or kind in BEFORE_START, f"{kind} before the start")
        outside = leaks.cards_in({name: value for name, value in event.items() if name != "data"})
        must(not outside, f"cards outside `data`: {sorted(outside)}")
        leaks.check_no_number_is_a_hand(data)
        self.version, self.at = event["version"], event["at"]
        self.public.append((event["version"], kind, event["at"], seat))
        tell = getattr(self, "tell_" + kind.replace(".", "_"), self.tell_another)
        tell(seat, data)

    def tell_another(self, seat, data):
        """Follow an event that shows no card."""
        must(not leaks.cards_in(data), f"cards in an event that has none: {sorted(leaks.cards_in(data))}")

    def tell_game_started(self, seat, data):
        """Follow the start; where seats are drawn the cards drawn may be told here too."""
        must(not self.is_started, "started twice")
        must(len(leaks.cards_in(data)) in (0, 4), "cards at the start")
        self.is_started = True

    def tell_seats_drawn(self, seat, data):
        """Follow the draw."""
        same(self.ruleset["seating"], "draw", "the seating of a game with a draw")
        must(not self.is_drawn and not self.rounds, "a draw that comes late")
        same(len(leaks.cards_in(data)), 4, "the number of cards drawn")
        self.is_drawn = True

    def tell_round_dealt(self, seat, data):
        """Follow a deal: a new round, or the same again after a redeal."""
        must(self.is_drawn or self.ruleset["seating"] != "draw", "dealt before the seats were drawn")
        if not self.rounds or self.round.is_scored:
            dealer = 0 if self.ruleset["seating"] == "draw" else None
            if self.rounds and self.round.dealer is not None:
                dealer = rules.next_seat(self.round.dealer)
            self.rounds.append(Round(len(self.rounds) + 1, dealer))
        must(not self.round.is_dealt, "dealt twice")
        self.round.is_dealt = True
        shown = leaks.cards_in(data)
        if self.is_seated:
            same(len(shown), 13, "the number of cards in the viewer's own round.dealt")
            self.round.own = shown
        else:
            must(not shown, f"a spectator's round.dealt shows {sorted(shown)}")

    def tell_round_redealt(self, seat, data):
        """Follow the call for a redeal."""
        must(self.round.is_dealt and not self.round.plays, "a redeal after a card")
        must(self.round.redeals < rules.MOST_REDEALS, "a fourth redeal")
        own = self.round.own or set()
        must(leaks.cards_in(data) <= own, "a redeal shows cards of others")
        bids = len(self.round.bids)
        reasons = [reason for reason in ("no_spade", "no_honour", "low_bids") if reason in set(leaks.strings(data))]
        same(len(reasons), 1, "the number of reasons that round.redealt names")
        must(bids == (4 if reasons == ["low_bids"] else 0), f"redealt for {reasons} after {bids} bids")
        if bids:
            must(sum(self.round.bids.values()) < 10, f"redealt though the bids are {self.round.bids}")
        self.round.own_before |= own
        self.round.redeals += 1
        self.round.bids, self.round.own, self.round.is_dealt = {}, None, False

    def tell_bid_made(self, seat, data):
        """Follow a bid; the first one tells who dealt."""
        must(self.round.is_dealt and len(self.round.bids) < 4, "a bid that is not due")
        if self.round.dealer is None:
            self.round.dealer = rules.next_seat(seat, 3)
        same(seat, self.round.turn, "the seat that bid")
        self.tell_another(seat, data)
        bids = [number for number in leaks.numbers(data) if number in rules.legal_bids(self.ruleset)]
        must(bids, f"bid.made names no legal bid: {data}")
        self.round.bids[seat] = data["bid"] if "bid" in data else bids[0]

    def tell_card_played(self, seat, data):
        """Follow a play."""
        must(len(self.round.bids) == 4, "a card before the bids are made")
        must(len(self.round.trick) < 4, "a fifth card to a trick")
        same(seat, self.round.turn, "the seat that played")
        cards = leaks.cards_in(data)
        same(len(cards), 1, f"the number of cards in card.played ({sorted(cards)})")
        card = cards.pop()
        must(card not in [played for _, played in self.round.plays], f"{card} played twice")
        held = self.own_left()
        if self.is_seated and card in self.round.own:
            must(seat == self.own_seat(default=seat), f"seat {seat} played {card} of the viewer's own hand")
            trick = [played for _, played in self.round.trick]
            must(card in rules.legal_plays(held, trick, self.ruleset), f"{card} was not legal to {trick} from {held}")
        self.round.plays.append((seat, card))

    def tell_trick_won(self, seat, data):
        """Follow the end of a trick."""
        trick = [card for _, card in self.round.trick]
        same(len(trick), 4, "the number of cards in a trick that was won")
        must(leaks.cards_in(data) <= set(trick), "trick.won shows cards of other tricks")
        same(seat, rules.trick_winner(self.round.leader, trick), "the seat of trick.won")
        self.round.winners.append(seat)

    def tell_round_scored(self, seat, data):
        """Follow the end of a round; its hands are no secret from now on."""
        same(len(self.round.winners), 13, "the number of tricks in a round that is scored")
        self.round.is_scored = True

    def tell_game_finished(self, seat, data):
        """Follow the end of the game; only a vote may end it inside a round, and only before its first card."""
        self.end("game.finished")
        must(self.rounds, "finished without a round")
        if not self.round.is_scored:
            must(self.ruleset["rounds"] is None, "finished inside a round")
            must(not self.round.plays, "finished with a card down")
            must(len(self.rounds) > 1, "finished, not cancelled, before any round was over")

    def tell_game_cancelled(self, seat, data):
        """Follow a cancelling, by the creator before the start or by a vote before any round is over."""
        self.tell_another(seat, data)
        must(not self.rounds or (len(self.rounds) == 1 and not self.round.plays), "cancelled after a card was played")
        self.end("game.cancelled")

    def tell_game_voided(self, seat, data):
        """Follow a voiding."""
        self.tell_another(seat, data)
        self.end("game.voided")

    def end(self, kind):
        """Note that the game is over."""
        self.ending = kind

    def own_left(self):
        """Return the viewer's own cards that are not played yet in this round."""
        gone = {card for _, card in self.round.plays}
        return rules.in_hand_order((self.round.own or set()) - gone)

    def own_seat(self, default):
        """Return the seat whose plays were of the viewer's own hand in this round, *default* when none was yet."""
        for seat, card in self.round.plays:
            if card in (self.round.own or ()):
                return seat
        return default


def check_story_against_state(story, state):
    """Raise Wrong unless an active *state* shows what the events up to its version tell."""
    told, current = story.round, state["round"]
    same(current["number"], told.number, "round.number, from the events")
    if told.dealer is not None:
        same(current["dealer"], told.dealer, "dealer, from the events")
    bids = [told.bids.get(seat) for seat in range(4)]
    same([seat["bid"] for seat in state["seats"]], bids, "the bids, from the events")
    same([seat["tricks"] for seat in state["seats"]], [told.winners.count(seat) for seat in range(4)], "the tricks")
    same([(play["seat"], play["card"]) for play in current["trick"]], told.trick, "the trick, from the events")
    if state["you"]:
        same(state["you"]["hand"], story.own_left(), "the hand, from the events")
    same(len(state["scoreboard"]), sum(each.is_scored for each in story.rounds), "rounds scored, from the events")


def check_story_against_round(story, detail):
    """Raise Wrong unless the finished round *detail* is the one that the events tell."""
    told = story.rounds[detail["number"] - 1]
    plays = [(play["seat"], play["card"]) for trick in detail["tricks"] for play in trick["plays"]]
    same(plays, told.plays, "the plays, from the events")
    same([hand["bid"] for hand in detail["hands"]], [told.bids[seat] for seat in range(4)], "the bids, from the events")
    same(len(detail["redeals"]), told.redeals, "the redeals, from the events")
