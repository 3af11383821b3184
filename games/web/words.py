"""Cards, seats, rulesets and rules in the reader's words."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.presenters.table import Table
from games.rules.cards import RANKS, Card, rank_of, suit_of
from games.rules.ruleset import RULESETS as PUBLISHED
from games.rules.ruleset import Ruleset
from games.rules.trick import Rule, Trick

SUITS: Sequence[str | Promise] = (
    pgettext_lazy("suit", "clubs"),
    pgettext_lazy("suit", "diamonds"),
    pgettext_lazy("suit", "hearts"),
    pgettext_lazy("suit", "spades"),
)
CARDS: dict[str, str | Promise] = {
    "2": gettext_lazy("two of %(suit)s"),
    "3": gettext_lazy("three of %(suit)s"),
    "4": gettext_lazy("four of %(suit)s"),
    "5": gettext_lazy("five of %(suit)s"),
    "6": gettext_lazy("six of %(suit)s"),
    "7": gettext_lazy("seven of %(suit)s"),
    "8": gettext_lazy("eight of %(suit)s"),
    "9": gettext_lazy("nine of %(suit)s"),
    "T": gettext_lazy("ten of %(suit)s"),
    "J": gettext_lazy("jack of %(suit)s"),
    "Q": gettext_lazy("queen of %(suit)s"),
    "K": gettext_lazy("king of %(suit)s"),
    "A": gettext_lazy("ace of %(suit)s"),
}
RULESETS: dict[str, tuple[str | Promise, str | Promise]] = {
    "call-break-2": (
        gettext_lazy("Classic"),
        gettext_lazy("Five rounds, calls from 1 to 13. Follow suit and beat the trick if you can."),
    ),
    "lite": (
        gettext_lazy("Lite"),
        gettext_lazy("As Classic, without drawing for seats: you sit where you sat down."),
    ),
    "master": (
        gettext_lazy("Master"),
        gettext_lazy(
            "No fixed end, calls from 2. You need not beat the trick, and only your call or one more trick counts."
        ),
    ),
    "custom": (gettext_lazy("House rules"), gettext_lazy("Rules of your own.")),
}
LEVELS: dict[str, str | Promise] = {"easy": gettext_lazy("Easy bot"), "medium": gettext_lazy("Medium bot")}


def card_in_words(card: Card) -> str:
    """Return a card's name for people.

    >>> from games.rules.cards import card
    >>> card_in_words(card("QH"))
    'queen of hearts'
    """
    return str(CARDS[RANKS[rank_of(card)]]) % {"suit": SUITS[suit_of(card)]}


def ruleset_in_words(ruleset: Ruleset) -> str:
    """Return what a table's rules are called; that forced cards play themselves makes them no house rules.

    >>> from games.rules.ruleset import LITE, customised
    >>> ruleset_in_words(LITE), ruleset_in_words(customised("lite", {"rounds": 3}))
    ('Lite', 'Lite, house rules')
    >>> ruleset_in_words(customised("lite", {"forced_cards": "at_once"}))
    'Lite'
    """
    name = str(RULESETS[ruleset.name][0])
    published = PUBLISHED.get(ruleset.name)
    if published is None or replace(ruleset, forced_cards=published.forced_cards) == published:
        return name
    return _("%(ruleset)s, house rules") % {"ruleset": name}


def level_in_words(level: str | None) -> str:
    """Return what a bot of this level is called."""
    return str(LEVELS.get(level or "", level or ""))


def seat_in_words(table: Table, number: int) -> str:
    """Return what the one on a seat is called at its table: people by their names, bots by numbers."""
    seat = table.seats[number]
    if seat is None:
        return ""
    if not seat.bot_level:
        return seat.username
    nth = sum(bool(other and other.bot_level) for other in table.seats[: number + 1])
    return _("Bot %(number)d") % {"number": nth}


def rule_in_words(rule: Rule, trick: Trick) -> str:
    """Return what a rule asks of who plays to *trick*.

    >>> from games.rules.trick import trick
    >>> rule_in_words(Rule.MUST_HEAD, trick("TH KH"))
    'You must beat the king of hearts.'
    """
    if rule is Rule.MUST_FOLLOW:
        return _("You must follow suit: play %(suit)s.") % {"suit": SUITS[trick.led_suit]}
    if rule is Rule.MUST_HEAD:
        return _("You must beat the %(card)s.") % {"card": card_in_words(trick.best)}
    if suit_of(trick.best) == suit_of(trick.cards[0]):
        return _("You have no %(suit)s: you must trump with a spade.") % {"suit": SUITS[trick.led_suit]}
    return _("You must trump higher than the %(card)s.") % {"card": card_in_words(trick.best)}
