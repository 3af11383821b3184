"""How a game was dealt, for whoever wants to check it."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from callbreak_site.errors import ServiceError
from callbreak_site.web.acts import refused
from games.selectors.proofs import proofs_of
from games.selectors.rounds import round_records
from games.selectors.tables import find_table
from players.web.visitors import viewer_id


class Deals(View):
    """The page with the proofs of a game's deals."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show it to who may see the game."""
        try:
            table = find_table(game_id, viewer_id(request))
        except ServiceError as refusal:
            return refused(request, refusal)
        proofs = proofs_of(table, round_records(uuid.UUID(table.id)))
        return render(request, "games/deals.html", {"table": table, "proofs": proofs})


def fair_deals(request: HttpRequest) -> HttpResponse:
    """Explain how deals are made."""
    return render(request, "games/fair_deals.html")
