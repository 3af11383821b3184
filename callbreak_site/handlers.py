"""Two ways through the house: the API's requests meet nothing that only pages need."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

API = "/api/v1/"


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
