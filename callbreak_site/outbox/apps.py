"""The app's configuration."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Facts, their delivery, and the sweeps that find what was missed."""

    name = "callbreak_site.outbox"
    label = "outbox"
