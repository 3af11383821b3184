"""What requests about games must look like."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from callbreak_site.http.forms import (
    Choice,
    Flag,
    Form,
    HexText,
    Integer,
    QueryFlag,
    QueryInteger,
    Text,
    VersionedForm,
    refuse,
)
from callbreak_site.http.pagination import PageQuery
from games.api.shapes import CARD, Options
from games.rules.cards import Card, card
from games.rules.ruleset import RULESETS, OptionErrors, customised

RULESET_NAMES = [*RULESETS, "custom"]
LEVELS = list(settings.BOT_LEVELS)
MOST_EVENTS = 100
PER_TURN = {"correspondence": (60, 1_209_600, 86_400), "live": (5, 60, 30)}  # least, most and usual seconds


@extend_schema_field({"type": "string", "pattern": CARD, "examples": ["AS"]})
class CardField(serializers.Field[Card, Any, str, Any]):
    """The two characters that name a card, as a card."""

    def to_internal_value(self, data: Any) -> Card:
        """Return the card that *data* names."""
        try:
            return card(data)
        except (ValueError, TypeError):
            refuse("Must be a card: its rank (2–9 T J Q K A), then its suit (C D H S).")


@extend_schema_field(Options)
class OptionsField(serializers.Field[dict[str, Any], Any, Any, Any]):
    """Switches by name; which values they can have is for the rules to say."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return *data* if it is an object."""
        if not isinstance(data, dict):
            refuse("Must be a JSON object.")
        return data


class RulesetForm(Form):
    """Which rules: a published ruleset, and the switches in which the table differs from it."""

    ruleset = Choice(choices=RULESET_NAMES)
    options = OptionsField(required=False, default=dict)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Put the ruleset itself in the place of its name and options."""
        try:
            ruleset = customised(attrs["ruleset"], attrs.pop("options"))
        except OptionErrors as wrong:
            raise ValidationError({"options": {name: [why] for name, why in wrong.errors.items()}}) from None
        return {**attrs, "ruleset": ruleset}


class TimeControlForm(Form):
    """How long a turn may take."""

    kind = Choice(choices=["correspondence", "live", "untimed"], required=False, default="correspondence")
    per_turn = Integer(
        required=False,
        allow_null=True,
        help_text="Seconds: 60 to 1,209,600 by correspondence (86,400 unless given), 5 to 60 live (30 unless given); "
        "null untimed.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Fill in the usual time, and refuse one that the kind does not have."""
        per_turn = attrs.get("per_turn")
        if attrs["kind"] == "untimed":
            if per_turn is not None:
                raise ValidationError({"per_turn": ["An untimed turn has none."]})
            return {**attrs, "per_turn": None}
        least, most, usual = PER_TURN[attrs["kind"]]
        per_turn = attrs.get("per_turn", usual)
        if per_turn is None or not least <= per_turn <= most:
            raise ValidationError({"per_turn": [f"Must be from {least} to {most} seconds."]})
        return {**attrs, "per_turn": per_turn}


class CreateForm(RulesetForm):
    """A new game; only `ruleset` must be there."""

    visibility = Choice(
        choices=["public", "unlisted", "private"],
        required=False,
        default="public",
        help_text="public: listed, for all to read. unlisted: for who has an account and the link. "
        "private: for its people, and while it is open for who brings the invite.",
    )
    rated = Flag(required=False, default=False, help_text="There are no ratings yet: true is 422 `not_available`.")
    time_control = TimeControlForm(required=False)
    bots = serializers.ListField(
        child=Choice(choices=LEVELS),
        required=False,
        default=list,
        max_length=3,
        help_text="Levels of bots that sit down at once; with three of them the game starts at once.",
    )
    fill_with = Choice(
        choices=LEVELS, required=False, default="medium", help_text="Level of the bots that fill empty places."
    )
    reservation = Text(
        required=False, allow_blank=True, help_text="From `POST /games/reservations`, for the same rules."
    )
    client_seed = HexText(
        digits=64, required=False, help_text="One's own 32 random bytes. It counts only with a reservation."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Fill in the usual time for a turn."""
        usual = {"kind": "correspondence", "per_turn": PER_TURN["correspondence"][2]}
        return {"time_control": usual, **super().validate(attrs)}


class SeatForm(VersionedForm):
    """Taking a place."""

    seat = Integer(required=False, min_value=0, max_value=3, help_text="The first free one unless given.")
    invite = Text(required=False, allow_blank=True, help_text="What opens a private game.")
    client_seed = HexText(digits=64, required=False, help_text="One's own 32 random bytes, which join in each deal.")


class BotForm(VersionedForm):
    """Filling a place with a bot."""

    level = Choice(choices=LEVELS)
    seat = Integer(required=False, min_value=0, max_value=3, help_text="The first free one unless given.")


class BidForm(VersionedForm):
    """A bid."""

    bid = Integer(help_text="One of `legal_bids`.")


class PlayForm(VersionedForm):
    """A play."""

    card = CardField(help_text="One of `legal_plays`.")


class InviteQuery(Form):
    """Looking at a game."""

    invite = Text(required=False, allow_blank=True, help_text="Shows a private game while it is open.")


class EventsQuery(InviteQuery):
    """Which events are wanted."""

    after = QueryInteger(required=False, default=0, min_value=0, help_text="The last version that is known already.")
    limit = QueryInteger(required=False, default=MOST_EVENTS, min_value=1, max_value=MOST_EVENTS)


class GamesQuery(PageQuery):
    """Which games are wanted."""

    status = Choice(choices=["open", "active", "finished"], required=False)
    mine = QueryFlag(
        required=False, default=False, help_text="Those that one made, or sits or sat in, instead of the public ones."
    )
    ruleset = Choice(choices=RULESET_NAMES, required=False)


class ExportQuery(Form):
    """How the record is wanted."""

    format = Choice(choices=["json", "text"], required=False, default="json")
