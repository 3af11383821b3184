"""A tag of what one viewer sees, so that nothing is sent twice."""

from typing import Any
from uuid import UUID

from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.http.rendering import as_json
from games.presenters.state import game_state
from games.presenters.table import Table

IF_NONE_MATCH = OpenApiParameter(
    name="If-None-Match",
    location=OpenApiParameter.HEADER,
    required=False,
    type=str,
    description="The `ETag` of the last answer: 304 if nothing has changed but `seconds_left`.",
)
ETAG = OpenApiParameter(
    name="ETag",
    location=OpenApiParameter.HEADER,
    response=[200, 304],
    type=str,
    description="Names what this viewer sees, all but `seconds_left`.",
)
NOT_MODIFIED = OpenApiResponse(description="Nothing has changed since the answer that had this `ETag`.")


def state_or_not_modified(request: Request, table: Table, viewer_id: UUID | None) -> Response:
    """Answer with the state and its tag, or with 304 and the tag alone if the caller has it already."""
    state = game_state(table, viewer_id)
    tag = etag(state, viewer_id)
    known = {seen.removeprefix("W/") for seen in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))}
    headers = {"ETag": tag}
    if known & {"*", tag.removeprefix("W/")}:
        return Response(status=304, headers=headers)
    return Response(state, headers=headers)


def etag(state: dict[str, Any], viewer_id: UUID | None) -> str:
    """Return the weak tag of *state*; its key is the server's, so nobody can try out hands against it."""
    turn = state["turn"] and {**state["turn"], "seconds_left": None}
    seen = as_json({**state, "turn": turn, "viewer": viewer_id})
    return f'W/"{salted_hmac("callbreak.etag", seen, algorithm="sha256").hexdigest()[:32]}"'
