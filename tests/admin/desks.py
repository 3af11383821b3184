"""People at the desk, and their browsers."""

import uuid
from importlib import import_module
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group
from django.contrib.messages import get_messages
from django.test import Client

from players.models import Player

ADDRESS = "192.0.2.7"
PASSWORD = "a wet otter on a bus"


def person(name: str | None = None, **fields: Any) -> Player:
    """Make a player."""
    return Player.objects.create(username=name or f"p-{uuid.uuid4().hex[:12]}", **fields)


def moderators() -> Group:
    """Return the group that the migration made; tests that end by emptying all tables take it along."""
    group = Group.objects.filter(name="Moderators").first()
    if group is None:
        import_module("games.migrations.0002_moderators").gather_moderators(apps, None)
    return group or Group.objects.get(name="Moderators")


def moderator(name: str = "mo") -> Player:
    """Make somebody who is staff and in the group, nothing else."""
    player = person(name, is_staff=True)
    player.groups.add(moderators())
    return player


def administrator(name: str = "ada") -> Player:
    """Make a superuser."""
    return person(name, is_staff=True, is_superuser=True)


def staff(name: str = "stan") -> Player:
    """Make somebody who may enter the admin and do nothing there."""
    return person(name, is_staff=True)


def browser(player: Player | None = None, **options: Any) -> Client:
    """Open a browser, signed in if somebody is named; what goes wrong is an answer, not an exception."""
    client = Client(raise_request_exception=False, REMOTE_ADDR=ADDRESS, **options)
    if player is not None:
        client.force_login(player, backend="players.web.backend.OpenAccounts")
    return client


def page(kind: str, key: object, act: str = "change") -> str:
    """Return the address of a row's page, or of an act on it."""
    app = {"player": "players", "audit": "players", "game": "games", "fact": "outbox", "claim": "bots"}[kind]
    return f"/admin/{app}/{kind}/{key}/{act}/"


def said(response: Any) -> list[str]:
    """Return what the page tells about the act before it; follow the redirect first."""
    assert response.status_code == 200, response.status_code
    return [str(message) for message in get_messages(response.wsgi_request)]
