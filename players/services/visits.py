"""Where people are signed in: noted, ended and tidied away."""

from uuid import UUID

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import IntegrityError
from django.db.models.functions import Now

from callbreak_site.errors import Code, ServiceError
from players.models import LONGEST_USER_AGENT, Visit


def note_visit(*, session_key: str, player_id: UUID, user_agent: str) -> None:
    """Write down that a player was seen in this session."""
    seen = Visit(
        session_id=session_key, player_id=player_id, user_agent=user_agent[:LONGEST_USER_AGENT], last_seen_at=Now()
    )
    try:
        Visit.objects.bulk_create(
            [seen], update_conflicts=True, unique_fields=["session"], update_fields=["user_agent", "last_seen_at"]
        )
    except IntegrityError:
        return  # the session was ended from elsewhere at this moment


def end_visit(*, player_id: UUID, visit_id: UUID) -> None:
    """End one session of this player at once; raises NOT_FOUND for anything else."""
    found, _ = Session.objects.filter(visit__player_id=player_id, visit__pk=visit_id).delete()
    if not found:
        raise ServiceError(Code.NOT_FOUND, "You are not signed in there.")


def end_visits(*, player_id: UUID, but: str | None = None) -> None:
    """End all sessions of this player, *but* the one with that key."""
    Session.objects.filter(visit__player_id=player_id).exclude(session_key=but or "").delete()


def purge_ended() -> None:
    """Delete the sessions that have ended by themselves, and with them what is known of them."""
    SessionStore.clear_expired()
