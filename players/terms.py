"""The kinds of accounts, and what tokens may be used for."""

from django.db import models


class Scope(models.TextChoices):
    """What a token may be used for."""

    GAMES_READ = "games:read"
    GAMES_PLAY = "games:play"
    ACCOUNT_READ = "account:read"
    ACCOUNT_WRITE = "account:write"
    CHAT_WRITE = "chat:write"
    WEBHOOKS_WRITE = "webhooks:write"
    BOT_PLAY = "bot:play"


PERSONS_SCOPES = [scope.value for scope in Scope if scope is not Scope.BOT_PLAY]


class Kind(models.TextChoices):
    """Whether the account has been claimed with a password."""

    HUMAN = "human"
    GUEST = "guest"
