"""A game that is over, step by step with all hands open, and its record to take away."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.rendering import encode
from callbreak_site.web.acts import is_script, refused
from games.presenters.table import Table
from games.selectors.events import all_events
from games.selectors.exports import owned_seats, record_of, whole_record, written_record
from games.selectors.rounds import round_records
from games.selectors.tables import find_table
from games.web.playback import playback
from players.web.visitors import viewer_id

OVER = ("finished", "void")


@method_decorator(never_cache, name="dispatch")
class Replay(View):
    """The page of a replay, at the step that its address names."""

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Show it to who may see the game; a script gets the board alone, to put in the place of another round's."""
        try:
            table = find_table(game_id, viewer_id(request))
            if table.status not in OVER:
                raise ServiceError(Code.GAME_NOT_FINISHED)
            rounds = [row for row in round_records(uuid.UUID(table.id)) if row.is_finished]
            if not rounds:
                raise ServiceError(Code.NOT_AVAILABLE)
        except ServiceError as refusal:
            return refused(request, refusal)
        events = all_events(uuid.UUID(table.id))
        number, step = _number(request, "round", 1), _number(request, "step", 0)
        shown = playback(
            table,
            record_of(table, rounds, events),
            events,
            owned_seats(table, events),
            viewer_id(request),
            number,
            step,
        )
        return render(request, "games/_replay.html" if is_script(request) else "games/replay.html", shown)


@method_decorator(never_cache, name="dispatch")
class Download(View):
    """The record of a finished game as a file, the same as the export of the API."""

    kind = "txt"

    def get(self, request: HttpRequest, game_id: str) -> HttpResponse:
        """Send it to who may see the game."""
        try:
            table = find_table(game_id, viewer_id(request))
            if table.status != "finished":
                raise ServiceError(Code.GAME_NOT_FINISHED)
        except ServiceError as refusal:
            return refused(request, refusal)
        return attached(f"callbreak-{table.id}.{self.kind}", *self.content(table))

    def content(self, table: Table) -> tuple[bytes, str]:
        """Return the file and what it is."""
        if self.kind == "txt":
            return written_record(table).encode(), "text/plain; charset=utf-8"
        return encode(whole_record(table)), "application/json"


def attached(filename: str, content: bytes, content_type: str) -> HttpResponse:
    """Return a file that a browser keeps instead of showing it."""
    disposition = f'attachment; filename="{filename}"'
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": disposition})


def _number(request: HttpRequest, name: str, otherwise: int) -> int:
    """Return what the address says, if that is a number of few digits."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else otherwise
