"""A token looked up by the ORM."""

import hashlib
from datetime import timedelta

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.models import Player, Token


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        words = get_authorization_header(request).split()
        if len(words) != 2 or words[0].lower() != b"bearer":
            return None
        try:
            token = Token.objects.select_related("player").get(digest=hashlib.sha256(words[1]).digest())
        except Token.DoesNotExist:
            raise AuthenticationFailed("Invalid token.") from None
        now = timezone.now()
        if token.expires_at and token.expires_at <= now:
            raise AuthenticationFailed("The token has expired.")
        if not token.player.is_active or token.player.suspended_at or "games:play" not in token.scopes:
            raise AuthenticationFailed("The token is of no use here.")
        if token.last_used_at is None or token.last_used_at < now - timedelta(minutes=1):
            token.last_used_at = now
            token.save(update_fields=["last_used_at"])
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
