"""Administrators are made from the command line."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from players.models import Player
from tests.players.people import asha

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a wet otter on a bus")


def create(username: str) -> Any:
    call_command("createsuperuser", interactive=False, username=username, verbosity=0)
    return Player.objects.get(username=username)


def test_an_administrator_may_have_a_reserved_name() -> None:
    admin = create("admin")
    assert (admin.is_staff, admin.is_superuser, admin.kind) == (True, True, "human")
    assert admin.check_password("a wet otter on a bus")


@pytest.mark.parametrize("username", ["a b", "x", "аdmin", "asha\n"])
def test_the_name_is_a_name_all_the_same(username: str) -> None:
    with pytest.raises(CommandError):
        create(username)


@pytest.mark.parametrize("username", ["asha1", "Asha1", "ashaI"])
def test_a_name_that_somebody_has_is_refused_with_a_sentence(username: str) -> None:
    asha("asha1")
    with pytest.raises(CommandError):
        create(username)
