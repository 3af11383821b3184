"""What only people with a browser need: the API knows nobody by a cookie, and so reads none."""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from callbreak_site.handlers import API


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

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Leave no language behind for what this thread answers next."""
        answer = super().process_response(request, response)
        translation.deactivate()
        return answer


class Compression(ForPages, GZipMiddleware):
    """Compresses pages and what belongs to them, for who has no proxy in front that does."""
