"""`Authorization: Bearer cb_…`, looked up in one statement."""

import re
from typing import NoReturn

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.callers import Caller
from players import selectors
from players.services import tokens

HEADER = re.compile(r"bearer +(cb_[A-Za-z0-9_-]{43})", re.ASCII | re.IGNORECASE)


class TokenAuthentication(BaseAuthentication):
    """Knows a person by a token; a header that holds no live one is refused, none at all is nobody."""

    def authenticate(self, request: Request) -> tuple[Caller, Caller] | None:
        """Return the caller, twice: as the user and as what was shown; raises SUSPENDED for a suspended one."""
        header = request._request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        shown = HEADER.fullmatch(header)
        if shown is None:
            refuse()
        # An endpoint may look up more on the same way.
        look_up = getattr(request.parser_context["view"], "look_up_bearer", selectors.bearer)
        bearer: selectors.Bearer | None = look_up(tokens.digest(shown[1]))
        if bearer is None:
            refuse()
        if bearer.suspended_at is not None:
            raise ServiceError(Code.SUSPENDED, bearer.suspension_reason)
        if bearer.is_use_due:
            tokens.note_use(token_id=bearer.token_id)
        caller = Caller(
            player_id=bearer.player_id,
            username=bearer.username,
            kind=bearer.kind,
            token_id=bearer.token_id,
            scopes=bearer.scopes,
            game_id=bearer.game_id,
        )
        return caller, caller

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return "Bearer"


def refuse() -> NoReturn:
    """Say that what was shown opens nothing; not whether it ever did."""
    raise AuthenticationFailed("The token is not known, or has ended.")
