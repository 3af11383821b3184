"""What answers about accounts look like, and how values become them."""

from typing import Any

from rest_framework import serializers

from callbreak_site.times import timestamp
from players.selectors import IssuedToken, Person
from players.terms import Kind, Scope

Shape = serializers.Serializer[Any]


class Player(Shape):
    """A player, as everybody sees one."""

    id = serializers.RegexField("^[0-9a-f]{32}$")
    username = serializers.CharField()
    kind = serializers.ChoiceField(choices=Kind.values)
    created_at = serializers.DateTimeField()


class OwnPlayer(Player):
    """A player, as the player sees it."""

    email = serializers.EmailField(allow_null=True)


class SignedIn(Shape):
    """A player with a new token, which is told this once."""

    player = OwnPlayer()
    token = serializers.RegexField("^cb_[A-Za-z0-9_-]{43}$")


class Token(Shape):
    """A token without its text."""

    id = serializers.RegexField("^[0-9a-f]{32}$")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    game = serializers.RegexField("^[0-9a-f]{32}$", allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    current = serializers.BooleanField(help_text="Whether this request was made with it.")


class NewToken(Token):
    """A token with its text, which is told this once: an answer that is given again has no `token`."""

    token = serializers.RegexField("^cb_[A-Za-z0-9_-]{43}$", required=False)


class TokenPage(Shape):
    """A page of tokens, newest first."""

    results = Token(many=True)
    next = serializers.URLField(allow_null=True)


def player(person: Person) -> dict[str, Any]:
    """Return what everybody may see of a person."""
    return {
        "id": person.id,
        "username": person.username,
        "kind": person.kind,
        "created_at": timestamp(person.created_at),
    }


def own_player(person: Person) -> dict[str, Any]:
    """Return what a person sees of itself."""
    return {**player(person), "email": person.email or None}


def token(issued: IssuedToken, *, current: bool) -> dict[str, Any]:
    """Return what a list of tokens says of one."""
    return {
        "id": issued.id,
        "name": issued.name,
        "scopes": issued.scopes,
        "game": issued.game_id,
        "expires_at": timestamp(issued.expires_at),
        "last_used_at": timestamp(issued.last_used_at),
        "created_at": timestamp(issued.created_at),
        "current": current,
    }
