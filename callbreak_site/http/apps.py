"""The app's configuration."""

from django.apps import AppConfig

from callbreak_site.http.converters import register


class HttpConfig(AppConfig):
    """Stored answers for requests that are sent twice."""

    name = "callbreak_site.http"
    label = "http"

    def ready(self) -> None:
        """Make the parts of a path known before any path is read, and the system checks."""
        from callbreak_site.http import checks  # noqa: F401, PLC0415 (registers what needs the settings)

        register()
