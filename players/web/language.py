"""The language of the pages: a cookie, and for who is signed in a preference that comes along."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.i18n import LANGUAGE_QUERY_PARAMETER
from django.views.i18n import set_language as set_cookie

from players.services.preferences import change_preferences


def set_language(request: HttpRequest) -> HttpResponseBase:
    """Change the language as Django does, and remember it on the account."""
    answer = set_cookie(request)
    wanted = request.POST.get(LANGUAGE_QUERY_PARAMETER, "")
    if request.method == "POST" and wanted in dict(settings.LANGUAGES) and request.user.is_authenticated:
        change_preferences(player_id=request.user.pk, language=wanted)
    return answer


def speak(answer: HttpResponseBase, language: str) -> None:
    """Have the browser ask for this language from now on, or for its own if there is none."""
    kept: dict[str, Any] = {
        "path": settings.LANGUAGE_COOKIE_PATH,
        "domain": settings.LANGUAGE_COOKIE_DOMAIN,
        "samesite": settings.LANGUAGE_COOKIE_SAMESITE,
    }
    if not language:
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME, **kept)
        return
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        **kept,
    )


def chosen(request: HttpRequest) -> str:
    """Return the language that somebody has chosen in this browser, "" if none."""
    kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return kept if kept in dict(settings.LANGUAGES) else ""
