"""How a game was dealt, for whoever wants to check it."""

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from callbreak_site.errors import ServiceError
from callbreak_site.http.rendering import encode
from callbreak_site.web.acts import refused
from games.presenters.deals import deals
from games.presenters.table import Table
from games.rules.cards import card, cards, members, name
from games.rules.shuffle import NO_SEED, commitment, deal, deal_key, deck
from games.selectors.events import all_events
from games.selectors.proofs import proof_of, proofs_of
from games.selectors.rounds import round_records
from games.selectors.tables import find_table
from games.web.replay import attached
from games.web.words import card_in_words, seat_in_words
from players.web.visitors import viewer_id


@method_decorator(never_cache, name="dispatch")
class Deals(View):
    """The page with the proofs of a game's deals."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show it to who may see the game."""
        # The rounds are read before the seats: those have their last numbers then.
        rounds = round_records(uuid.UUID(game_id))
        try:
            table = find_table(game_id, viewer_id(request))
        except ServiceError as refusal:
            return refused(request, refusal)
        told = deals(table, rounds, proofs_of(table, rounds), all_events(uuid.UUID(game_id)))
        shown = {
            "game_id": table.id,
            "status": table.status,
            "deals": told | {"me": table.seat_of(viewer_id(request))},
            "rounds": [_round(proof, table) for proof in told["rounds"]],
            "words": check_words(),
        }
        return render(request, "games/deals.html", shown)


@method_decorator(never_cache, name="dispatch")
class DealProof(View):
    """The proof of one deal as a file, as `manage.py verify_deal` reads it."""

    def get(self, request: HttpRequest, game_id: str, number: int) -> HttpResponse:
        """Send it to who may see the game."""
        try:
            table = find_table(game_id, viewer_id(request))
        except ServiceError as refusal:
            return refused(request, refusal)
        proof = proof_of(uuid.UUID(table.id), number)
        if proof is None:
            raise Http404
        return attached(f"callbreak-{table.id}-deal-{number}.json", encode(proof), "application/json")


def fair_deals(request: HttpRequest) -> HttpResponse:
    """Explain how deals are made, with an example that anybody can reckon again."""
    game_id, secret = bytes(range(16)), bytes(range(32))
    seeds = [bytes([seat + 1]) * 32 for seat in range(4)]
    shuffled = deck(deal_key(secret, game_id, 1, seeds))
    shown = {
        "game_id": game_id.hex(),
        "secret": secret.hex(),
        "seeds": [seed.hex() for seed in seeds],
        "commitment": commitment(game_id, 1, secret).hex(),
        "deck": [_named(name(each)) for each in shuffled[:13]],
        "hand": [_named(name(each)) for each in members(deal(shuffled, 3)[0])],
    }
    return render(request, "games/fair_deals.html", shown)


def check_words() -> dict[str, dict[str, str]]:
    """Return what the script on the page says of each check: that it holds, that it does not, or why it cannot tell."""
    return {
        "promise": {
            "yes": _("The secret is the one that was promised before the game."),
            "no": _("The secret is not the one that was promised."),
        },
        "kept": {
            "yes": _("The promise is the one that this browser kept when you sat down."),
            "no": _("The promise is not the one that this browser kept when you sat down."),
            "none": _("This browser kept no promise of this game to compare with."),
        },
        "seed": {
            "yes": _("The random number that this browser made for you was used."),
            "no": _("Another random number than the one that this browser made for you was used."),
            "none": _("This browser made no random number for this game."),
        },
        "seats": {
            "yes": _("The players' random numbers are the same as at the start."),
            "no": _("The players' random numbers are not the same as at the start."),
        },
        "deck": {
            "yes": _("The secret and the players' numbers make exactly this deck."),
            "no": _("The secret and the players' numbers make another deck."),
        },
        "draw": {
            "yes": _("The seats and the first dealer follow from the draw."),
            "no": _("The seats or the first dealer do not follow from the draw."),
        },
        "hands": {
            "yes": _("The deck, dealt card by card, makes the four hands that were played."),
            "no": _("The deck makes other hands than those that were played."),
        },
        "redeals": {
            "yes": _("The deals that were given up were as recorded, and for the reason told."),
            "no": _("The deals that were given up were not as recorded, or had no reason."),
        },
        "verdict": {
            "yes": _("Every deal that is over holds."),
            "no": _("Something does not hold: see below."),
        },
    }


def _round(proof: dict[str, Any], table: Table) -> dict[str, Any]:
    """Return a proof as the page lists it, with the players' names beside their numbers."""
    order = proof.get("joined") or range(4)
    seeds = proof["seat_seeds"] or ()
    return proof | {
        "seeds": [
            {"name": seat_in_words(table, seat), "seed": seed, "is_none": seed == NO_SEED.hex()}
            for seat, seed in zip(order, seeds, strict=False)
        ],
        "dealer_name": None if proof["dealer"] is None else seat_in_words(table, proof["dealer"]),
        "cards": [_named(each) for each in proof["deck"] or ()],
        "dealt": [
            {
                "name": seat_in_words(table, seat),
                "cards": [_named(name(each)) for each in members(cards(" ".join(hand)))],
            }
            for seat, hand in enumerate(proof["hands"] or ())
        ],
        "drawn": [
            {"name": seat_in_words(table, seat.number), **_named(seat.drawn_card)}
            for seat in table.seats
            if seat and seat.drawn_card and proof["round"] == 0
        ],
    }


def _named(text: str) -> dict[str, str]:
    return {"rank": text[0].replace("T", "10"), "suit": text[1], "label": card_in_words(card(text))}
