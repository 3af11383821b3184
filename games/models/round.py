"""What was dealt, bid and played: the record that the position on `Game` can be rebuilt from.

A key that the first column of a unique constraint is finds its rows by that: it has no index of its own.
"""

from django.db import models
from django.db.models import F, Q

from games.models.game import Game
from games.models.seat import Seat


class Round(models.Model):
    """One deal of 52 cards."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    redeals = models.JSONField(default=list, help_text="One {reason, seat} for each redeal.")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_round_a_number", fields=["game", "number"]),
            models.UniqueConstraint(name="one_round_at_a_time", fields=["game"], condition=Q(finished_at__isnull=True)),
            models.CheckConstraint(name="a_dealer_is_one_of_four", condition=Q(dealer__lt=4)),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.game_id.hex}"


class Hand(models.Model):
    """The thirteen cards of one seat in one round; sets of cards are 52-bit integers."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="hands", db_index=False)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="hands")
    dealt = models.BigIntegerField()
    held = models.BigIntegerField()
    bid = models.PositiveSmallIntegerField(null=True)
    tricks = models.PositiveSmallIntegerField(default=0)
    score_tenths = models.SmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_hand_a_seat_a_round", fields=["round", "seat"]),
            models.CheckConstraint(
                name="held_cards_were_dealt",
                condition=Q(held=F("held").bitand(F("dealt"))),  # type: ignore[arg-type]
            ),
            models.CheckConstraint(name="a_hand_takes_thirteen_tricks_at_most", condition=Q(tricks__lte=13)),
            models.CheckConstraint(
                name="a_bid_is_one_to_thirteen", condition=Q(bid__isnull=True) | Q(bid__gte=1, bid__lte=13)
            ),
        ]

    def __str__(self) -> str:
        return f"a hand of round {self.round_id}"


class Trick(models.Model):
    """Who led a trick and who won it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tricks", db_index=False)
    number = models.PositiveSmallIntegerField()
    leader = models.PositiveSmallIntegerField()
    winner = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_trick_a_number", fields=["round", "number"]),
            models.UniqueConstraint(name="one_trick_at_a_time", fields=["round"], condition=Q(winner__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"trick {self.number}"


class Play(models.Model):
    """One card put down, for ever."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="plays", db_index=False)
    trick_number = models.PositiveSmallIntegerField()
    order = models.PositiveSmallIntegerField(help_text="0 for the lead, 3 for the last card of the trick.")
    seat = models.PositiveSmallIntegerField()
    card = models.PositiveSmallIntegerField(help_text="0–51 in the order C D H S × 2…A.")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_play_a_card", fields=["round", "card"]),
            models.UniqueConstraint(name="one_card_a_seat_a_trick", fields=["round", "trick_number", "seat"]),
            models.UniqueConstraint(name="four_plays_a_trick", fields=["round", "trick_number", "order"]),
            models.CheckConstraint(name="a_card_is_one_of_fifty_two", condition=Q(card__lt=52)),
            models.CheckConstraint(name="a_play_is_one_of_four", condition=Q(order__lt=4, seat__lt=4)),
        ]

    def __str__(self) -> str:
        return f"play {self.order} of trick {self.trick_number}"
