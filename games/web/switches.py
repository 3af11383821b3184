"""Every switch of a table in plain words: for the form that sets them and the page that explains them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.ruleset import EXACT_OR_ONE_OVER, OVERTRICKS

Words = str | Promise
YES_NO: tuple[tuple[object, Words], ...] = ((True, _("Yes")), (False, _("No")))


@dataclass(frozen=True)
class Switch:
    """What a switch is called, what it does, and each value it can have."""

    title: Words
    meaning: Words
    values: tuple[tuple[object, Words], ...]

    def value_of(self, text: str) -> object:
        """Return the value that a form names as *text*.

        >>> SWITCHES["rounds"].value_of("None"), SWITCHES["must_head"].value_of("False")
        (None, False)
        """
        return next(value for value, _ in self.values if str(value) == text)


SWITCHES: Mapping[str, Switch] = {
    "rounds": Switch(
        _("Rounds"),
        _("How many deals a game has. Without a fixed end it goes on until all people at the table agree to finish."),
        (*((number, str(number)) for number in range(1, 21)), (None, _("No fixed end"))),
    ),
    "must_head": Switch(
        _("Beating the trick"),
        _("Whether you must beat the best card of the trick when you follow suit and can."),
        ((True, _("You must beat it if you can")), (False, _("Any card of the suit will do"))),
    ),
    "min_bid": Switch(
        _("Lowest call"), _("Nobody may call fewer tricks."), tuple((number, str(number)) for number in range(1, 5))
    ),
    "max_bid": Switch(
        _("Highest call"), _("Nobody may call more tricks."), tuple((number, str(number)) for number in range(8, 14))
    ),
    "scoring": Switch(
        _("Scoring"),
        _("Which tricks make a call: as many or more, or exactly as many or one more."),
        (
            (OVERTRICKS, _("The call or more")),
            (EXACT_OR_ONE_OVER, _("The call or one more, nothing else")),
        ),
    ),
    "overtrick_tenths": Switch(
        _("Tricks over the call"),
        _("What each adds, where the call or more makes it."),
        ((1, _("0.1 points each")), (0, _("Nothing"))),
    ),
    "bonus_bid": Switch(
        _("High calls score 13"),
        _("A call of 8 or more that is made scores exactly 13 points."),
        YES_NO,
    ),
    "seating": Switch(
        _("Seats and first dealer"),
        _("Who sits where, and who deals first."),
        (
            ("draw", _("Drawn: the highest card deals first, and all sit in the order of their cards")),
            ("random", _("You stay where you sit; the first dealer is picked by chance")),
        ),
    ),
    "redeal_no_spade": Switch(
        _("Deal again without spades"), _("The cards are dealt again when a hand has no spade."), YES_NO
    ),
    "redeal_no_honour": Switch(
        _("Deal again without high cards"),
        _("The cards are dealt again when a hand has no ace, king, queen or jack."),
        YES_NO,
    ),
    "redeal_low_bids": Switch(
        _("Deal again after low calls"),
        _(
            "The cards are dealt again when the four calls sum to less than 10. "
            "Among good players that is nearly every fourth deal."
        ),
        YES_NO,
    ),
    "forced_cards": Switch(
        _("The only card you may play"),
        _("A card that is your only choice can play itself. In slow games that saves days."),
        (("at_once", _("It plays itself")), ("off", _("It waits for you"))),
    ),
}
