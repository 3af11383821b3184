"""The app's configuration."""

from django.apps import AppConfig


class HttpConfig(AppConfig):
    """Stored answers for requests that are sent twice."""

    name = "callbreak_site.http"
    label = "http"
