"""People at the desk, and their browsers."""

import uuid
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client

from players.models import Player


def person(name: str | None = None, **fields: Any) -> Player:
    """Make a player who can sign in nowhere."""
    return Player.objects.create(username=name or f"p-{uuid.uuid4().hex[:12]}", **fields)


def moderator(name: str = "mo") -> Player:
    """Make somebody who is staff and in the group, nothing else."""
    player = person(name, is_staff=True)
    player.groups.add(Group.objects.get(name="Moderators"))
    return player


def administrator(name: str = "ada") -> Player:
    """Make a superuser."""
    return person(name, is_staff=True, is_superuser=True)


def staff(name: str = "stan") -> Player:
    """Make somebody who may enter the admin and do nothing there."""
    return person(name, is_staff=True)


def browser(player: Player | None = None) -> Client:
    """Open a browser, signed in if somebody is named; errors are answers, not exceptions."""
    client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.7")
    if player is not None:
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(kind: str, key: object, act: str = "change") -> str:
    """Return the address of a row's page, or of an act on it."""
    app = {"player": "players", "audit": "players", "game": "games"}[kind]
    return f"/admin/{app}/{kind}/{key}/{act}/"


def said(response: Any) -> list[str]:
    """Return the messages that the next page shows."""
    return [str(message) for message in response.wsgi_request._messages]
