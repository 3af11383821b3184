"""The app's configuration."""

from importlib import import_module

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Facts, their delivery, and the sweeps that find what was missed."""

    name = "callbreak_site.outbox"
    label = "outbox"

    def ready(self) -> None:
        """Register the system checks."""
        import_module("callbreak_site.outbox.checks")
