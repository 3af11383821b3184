"""Accounts: opened, claimed, changed and closed."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.idempotency import forget_player
from players import selectors
from players.models import Player, RetiredName, Token
from players.names import imprint
from players.services import passwords
from players.services.tokens import issue_token
from players.services.visits import end_visits
from players.terms import Kind

NO_LOOK_ALIKES = "abcdefghjkmnpqrstuwxyz23456789"
TAKEN = {
    "one_player_a_name": (Code.USERNAME_TAKEN, "Somebody has this name."),
    "one_player_a_name_in_any_case": (Code.USERNAME_TAKEN, "Somebody has this name."),
    "one_player_a_look": (Code.USERNAME_TAKEN, "This name looks too much like somebody else's."),
    "one_player_an_email": (Code.EMAIL_TAKEN, "Another account has this e-mail address."),
}


@dataclass(frozen=True)
class SignedIn:
    """A person with the text of a new token, which is told once."""

    person: selectors.Person
    token: str


def sign_up(*, username: str, password: str, email: str = "") -> SignedIn:
    """Open an account; raises INVALID, USERNAME_TAKEN or EMAIL_TAKEN."""
    player = _new_person(username, password, email)
    with transaction.atomic():
        _save_new(player)
        return signed_in(player, "Sign-up")


def open_account(*, username: str, password: str, email: str = "") -> selectors.Person:
    """Do the same for somebody who has a session and needs no token."""
    player = _new_person(username, password, email)
    with transaction.atomic():
        _save_new(player)
    return selectors.as_person(player)


def _new_person(username: str, password: str, email: str) -> Player:
    passwords.check_choices(username=username, password=password, email=email)
    return Player(username=username, email=email, password=make_password(password))


def _save_new(player: Player) -> None:
    with named_conflicts():
        player.save(force_insert=True)
        refuse_retired(player.username)


def sign_up_guest() -> SignedIn:
    """Let somebody play at once, under a name that can be changed for a real one later."""
    with transaction.atomic():
        return signed_in(_new_guest(), "Guest")


def open_guest() -> selectors.Person:
    """Do the same for somebody who has a session and needs no token."""
    return selectors.as_person(_new_guest())


def _new_guest() -> Player:
    name = f"guest-{''.join(secrets.choice(NO_LOOK_ALIKES) for _ in range(10))}"
    player = Player(username=name, kind=Kind.GUEST)
    player.set_unusable_password()
    player.save(force_insert=True)
    return player


def claim_account(*, player_id: UUID, username: str, password: str, email: str = "") -> selectors.Person:
    """Make a guest a person with a name and a password; seats, games and tokens stay."""
    passwords.check_choices(username=username, password=password, email=email)
    hashed = make_password(password)
    with transaction.atomic(), named_conflicts():
        player = locked(player_id)
        if player.kind != Kind.GUEST:
            raise ServiceError(Code.NOT_AVAILABLE, "This account has been claimed already.")
        player.username, player.email, player.password, player.kind = username, email, hashed, Kind.HUMAN
        player.save(update_fields=["username", "email", "password", "kind"])
        refuse_retired(username)
    return selectors.as_person(player)


def change_email(*, player_id: UUID, email: str, password: str | None = None) -> selectors.Person:
    """Set or, with "", remove the e-mail address; raises EMAIL_TAKEN, and WRONG_PASSWORD for one that is not right."""
    if password is not None:
        passwords.verify(Player.objects.get(pk=player_id), password)
    if not email.isascii():
        raise ServiceError(Code.INVALID, "Some fields are not right.", errors={"email": ["Use plain ASCII."]})
    with transaction.atomic(), named_conflicts():
        player = locked(player_id)
        player.email = email
        player.save(update_fields=["email"])
    return selectors.as_person(player)


def change_password(*, player_id: UUID, token_id: UUID | None, old: str, new: str) -> None:
    """Replace the password; ends all sessions, and all tokens but the one used, if one was; raises WRONG_PASSWORD."""
    player = Player.objects.get(pk=player_id)
    if player.kind == Kind.GUEST:
        raise ServiceError(Code.NOT_AVAILABLE, "A guest has no password; claim the account with PATCH /me.")
    passwords.check_choices(username=player.username, email=player.email, password=new, field="new", is_name_new=False)
    passwords.verify(player, old)
    hashed = make_password(new)
    with transaction.atomic():
        refuse_if_changed(locked(player_id), player.password)
        Player.objects.filter(pk=player_id).update(password=hashed)
        tokens = Token.objects.filter(player_id=player_id)
        (tokens.exclude(pk=token_id) if token_id else tokens).delete()
        end_visits(player_id=player_id)


def close_account(*, player_id: UUID, password: str | None = None) -> None:
    """Close the account for good: its seats go to bots, its name to nobody; raises WRONG_PASSWORD.

    What the apps above do about it is named in `ACCOUNT_CLOSING`, and done in the same transaction.
    """
    player = Player.objects.get(pk=player_id)
    if player.kind == Kind.HUMAN:
        passwords.verify(player, password or "")
    closers = [import_string(name) for name in settings.ACCOUNT_CLOSING]
    with transaction.atomic():
        # Whoever gives the player a seat holds this lock too: no seat is given that the closers would miss.
        player = refuse_if_changed(locked(player_id), player.password)
        for close in closers:
            close(player_id=player_id)
        if player.kind == Kind.HUMAN:
            RetiredName.objects.get_or_create(imprint=imprint(player.username))
        player.username = f"closed-{secrets.token_hex(4)}"
        player.email = ""
        player.is_active = player.is_staff = player.is_superuser = False
        player.set_unusable_password()
        player.save()
        player.groups.clear()
        player.user_permissions.clear()
        Token.objects.filter(player_id=player_id).delete()
        end_visits(player_id=player_id)
        forget_player(player_id)


def signed_in(player: Player, token_name: str) -> SignedIn:
    """Return *player* with a new token."""
    return SignedIn(selectors.as_person(player), issue_token(player_id=player.pk, name=token_name))


def locked(player_id: UUID) -> Player:
    """Return the player, held until the transaction ends; rows that refer to it can still be written meanwhile."""
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError(Code.NOT_AUTHENTICATED, "The account is closed.")
    return player


def hold_open(player_id: UUID) -> None:
    """Keep the account from being closed until the running transaction ends; raises NOT_AUTHENTICATED if it is."""
    locked(player_id)


def refuse_if_changed(player: Player, password: str) -> Player:
    """Return *player*; raises WRONG_PASSWORD if the password became another one while it was being checked."""
    if player.password != password:
        raise ServiceError(Code.WRONG_PASSWORD, "The password has just been changed.")
    return player


def refuse_retired(username: str) -> None:
    """Raise USERNAME_TAKEN for the name of a closed account.

    This comes after the row is written: whoever closes that account at this moment has then ended.
    """
    if RetiredName.objects.filter(imprint=imprint(username)).exists():
        raise ServiceError(Code.USERNAME_TAKEN, "Somebody had this name.")


@contextmanager
def named_conflicts() -> Iterator[None]:
    """Turn the database's word that a name is taken into ours."""
    try:
        yield
    except IntegrityError as error:
        name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        if name not in TAKEN:
            raise
        raise ServiceError(*TAKEN[name]) from None
