"""The app's configuration."""

from importlib import import_module

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Bots that play from their seat's view."""

    name = "bots"

    def ready(self) -> None:
        """Register the system checks."""
        import_module("bots.checks")
