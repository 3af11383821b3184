"""Personal access tokens."""

from typing import Any, ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code
from callbreak_site.http.pagination import PageQuery, page
from callbreak_site.http.rendering import Answer
from callbreak_site.http.schema import operation
from callbreak_site.http.views import Endpoint
from players import selectors
from players.api import forms, shapes
from players.services import tokens
from players.terms import Scope


class Tokens(Endpoint):
    """One's own tokens."""

    scopes: ClassVar = {"GET": Scope.ACCOUNT_READ, "POST": Scope.ACCOUNT_WRITE}
    queries: ClassVar = {"GET": PageQuery}

    @operation("tokens", answers={200: shapes.TokenPage})
    def get(self, request: Request) -> Response:
        """List the tokens, newest first, without their texts."""
        rows = selectors.tokens(self.caller.player_id)
        return Response(page(request, rows, self.query, order=("created_at", "id"), show=self.show_all))

    @operation(
        "create_token",
        form=forms.TokenForm,
        answers={201: shapes.NewToken},
        refuses=(Code.NOT_AVAILABLE,),
    )
    def post(self, request: Request) -> Response:
        """Make a token; its text is told this once. It allows no more and lives no longer than the one used here."""

        def act(values: dict[str, Any]) -> Response:
            made = tokens.create_token(
                player_id=self.caller.player_id,
                maker_id=self.caller.token_id,
                name=values["name"],
                scopes=values["scopes"],
                expires_in_seconds=values.get("expires_in"),
                game_id=values.get("game"),
            )
            return Answer({**shapes.token(made.token, current=False), "token": made.text}, 201, forget=("token",))

        return self.write(request, forms.TokenForm, act)

    def show_all(self, rows: list[Any]) -> list[dict[str, Any]]:
        """Return what a page says of *rows*."""
        return [self.show(row) for row in rows]

    def show(self, row: Any) -> dict[str, Any]:
        """Return what the list says of one token."""
        return shapes.token(selectors.as_issued(row), current=row.pk == self.caller.token_id)


class OneToken(Endpoint):
    """One of one's own tokens."""

    scopes: ClassVar = {"DELETE": Scope.ACCOUNT_WRITE}

    @operation("revoke_token", answers={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """End a token at once; also the one used here."""
        tokens.revoke_token(player_id=self.caller.player_id, token_id=token_id)
        return Response(status=204)
