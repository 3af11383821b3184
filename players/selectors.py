"""What can be read of players and tokens, as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Lower, Now

from callbreak_site.errors import Code, ServiceError
from players.models import Audit, Player, Token, Visit
from players.names import USERNAME

# Other statements look the caller up along the way: no two columns have the same name.
CALLER = """
    SELECT token.id AS token_id, token.scopes, token.game_id AS token_game_id, player.id AS player_id, player.username,
           player.kind, player.suspended_at, player.suspension_reason,
           token.last_used_at IS NULL OR token.last_used_at < statement_timestamp() - interval '1 minute' AS is_use_due
    FROM players_token token JOIN players_player player ON player.id = token.player_id
    WHERE token.digest = %s AND player.is_active
      AND (token.expires_at IS NULL OR token.expires_at > statement_timestamp())
"""


@dataclass(frozen=True)
class Bearer:
    """A live token with the person behind it."""

    token_id: UUID
    scopes: frozenset[str]
    game_id: UUID | None
    player_id: UUID
    username: str
    kind: str
    suspended_at: datetime | None
    suspension_reason: str
    is_use_due: bool  # its last use was noted more than a minute ago


@dataclass(frozen=True)
class Person:
    """A player, as far as that player may know."""

    id: UUID
    username: str
    kind: str
    email: str
    created_at: datetime


@dataclass(frozen=True)
class IssuedToken:
    """A token without its text, which nobody has but its owner."""

    id: UUID
    name: str
    scopes: list[str]
    game_id: UUID | None
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class SeenAt:
    """A place where somebody is signed in."""

    id: UUID
    user_agent: str
    last_seen_at: datetime
    created_at: datetime
    is_here: bool


@dataclass(frozen=True)
class AuditEntry:
    """What somebody did to a subject, when and why."""

    at: datetime
    actor: str
    action: str
    change: str
    reason: str


def bearer(digest: bytes) -> Bearer | None:
    """Return who holds the token with this digest, in one statement; None if it has ended or never was."""
    with connection.cursor() as cursor:
        cursor.execute(CALLER, [digest])
        row = cursor.fetchone()
    return bearer_of(row) if row else None


def bearer_of(row: Sequence[Any]) -> Bearer:
    """Return the bearer that a row of `CALLER` holds."""
    token_id, scopes, *rest = row
    return Bearer(token_id, frozenset(scopes), *rest)


def person(player_id: UUID) -> Person:
    """Return the player with this id."""
    return as_person(Player.objects.get(pk=player_id))


def profile(username: str) -> Person:
    """Return the open account of this name in any case; raises NOT_FOUND."""
    found = None
    if USERNAME.fullmatch(username):
        found = Player.objects.annotate(lower=Lower("username")).filter(lower=username.lower(), is_active=True).first()
    if found is None:
        raise ServiceError(Code.NOT_FOUND, "Nobody has this name.")
    return as_person(found)


def tokens(player_id: UUID) -> QuerySet[Token]:
    """Return a player's tokens; the ended ones too, until they are tidied away."""
    return Token.objects.filter(player_id=player_id)


def visits(player_id: UUID, session_key: str | None) -> list[SeenAt]:
    """Return where a player is signed in, the session with this key first, then the latest."""
    rows = Visit.objects.filter(player_id=player_id, session__expire_date__gt=Now()).order_by("-last_seen_at", "id")
    seen = [
        SeenAt(row.pk, row.user_agent, row.last_seen_at, row.created_at, row.session_id == session_key) for row in rows
    ]
    return sorted(seen, key=lambda visit: not visit.is_here)


def as_person(player: Player) -> Person:
    """Return what a player may know of an own row."""
    return Person(player.pk, player.username, player.kind, player.email, player.created_at)


def as_issued(token: Token) -> IssuedToken:
    """Return what may be told of a token after it was made."""
    return IssuedToken(
        token.pk, token.name, token.scopes, token.game_id, token.expires_at, token.last_used_at, token.created_at
    )


def audit_of(subject_kind: str, subject_id: UUID, *, limit: int = 20) -> list[AuditEntry]:
    """Return what was done to a subject, latest first."""
    rows = Audit.objects.filter(subject_kind=subject_kind, subject_id=subject_id).select_related("actor")
    return [
        AuditEntry(row.at, row.actor.username, row.action, change_in_words(row), row.reason)
        for row in rows.order_by("-id")[:limit]
    ]


def change_in_words(audit: Audit) -> str:
    """Return what differs, as `name: before → after`.

    >>> change_in_words(Audit(before={"staff": False, "groups": []}, after={"staff": True, "groups": ["Moderators"]}))
    'staff: no → yes, groups: none → Moderators'
    """
    names = dict.fromkeys([*audit.before, *audit.after])
    return ", ".join(
        f"{name}: {in_words(audit.before.get(name))} → {in_words(audit.after.get(name))}"
        for name in names
        if audit.before.get(name) != audit.after.get(name)
    )


def in_words(value: Any) -> str:
    """Return a value of the audit for people.

    >>> in_words(None), in_words([]), in_words(["a", "b"]), in_words(True), in_words("void")
    ('–', 'none', 'a, b', 'yes', 'void')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)
