"""The app's configuration."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Accounts, tokens and moderation."""

    name = "players"
