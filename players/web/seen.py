"""Notes where people are signed in, and lets a session that is used live on."""

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from callbreak_site.pages import ForPages
from players.services.visits import note_visit


class Visits(ForPages):
    """Writes once a day for each session, and whenever a session begins or changes its key."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Note who was here."""
        session = request.session
        if not session.accessed or SESSION_KEY not in session or not request.user.is_authenticated:
            return response
        if session.session_key is None:
            session.create()
        seen = f"{timezone.now().date()} {session.session_key}"
        if session.get("seen") != seen:
            session["seen"] = seen  # a session that changes is kept, and its cookie sent, for the whole time again
            note_visit(
                session_key=str(session.session_key),
                player_id=request.user.pk,
                user_agent=request.headers.get("User-Agent", ""),
            )
        return response
