"""Every refusal in the reader's own words; the code is what the services raise."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from callbreak_site.errors import Code, ServiceError

WORDS: dict[Code, str | Promise] = {
    Code.INVALID: gettext_lazy("Something in the form is not right."),
    Code.NOT_AUTHENTICATED: gettext_lazy("Please sign in first."),
    Code.SUSPENDED: gettext_lazy("This account is suspended."),
    Code.NOT_FOUND: gettext_lazy("This does not exist, or you may not see it."),
    Code.RATE_LIMITED: gettext_lazy("That was too often. Please try again a little later."),
    Code.INTERNAL: gettext_lazy("Something went wrong."),
    Code.UNAVAILABLE: gettext_lazy("This does not work at the moment. Please try again."),
    Code.USERNAME_TAKEN: gettext_lazy("Somebody has this name, or one that looks like it."),
    Code.EMAIL_TAKEN: gettext_lazy("Another account has this e-mail address."),
    Code.WRONG_PASSWORD: gettext_lazy("The password is wrong."),
    Code.NOT_SEATED: gettext_lazy("You do not sit at this table."),
    Code.NOT_CREATOR: gettext_lazy("Only who made the table may do this."),
    Code.ALREADY_SEATED: gettext_lazy("You already sit at this table."),
    Code.GAME_FULL: gettext_lazy("All four places are taken."),
    Code.SEAT_TAKEN: gettext_lazy("This place is taken."),
    Code.ALREADY_STARTED: gettext_lazy("The game has started."),
    Code.GAME_NOT_OPEN: gettext_lazy("The table is not open any more."),
    Code.GAME_NOT_ACTIVE: gettext_lazy("The game is over."),
    Code.GAME_NOT_FINISHED: gettext_lazy("The game is not over yet."),
    Code.VERSION_CONFLICT: gettext_lazy("The game has moved on meanwhile."),
    Code.WRONG_PHASE: gettext_lazy("It is not the time for this."),
    Code.NOT_YOUR_TURN: gettext_lazy("It is not your turn."),
    Code.FINISH_AGREED: gettext_lazy("All have agreed: the game ends with this round."),
    Code.CARD_NOT_HELD: gettext_lazy("You do not hold this card."),
    Code.ILLEGAL_PLAY: gettext_lazy("The rules forbid this card."),
    Code.ILLEGAL_BID: gettext_lazy("The rules forbid this call."),
    Code.NOT_AVAILABLE: gettext_lazy("This is not possible here."),
}


def in_words(refusal: ServiceError) -> str:
    """Return what a page says of *refusal*.

    >>> in_words(ServiceError(Code.GAME_FULL))
    'All four places are taken.'
    """
    return str(WORDS.get(refusal.code) or _("This is not possible."))
