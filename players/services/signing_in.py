"""Signing in with a name and a password."""

from django.db import transaction
from django.db.models.functions import Lower

from callbreak_site.errors import Code, ServiceError
from players import selectors
from players.models import Player
from players.names import USERNAME
from players.services.accounts import SignedIn, locked
from players.services.passwords import spend_time_on
from players.services.tokens import issue_token


def sign_in(*, username: str, password: str, token_name: str) -> SignedIn:
    """Return the person with a new token; raises as `recognise_player`."""
    player = recognise_player(username=username, password=password)
    with transaction.atomic():
        if locked(player.pk).password != player.password:  # changed while it was being checked
            raise wrong()
        return SignedIn(selectors.as_person(player), issue_token(player_id=player.pk, name=token_name))


def recognise_player(*, username: str, password: str) -> Player:
    """Return the player of this name and password, for whom a session may begin.

    Raises NOT_AUTHENTICATED for a name or password that is wrong, as slowly for an unknown name as for a known one, and
    SUSPENDED, but only to whoever knows the password.
    """
    player = player_named(username)
    if player is None or not player.has_usable_password():
        spend_time_on(password)
        raise wrong()
    if not player.check_password(password):
        raise wrong()
    if player.suspended_at is not None:
        raise ServiceError(Code.SUSPENDED, player.suspension_reason)
    return player


def player_named(username: str) -> Player | None:
    """Return the open account of this name, in any case."""
    if not USERNAME.fullmatch(username):
        return None
    named = Player.objects.annotate(lower=Lower("username"))
    return named.filter(lower=username.lower(), is_active=True).first()


def wrong() -> ServiceError:
    """Return the one refusal for a wrong name and for a wrong password."""
    return ServiceError(Code.NOT_AUTHENTICATED, "The name or the password is wrong.")
