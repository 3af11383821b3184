"""A game that is over, step by step with all hands open."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from callbreak_site.errors import Code, ServiceError
from callbreak_site.web.acts import refused
from games.presenters.table import Table
from games.selectors.exports import written_record
from games.selectors.tables import find_table
from players.web.visitors import viewer_id


def finished_table(request: HttpRequest, game_id: str) -> Table:
    """Return a finished game to who may see it; raises GAME_NOT_FINISHED, or as `find_table`."""
    table = find_table(game_id, viewer_id(request))
    if table.status != "finished":
        raise ServiceError(Code.GAME_NOT_FINISHED)
    return table


class Replay(View):
    """The page of a replay."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show it to who may see the game."""
        try:
            table = finished_table(request, game_id)
        except ServiceError as refusal:
            return refused(request, refusal)
        return render(request, "games/replay.html", {"table": table, "text": written_record(table)})
