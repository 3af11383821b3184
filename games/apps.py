"""The app's configuration."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games, from the lobby to the record."""

    name = "games"
