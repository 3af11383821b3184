"""The app's configuration."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Bots that play from their seat's view."""

    name = "bots"
