"""What answers about a game's record look like: events, rounds, proofs, the export and what players have done."""

from django.conf import settings
from rest_framework import serializers

from games.api.shapes import (
    CARD,
    HEX_HASH,
    HEX_ID,
    SCORE,
    Play,
    Shape,
    State,
    a_list,
    four,
    matching,
    seat_number,
    whole,
)
from games.rules.ruleset import RULESETS

EVENT_TYPES = """
    player.joined player.left game.started seats.drawn round.dealt round.redealt bid.made card.played trick.won
    round.scored vote.changed turn.missed seat.resigned game.finished game.cancelled game.voided
""".split()
REDEAL_REASONS = ["no_spade", "no_honour", "low_bids"]


class Redeal(Shape):
    """Why a round was dealt again."""

    reason = serializers.ChoiceField(choices=REDEAL_REASONS)
    seat = seat_number(allow_null=True)


class Hand(Shape):
    """One seat's part of a round."""

    seat = seat_number()
    dealt = a_list(matching(CARD), 13, allow_null=True, help_text="null for another's hand until the round is over.")
    bid = whole(1, 13, allow_null=True)
    tricks = whole(0, 13)
    score = matching(SCORE, allow_null=True)


class Trick(Shape):
    """One trick; the running one has no winner yet."""

    number = whole(1, 13)
    leader = seat_number()
    plays = a_list(Play(), at_most=4)
    winner = seat_number(allow_null=True)


class Round(Shape):
    """One round in full."""

    number = whole(1, 250)
    dealer = seat_number()
    finished = serializers.BooleanField()
    redeals = a_list(Redeal(), at_most=3)
    hands = a_list(Hand(), 4)
    tricks = a_list(Trick(), at_most=13)


class Commitment(Shape):
    """The hash that binds the server to its secret for a round."""

    round = whole(0, 250)
    hash = matching(HEX_HASH)


class Fairness(Shape):
    """What was promised before the first card."""

    scheme = serializers.ChoiceField(choices=["callbreak-deal/1"])
    game_id = matching(HEX_ID)
    commitments = Commitment(many=True, help_text="Round 0 is the draw or the first dealer.")
    seat_seeds = four(matching(HEX_HASH), allow_null=True, help_text="null before the start.")
    seeded = four(serializers.BooleanField())


class Reserved(Shape):
    """A game's id and commitments, before its creator shows a seed."""

    reservation = matching(HEX_ID)
    game_id = matching(HEX_ID)
    fairness = Fairness()


class Proof(Shape):
    """All that a verifier of a deal needs; round 0 also has `joined`."""

    scheme = serializers.ChoiceField(choices=["callbreak-deal/1"])
    game_id = matching(HEX_ID)
    round = whole(0, 250)
    dealer = seat_number(allow_null=True)
    redeals = whole(0, 3)
    commitment = matching(HEX_HASH)
    server_seed = matching(HEX_HASH, allow_null=True, help_text="null until the round is over.")
    seat_seeds = four(matching(HEX_HASH), allow_null=True, help_text="By seat; for round 0 in order of joining.")
    deck = a_list(matching(CARD), 52, allow_null=True, help_text="In order of dealing; null until the round is over.")
    joined = four(seat_number(), required=False, allow_null=True, help_text="Round 0: the seat that each joiner got.")


class EventData(Shape):
    """What there is to tell of an event; which fields are there depends on its type."""

    player = serializers.CharField(required=False)
    kind = serializers.ChoiceField(choices=["human", "guest", "bot"], required=False)
    bot_level = serializers.ChoiceField(choices=list(settings.BOT_LEVELS), required=False, allow_null=True)
    taken_by = serializers.ChoiceField(choices=list(settings.BOT_LEVELS), required=False)
    round = whole(1, 250, required=False)
    dealer = seat_number(required=False)
    redeals = whole(0, 3, required=False)
    hand = a_list(matching(CARD), 13, required=False, help_text="`round.dealt`: the viewer's own.")
    reason = serializers.CharField(required=False)
    seat = seat_number(required=False, allow_null=True)
    bid = whole(1, 13, required=False)
    trick = whole(1, 13, required=False)
    card = matching(CARD, required=False)
    by = serializers.ChoiceField(
        choices=["person", "bot", "rule"], required=False, help_text="rule: the only legal card, played by itself."
    )
    bids = four(whole(1, 13), required=False)
    tricks = four(whole(0, 13), required=False)
    scores = four(matching(SCORE), required=False)
    totals = four(matching(SCORE), required=False)
    cards = four(matching(CARD), required=False, help_text="`seats.drawn`: by seat.")
    joined = four(seat_number(), required=False, help_text="`seats.drawn`: the seat that each joiner got.")
    wants_to_finish = serializers.BooleanField(required=False)
    finish_agreed = serializers.BooleanField(required=False)
    action = serializers.ChoiceField(choices=["bid", "play"], required=False)
    places = four(whole(1, 4), required=False)
    winners = a_list(seat_number(), required=False)


class Event(Shape):
    """Something that happened in a game."""

    version = serializers.IntegerField(min_value=1)
    type = serializers.ChoiceField(choices=EVENT_TYPES)
    at = serializers.DateTimeField()
    seat = seat_number(required=False)
    data = EventData()  # type: ignore[assignment]


class EventList(Shape):
    """Events in order, without a gap."""

    results = Event(many=True)
    next = serializers.URLField(allow_null=True)


class Export(Shape):
    """The whole record of a finished game."""

    game = State()
    rounds = Round(many=True)
    fairness = Fairness()
    proofs = Proof(many=True, help_text="Round 0 first.")
    events = Event(many=True)


class WaitingTurn(Shape):
    """A game that waits for the caller."""

    game = matching(HEX_ID)
    action = serializers.ChoiceField(choices=["bid", "play"])
    deadline = serializers.DateTimeField(allow_null=True)
    seconds_left = whole(0, 1_209_600, allow_null=True)
    url = serializers.URLField(help_text="The game in the API.")


class WaitingTurns(Shape):
    """Games that wait for the caller, most urgent first, untimed last."""

    results = WaitingTurn(many=True)
    next = serializers.URLField(allow_null=True)
    count = serializers.IntegerField(min_value=0, help_text="All games that wait, on this page or not.")


class Tally(Shape):
    """What came of a player's finished games."""

    games = serializers.IntegerField(min_value=0)
    places = four(serializers.IntegerField(min_value=0), help_text="How often first, second, third and fourth.")
    rounds = serializers.IntegerField(min_value=0)
    bids_made = serializers.IntegerField(min_value=0)
    points = matching(SCORE)


class RulesetTally(Tally):
    """The same for the games of one ruleset, with or without house rules."""

    ruleset = serializers.ChoiceField(choices=[*RULESETS, "custom"])


class Statistics(Tally):
    """What came of a player's finished public games, in all and by ruleset."""

    player = serializers.CharField()
    by_ruleset = RulesetTally(many=True)
