"""What answers about games look like, for the documentation and for the tests that hold every answer to it."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from games.rules.ruleset import RULESETS

Shape = serializers.Serializer[Any]

CARD = "^[2-9TJQKA][CDHS]$"
HEX_ID = "^[0-9a-f]{32}$"
HEX_HASH = "^[0-9a-f]{64}$"
SCORE = r"^-?[0-9]+\.[0-9]$"
STATUSES = ["open", "active", "finished", "cancelled", "void"]
VISIBILITIES = ["public", "unlisted", "private"]


def whole(least: int, most: int, **options: Any) -> serializers.IntegerField:
    """Return the shape of a whole number."""
    return serializers.IntegerField(min_value=least, max_value=most, **options)


def seat_number(**options: Any) -> serializers.IntegerField:
    """Return the shape of a seat's number."""
    return whole(0, 3, **options)


def matching(pattern: str, **options: Any) -> serializers.RegexField:
    """Return the shape of a text of one form."""
    return serializers.RegexField(pattern, **options)


def a_list(
    child: Any, length: int | None = None, *, at_most: int | None = None, **options: Any
) -> serializers.ListField:
    """Return the shape of a list, of exactly *length* items or *at_most* so many if given."""
    return serializers.ListField(child=child, min_length=length, max_length=length or at_most, **options)


def four(child: Any, **options: Any) -> serializers.ListField:
    """Return the shape of four values, one for each seat in order."""
    return a_list(child, 4, **options)


class Options(Shape):
    """The switches in which a table may differ from the ruleset that it names."""

    rounds = whole(1, 20, required=False, allow_null=True, help_text="null: open-ended, finished by a vote.")
    min_bid = whole(1, 4, required=False)
    max_bid = whole(8, 13, required=False)
    must_head = serializers.BooleanField(
        required=False, help_text="Who follows suit must beat the card that is winning, if possible."
    )
    scoring = serializers.ChoiceField(choices=["overtricks", "exact-or-one-over"], required=False)
    overtrick_tenths = whole(0, 1, required=False, help_text="What a trick over the bid adds, in tenths of a point.")
    bonus_bid = serializers.BooleanField(required=False, help_text="A bid of 8 or more that is made scores exactly 13.")
    seating = serializers.ChoiceField(
        choices=["draw", "random"],
        required=False,
        help_text="draw: cards drawn decide the seats and the first dealer. random: the first dealer is random.",
    )
    redeal_no_spade = serializers.BooleanField(required=False, help_text="Deal again when a hand has no spade.")
    redeal_no_honour = serializers.BooleanField(required=False, help_text="Deal again when a hand has no A, K, Q or J.")
    redeal_low_bids = serializers.BooleanField(
        required=False,
        help_text="Deal again when the bids sum to less than 10: with good bidding, nearly a quarter of all deals.",
    )
    forced_cards = serializers.ChoiceField(
        choices=["off", "at_once"], required=False, help_text="at_once: a person's only legal card is played by itself."
    )


class Ruleset(Shape):
    """Every switch of a table."""

    name = serializers.ChoiceField(choices=[*RULESETS, "custom"])
    rounds = whole(1, 20, allow_null=True, help_text="null: open-ended, finished by a vote.")
    min_bid = whole(1, 4)
    max_bid = whole(8, 13)
    must_head = serializers.BooleanField()
    scoring = serializers.ChoiceField(choices=["overtricks", "exact-or-one-over"])
    overtrick_tenths = whole(0, 1)
    bonus_bid = serializers.BooleanField()
    seating = serializers.ChoiceField(choices=["draw", "random"])
    redeal_no_spade = serializers.BooleanField()
    redeal_no_honour = serializers.BooleanField()
    redeal_low_bids = serializers.BooleanField()
    forced_cards = serializers.ChoiceField(choices=["off", "at_once"])


class TimeControl(Shape):
    """How long a turn may take."""

    kind = serializers.ChoiceField(choices=["correspondence", "live", "untimed"])
    per_turn = whole(5, 1_209_600, allow_null=True, help_text="Seconds; null when untimed.")


class Place(Shape):
    """One of the four places, taken or not."""

    seat = seat_number()
    player = serializers.CharField(allow_null=True, help_text="A username, or a bot's public name; null when free.")
    kind = serializers.ChoiceField(choices=["human", "guest", "bot"], allow_null=True)
    bot_level = serializers.ChoiceField(choices=list(settings.BOT_LEVELS), allow_null=True)
    score = matching(SCORE, help_text="The running total.")
    place = whole(1, 4, allow_null=True, help_text="Once finished; equal totals share one.")


class Seat(Place):
    """One of the four places with its hand in the running round."""

    drawn_card = matching(CARD, allow_null=True, help_text="What it drew for its seat.")
    bid = whole(1, 13, allow_null=True)
    tricks = whole(0, 13)
    cards = whole(0, 13, help_text="How many cards it holds.")
    wants_to_finish = serializers.BooleanField()


class Turn(Shape):
    """Whose turn it is."""

    seat = seat_number()
    action = serializers.ChoiceField(choices=["bid", "play"])
    deadline = serializers.DateTimeField(allow_null=True)
    seconds_left = whole(0, 1_209_600, allow_null=True)


class Play(Shape):
    """One card put down."""

    seat = seat_number()
    card = matching(CARD)


class LastTrick(Shape):
    """The last trick that ended."""

    round = whole(1, 250)
    number = whole(1, 13)
    leader = seat_number()
    plays = a_list(Play(), 4)
    winner = seat_number()


class CurrentRound(Shape):
    """The round that is being played, or the last one of a finished game."""

    number = whole(1, 250)
    of = whole(1, 20, allow_null=True)
    dealer = seat_number()
    trick_number = whole(1, 13)
    leader = seat_number()
    trick = a_list(Play(), at_most=3)
    last_trick = LastTrick(allow_null=True)


class You(Shape):
    """What only the caller knows and may do."""

    seat = seat_number()
    hand = a_list(matching(CARD), help_text="Spades, hearts, clubs, diamonds, each high to low.")
    legal_bids = a_list(whole(1, 13), allow_null=True)
    legal_plays = a_list(matching(CARD), allow_null=True)


class ScoredRound(Shape):
    """A finished round, by seat."""

    round = whole(1, 250)
    bids = four(whole(1, 13))
    tricks = four(whole(0, 13))
    scores = four(matching(SCORE))


class Standing(Shape):
    """What a seat still needs before the last round ends."""

    seat = seat_number()
    total = matching(SCORE)
    gaps = four(matching(SCORE), help_text="Each rival's total minus one's own.")


class Result(Shape):
    """The end, by seat."""

    places = four(whole(1, 4))
    winners = a_list(seat_number())
    totals = four(matching(SCORE))


class SeededBy(Shape):
    """Which seats brought randomness of their own."""

    scheme = serializers.ChoiceField(choices=["callbreak-deal/1"])
    seeded = four(serializers.BooleanField())


class Summary(Shape):
    """A game at a glance."""

    id = matching(HEX_ID)
    version = serializers.IntegerField(min_value=1, help_text="One higher with each event.")
    status = serializers.ChoiceField(choices=STATUSES)
    visibility = serializers.ChoiceField(choices=VISIBILITIES)
    rated = serializers.BooleanField()
    ruleset = Ruleset()
    time_control = TimeControl()
    fill_with = serializers.ChoiceField(choices=list(settings.BOT_LEVELS))
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    seats = a_list(Place(), 4)
    turn = Turn(allow_null=True)


class State(Summary):
    """A game as one viewer sees it."""

    seats = a_list(Seat(), 4)
    round = CurrentRound(allow_null=True)
    you = You(allow_null=True, help_text="null for who holds no seat.")
    scoreboard = ScoredRound(many=True)
    totals = four(matching(SCORE))
    final_round = a_list(Standing(), 4, allow_null=True)
    result = Result(allow_null=True)
    fairness = SeededBy()
    creator = serializers.CharField(allow_null=True, help_text="null once the creator holds no seat.")
    void_reason = serializers.CharField(allow_null=True, help_text="Why a moderator ended the game.")
    invite = serializers.CharField(required=False, help_text="For the creator and seated people only.")


class RulesetList(Shape):
    """The published rulesets."""

    results = Ruleset(many=True)
    next = serializers.URLField(allow_null=True)


class SummaryPage(Shape):
    """A page of games, newest first."""

    results = Summary(many=True)
    next = serializers.URLField(allow_null=True)
