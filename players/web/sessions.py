"""Who holds a session, for what outlives a request."""

from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest


def holder(session_key: str | None) -> UUID | None:
    """Return who is signed in by the session with this key; None once it has ended, or if nobody is."""
    if not session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user.pk if user.is_authenticated else None
