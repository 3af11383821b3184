"""What only people with a browser need: the API knows nobody by a cookie, and so reads none."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils.deprecation import MiddlewareMixin

API = "/api/v1/"


class ForPages(MiddlewareMixin):
    """Middleware that steps aside for the API."""

    def __call__(self, request: HttpRequest) -> Any:
        """Answer *request*, with what the middleware adds unless a client asks."""
        if request.path_info.startswith(API):
            return self.get_response(request)
        return super().__call__(request)


class Sessions(ForPages, SessionMiddleware):
    """Keeps a session."""


class Accounts(ForPages, AuthenticationMiddleware):
    """Knows who has signed in."""


class Messages(ForPages, MessageMiddleware):
    """Carries a message to the next page."""


class Languages(ForPages, LocaleMiddleware):
    """Speaks the language that was chosen, or that the browser asks for; the API speaks English."""


class Compression(ForPages, GZipMiddleware):
    """Compresses pages and what belongs to them, for who has no proxy in front that does."""


class Api(WSGIHandler):
    """Answers the API, without what only pages need."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Make the chain of the rest."""
        whole = settings.MIDDLEWARE
        settings.MIDDLEWARE = [name for name in whole if name not in settings.FOR_PAGES]
        try:
            super().load_middleware(is_async)
        finally:
            settings.MIDDLEWARE = whole


class Site:
    """Answers everything."""

    def __init__(self) -> None:
        self.pages = WSGIHandler()
        self.api = Api()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer one request."""
        is_for_api = environ["PATH_INFO"].startswith(API)
        return (self.api if is_for_api else self.pages)(environ, start_response)
