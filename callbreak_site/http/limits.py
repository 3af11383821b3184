"""What the limits are, for clients that want to stay below them."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.http import throttles
from callbreak_site.http.schema import operation
from callbreak_site.http.views import Endpoint


class Limit(serializers.Serializer[Any]):
    """How many requests a lane takes in so many seconds; null where it is free."""

    lane = serializers.CharField()
    requests = serializers.IntegerField(allow_null=True)
    seconds = serializers.IntegerField(allow_null=True)


class LimitList(serializers.Serializer[Any]):
    """All lanes."""

    results = Limit(many=True)
    next = serializers.URLField(allow_null=True)


class Limits(Endpoint):
    """The limits."""

    scopes: ClassVar = {"GET": None}

    @operation("limits", answers={200: LimitList})
    def get(self, request: Request) -> Response:
        """List the limits: `play` for bids and plays, `read` and `write` for the rest, all per token.

        `sign_up`, `anonymous`, `sign_in_address` and `mail_address` are per address, `sign_in` per name and address,
        `mail` per e-mail address.
        """
        return Response({"results": throttles.listing(), "next": None})
