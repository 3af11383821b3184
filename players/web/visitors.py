"""Who is in front of the screen: nobody yet, a guest, or a person with an account."""

from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth import get_user_model, login
from django.db import transaction
from django.http import HttpRequest

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import throttles
from callbreak_site.http.addresses import household
from players.services.accounts import open_guest

BACKEND = "players.web.backend.OpenAccounts"
Done = TypeVar("Done")


def viewer_id(request: HttpRequest) -> UUID | None:
    """Return whose eyes a page is for."""
    return request.user.pk if request.user.is_authenticated else None


def player(request: HttpRequest) -> Any:
    """Return who acts; raises NOT_AUTHENTICATED, as it does to who is suspended: see `backend.py`."""
    if not request.user.is_authenticated:
        raise ServiceError(Code.NOT_AUTHENTICATED)
    return request.user


def done_by(request: HttpRequest, act: Callable[[UUID], Done]) -> Done:
    """Return what *act* does for who is signed in, or for a guest made for it: a refusal leaves no guest behind.

    Raises what *act* raises, or RATE_LIMITED.
    """
    if request.user.is_authenticated:
        return act(request.user.pk)
    throttles.spend("sign_up", household(request))
    with transaction.atomic():
        guest_id = open_guest().id
        done = act(guest_id)
    enter(request, guest_id)
    return done


def enter(request: HttpRequest, player_id: UUID) -> None:
    """Begin a session of a player, who has shown that it is him."""
    admit(request, get_user_model().objects.get(pk=player_id))


def admit(request: HttpRequest, person: Any) -> None:
    """Begin a session of *person*, which ends if the password is not any more the one that *person* was read with."""
    login(request, person, backend=BACKEND)
