"""The app's configuration."""

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The house itself: commands, checks and health."""

    name = "callbreak_site"
    label = "site"

    def ready(self) -> None:
        """Register the system checks, and the Celery application for whoever publishes."""
        for module in ("callbreak_site.checks", "callbreak_site.celery"):
            import_module(module)
