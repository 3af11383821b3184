"""Tokens: made, used, revoked and tidied away."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Least, Now

from callbreak_site.errors import Code, ServiceError
from players import selectors
from players.models import Player, Token
from players.terms import PERSONS_SCOPES

MOST_TOKENS = 100
NOTE_USE = """
    UPDATE players_token SET last_used_at = statement_timestamp()
    WHERE id = %s AND (last_used_at IS NULL OR last_used_at < statement_timestamp() - interval '1 minute')
"""


@dataclass(frozen=True)
class NewToken:
    """A token that was just made: the only moment at which its text is known."""

    token: selectors.IssuedToken
    text: str


def digest(text: str) -> bytes:
    """Return the SHA-256 under which a token is kept; its 256 random bits need no salt."""
    return hashlib.sha256(text.encode()).digest()


def issue_token(*, player_id: UUID, name: str) -> str:
    """Make a token with every scope of a person, and return its text."""
    text = new_text()
    Token.objects.create(player_id=player_id, digest=digest(text), name=name, scopes=PERSONS_SCOPES)
    return text


@transaction.atomic
def create_token(
    *,
    player_id: UUID,
    maker_id: UUID,
    name: str,
    scopes: Collection[str],
    expires_in_seconds: int | None = None,
    game_id: UUID | None = None,
) -> NewToken:
    """Make a token that allows no more and lives no longer than its maker, the token that asks for it."""
    # A change of the password locks the player too, so it ends this token or comes before it.
    Player.objects.select_for_update(no_key=True).get(pk=player_id)
    maker = Token.objects.filter(player_id=player_id, pk=maker_id).first()
    if maker is None:
        raise ServiceError(Code.NOT_AUTHENTICATED, "The token has ended.")
    if missing := sorted(set(scopes) - set(maker.scopes)):
        raise ServiceError(
            Code.MISSING_SCOPE, f"The token used here can't pass on what it lacks: {', '.join(missing)}."
        )
    return _make(player_id, name, scopes, expires_in_seconds, game_id, latest_end=maker.expires_at)


@transaction.atomic
def create_own_token(
    *, player_id: UUID, seen: str, name: str, scopes: Collection[str], expires_in_seconds: int | None = None
) -> NewToken:
    """Make a token for somebody who has a session, which began while the password's hash was the one *seen*."""
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True).first()
    if player is None or player.password != seen:
        raise ServiceError(Code.NOT_AUTHENTICATED, "The session has ended.")
    if missing := sorted(set(scopes) - set(PERSONS_SCOPES)):
        raise ServiceError(Code.MISSING_SCOPE, f"No token of a person allows this: {', '.join(missing)}.")
    return _make(player_id, name, scopes, expires_in_seconds)


def _make(
    player_id: UUID,
    name: str,
    scopes: Collection[str],
    expires_in_seconds: int | None,
    game_id: UUID | None = None,
    latest_end: datetime | None = None,
) -> NewToken:
    if Token.objects.filter(player_id=player_id).count() >= MOST_TOKENS:
        raise ServiceError(Code.NOT_AVAILABLE, f"An account has at most {MOST_TOKENS} tokens; revoke one first.")
    ends: list[Any] = [Value(latest_end)] if latest_end else []
    if expires_in_seconds is not None:
        ends.append(Now() + timedelta(seconds=expires_in_seconds))
    text = new_text()
    token = Token.objects.create(
        player_id=player_id,
        digest=digest(text),
        name=name,
        scopes=sorted(set(scopes)),
        game_id=game_id,
        expires_at=Least(*ends) if len(ends) > 1 else next(iter(ends), None),
    )
    token.refresh_from_db()
    return NewToken(selectors.as_issued(token), text)


def revoke_token(*, player_id: UUID, token_id: UUID) -> None:
    """End a token of this player at once; raises NOT_FOUND for anything else."""
    found, _ = Token.objects.filter(player_id=player_id, pk=token_id).delete()
    if not found:
        raise ServiceError(Code.NOT_FOUND, "You have no such token.")


def note_use(*, token_id: UUID) -> None:
    """Write down that a token has been used, at most once a minute."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE_USE, [token_id])


def purge_expired() -> None:
    """Delete the tokens that have ended by themselves."""
    Token.objects.filter(expires_at__lt=Now()).delete()


def new_text() -> str:
    """Return the text of a token that nobody has."""
    return f"cb_{secrets.token_urlsafe(32)}"
