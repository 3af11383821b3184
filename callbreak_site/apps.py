"""The app's configuration."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The house itself: commands, checks and health."""

    name = "callbreak_site"
    label = "site"

    def ready(self) -> None:
        """Register the system checks, and the Celery application for whoever publishes."""
        import callbreak_site.celery
        import callbreak_site.checks  # noqa: F401
