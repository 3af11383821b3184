"""The rules in plain words, with examples that are drawn from the table that the tests use."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.rules import examples
from games.rules.cards import SPADES, SUIT_CARDS, card, cards, members, name, suit_of
from games.rules.ruleset import EXACT_OR_ONE_OVER, RULESETS, Ruleset
from games.rules.trick import BEATING, Trick, trick
from games.web.switches import SWITCHES
from games.web.words import RULESETS as TITLES
from games.web.words import SUITS, card_in_words


def rules(request: HttpRequest) -> HttpResponse:
    """Show how to play in a minute, the three rulesets beside each other, and the house rules."""
    shown = {
        "rulesets": [{"name": each, "title": TITLES[each][0], "about": TITLES[each][1]} for each in RULESETS],
        "tricks": [_trick(example) for example in examples.TRICKS],
        "compared": list(_compared()),
        "switches": [{"title": each.title, "meaning": each.meaning} for each in SWITCHES.values()],
        "redeals": [
            {"title": SWITCHES[switch].title, "hand": _cards(name(held) for held in members(cards(hand)))}
            for switch, hand in examples.REDEALS
        ],
    }
    return render(request, "games/rules.html", shown)


def rules_of(request: HttpRequest, name: str) -> HttpResponse:
    """Show one ruleset, example by example."""
    ruleset = RULESETS.get(name)
    if ruleset is None:
        raise Http404
    shown = {
        "ruleset": ruleset,
        "title": TITLES[name][0],
        "about": TITLES[name][1],
        "plays": list(_plays(ruleset)),
        "scores": [each for each in examples.SCORES if each.ruleset == name and not each.options],
        "is_exact": ruleset.scoring == EXACT_OR_ONE_OVER,
        "draw": [{"card": drawn, "label": card_in_words(card(drawn)), "seat": seat} for drawn, seat in DRAWN],
        "others": [{"name": each, "title": TITLES[each][0]} for each in RULESETS if each != name],
    }
    return render(request, "games/rules_of.html", shown)


DRAWN = sorted(examples.DRAW, key=lambda drawn: drawn[1])


def _plays(ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    """Yield the examples that show something which none before them shows."""
    told: set[str] = set()
    for example in examples.PLAYS:
        play = _play(example, ruleset)
        if play["why"] not in told:
            told.add(play["why"])
            yield play


def _play(example: examples.PlayExample, ruleset: Ruleset) -> dict[str, Any]:
    hand, so_far = cards(example.hand), trick(example.so_far)
    may = (example.with_must_head if ruleset.must_head else example.without).split()
    return {
        "trick": _cards(example.so_far.split()),
        "hand": [each | {"is_legal": each["card"] in may} for each in _cards(name(held) for held in members(hand))],
        "may": [card_in_words(card(text)) for text in may],
        "why": why(hand, so_far, ruleset),
    }


def _trick(example: examples.TrickExample) -> dict[str, Any]:
    played = example.played.split()
    plays = [each | {"is_winner": n == example.winner} for n, each in enumerate(_cards(played))]
    whole = trick(example.played)
    by_trump = suit_of(whole.best) != whole.led_suit
    words = _("The highest spade takes the trick.") if by_trump else _("The highest card of the suit led takes it.")
    return {"plays": plays, "winner": plays[example.winner]["label"], "words": words}


def _cards(names: Any) -> list[dict[str, Any]]:
    return [{"card": each, "label": card_in_words(card(each))} for each in names]


def why(hand: int, so_far: Trick, ruleset: Ruleset) -> str:
    """Return why a hand may play what it may.

    >>> from games.rules.ruleset import LITE, MASTER
    >>> why(cards("KH 2H"), trick("QH"), LITE)
    'You have hearts and can beat the queen of hearts, so you must.'
    >>> why(cards("KH 2H"), trick("QH"), MASTER)
    'You have hearts: play any of them.'
    >>> why(cards("2D 3S"), trick("QH 4S"), LITE)
    'You have no hearts, and no spade of yours would win: play any card.'
    """
    suit, best = {"suit": SUITS[so_far.led_suit]}, {"card": card_in_words(so_far.best)}
    following, winning = hand & SUIT_CARDS[so_far.led_suit], hand & BEATING[so_far.best]
    is_trumped = suit_of(so_far.best) != so_far.led_suit
    if following and not ruleset.must_head:
        return _("You have %(suit)s: play any of them.") % suit
    if following & winning:
        return _("You have %(suit)s and can beat the %(card)s, so you must.") % (suit | best)
    if following and is_trumped:
        return _("The trick is trumped, so your %(suit)s cannot win: play any of them.") % suit
    if following:
        return _("You have %(suit)s, but none beats the %(card)s: play any of them.") % (suit | best)
    if winning and is_trumped:
        return _("You have no %(suit)s: you must trump higher than the %(card)s.") % (suit | best)
    if winning:
        return _("You have no %(suit)s: you must trump with a spade.") % suit
    if not hand & SUIT_CARDS[SPADES]:
        return _("You have neither %(suit)s nor spades: play any card.") % suit
    return _("You have no %(suit)s, and no spade of yours would win: play any card.") % suit


def _compared() -> Iterator[dict[str, Any]]:
    """Yield each switch in which the rulesets differ, with its value in each."""
    for option, switch in SWITCHES.items():
        values = [getattr(ruleset, option) for ruleset in RULESETS.values()]
        if len(set(values)) > 1:
            words = dict(switch.values)
            yield {"title": switch.title, "values": [words[value] for value in values]}
