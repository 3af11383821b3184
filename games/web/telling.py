"""What a script on the page says: the names of the cards, and a sentence for each thing that happens."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.cards import NAMES
from games.web.words import card_in_words


def words() -> dict[str, dict[str, str]]:
    """Return the words of the table's scripts, which put names into the sentences."""
    return {
        "cards": {name: card_in_words(number) for number, name in enumerate(NAMES)},
        "told": {
            "card.played": _("%(player)s plays the %(card)s."),
            "card.played.me": _("You play the %(card)s."),
            "bid.made": _("%(player)s calls %(bid)s."),
            "bid.made.me": _("You call %(bid)s."),
            "trick.won": _("%(player)s takes the trick."),
            "trick.won.me": _("You take the trick."),
            "round.dealt": _("Round %(round)s is dealt."),
            "round.redealt": _("The round is dealt again."),
            "round.scored": _("Round %(round)s is over."),
            "turn.mine": _("It is your turn."),
            "turn.missed": _("%(player)s missed the turn: a bot plays."),
            "turn.missed.me": _("You missed the turn: a bot plays."),
            "seat.resigned": _("%(player)s has left; a bot takes the seat."),
            "game.finished": _("The game is over."),
            "not.sent": _("That was not sent: there is no connection. Please try again."),
            "order.unknown": _("There is no such card or call in front of you."),
            "trick.empty": _("No card is on the table."),
        },
    }


def missed_in_words(tricks: int) -> str:
    """Return how much happened since somebody was here.

    >>> missed_in_words(7)
    '7 tricks since you left.'
    """
    return ngettext("%(count)d trick since you left.", "%(count)d tricks since you left.", tricks) % {"count": tricks}
