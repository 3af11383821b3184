"""The shape of every endpoint: who may, what is asked, act, answer."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, cast
from uuid import UUID

from rest_framework.exceptions import APIException, AuthenticationFailed, MethodNotAllowed, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from callbreak_site.errors import Code, ServiceError
from callbreak_site.failpoints import failpoint
from callbreak_site.http import idempotency, throttles
from callbreak_site.http.addresses import household
from callbreak_site.http.callers import Caller
from callbreak_site.http.forms import Form, values_of
from callbreak_site.http.parsing import StrictJSONParser, read_to_the_end
from callbreak_site.http.problems import exception_handler
from callbreak_site.http.rendering import JSONRenderer
from callbreak_site.http.schema import Schema

ONLY_JSON = JSONRenderer(), "application/json"


def nothing(*_: Any) -> None:
    """Find nothing, and object to nothing."""


def unknown_caller() -> ServiceError:
    """Return the refusal for who sends no token where one is needed."""
    return ServiceError(Code.NOT_AUTHENTICATED, "Send a token: Authorization: Bearer cb_…")


class Endpoint(APIView):
    """One address of the API; refuses in the order 401, 405, scope, 404, then what the handler finds.

    `scopes` names the scope of each method; None lets any token in. `public_methods` may be used by anybody.
    `queries` holds the form of each method's query string, `lanes` the limit that counts it where it is not the usual.
    """

    scopes: ClassVar[Mapping[str, str | None]] = {}
    public_methods: ClassVar[frozenset[str]] = frozenset()
    queries: ClassVar[Mapping[str, type[Form]]] = {}
    lanes: ClassVar[Mapping[str, str]] = {}

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    permission_classes = ()
    metadata_class = None
    schema = Schema()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse whoever may not, and whatever can't be."""
        self.format_kwarg = None
        self.use = "GET" if request.method == "HEAD" else str(request.method)
        self.caller_or_none = self.identify(request)
        if self.use.lower() not in self.http_method_names or not hasattr(self, self.use.lower()):
            raise MethodNotAllowed(self.use)
        self.check_scope()
        if None in kwargs.values():
            raise NotFound if self.caller_or_none else unknown_caller()
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        self.query = self.read_query(request)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:
        """Return what writes the answer, without reading the header where it can say nothing new."""
        if (
            request._request.META.get("HTTP_ACCEPT", "*/*") in ("*/*", "application/json")
            and len(self.renderer_classes) == 1
        ):
            return ONLY_JSON
        return super().perform_content_negotiation(request, force)

    def identify(self, request: Request) -> Caller | None:
        """Return who asks, after counting the request; raises NOT_AUTHENTICATED."""
        try:
            caller = cast(Caller | None, request.auth)
        except (AuthenticationFailed, ServiceError):
            throttles.spend("anonymous", household(request))
            raise
        usual = "read" if self.use == "GET" else "write"
        if caller is None:
            throttles.spend(self.lanes.get(self.use, "anonymous"), household(request))
            if self.authentication_classes and self.use not in self.public_methods:
                raise unknown_caller()
        else:
            throttles.spend(self.lanes.get(self.use, usual), caller.token_id.hex)
        return caller

    def check_scope(self) -> None:
        """Raise MISSING_SCOPE if the token is for something else, or for another game."""
        caller = self.caller_or_none
        if caller is None:
            return
        scope = self.scopes[self.use]
        if scope is None:
            return
        if scope not in caller.scopes:
            raise ServiceError(Code.MISSING_SCOPE, f"The token lacks the scope {scope}.")
        if caller.game_id is not None and caller.game_id != self.kwargs.get("game_id"):
            raise ServiceError(Code.MISSING_SCOPE, "The token is for one game only, and this is not it.")

    def read_query(self, request: Request) -> dict[str, Any]:
        """Return the checked query string; raises ValidationError for a parameter that is unknown or there twice."""
        form = self.queries.get(self.use)
        if not request._request.META.get("QUERY_STRING") and form is None:
            return {}
        texts = request.query_params
        if twice := [name for name, values in texts.lists() if len(values) > 1]:
            raise ValidationError({name: ["Only once, please."] for name in twice})
        return values_of(form or Form, texts.dict())

    @property
    def caller(self) -> Caller:
        """Return who asks, where nobody else gets in."""
        assert self.caller_or_none is not None
        return self.caller_or_none

    @property
    def viewer_id(self) -> UUID | None:
        """Return who looks, None for a stranger."""
        return self.caller_or_none.player_id if self.caller_or_none else None

    def write(
        self,
        request: Request,
        form: type[Form],
        act: Callable[[dict[str, Any]], Response],
        find: Callable[[], Any] = nothing,
    ) -> Response:
        """Answer a request that changes something: check its form, give a kept answer again, or act.

        *find* raises NOT_FOUND when the caller may not see what the path names. It is asked only where nothing else
        would: before saying what is wrong with a form, and before giving an answer again.
        """
        try:
            body = self.body(request)
            values = values_of(form, body)
            attempt = self.attempt(request, body)
        except (APIException, ServiceError):
            find()
            raise
        if attempt is None:
            return act(values)
        return idempotency.once(attempt, act=lambda: act(values), find=find, may_replay=self.check_replay)

    def body(self, request: Request) -> Any:
        """Return the JSON value that was sent; no body at all is an empty object."""
        meta = request._request.META
        if "HTTP_TRANSFER_ENCODING" in meta and not meta.get("CONTENT_LENGTH"):
            raise ValidationError({"body": ["Must come with its Content-Length."]})
        value = request.data
        return dict(value) if isinstance(value, dict) else value

    def attempt(self, request: Request, body: Any) -> idempotency.Attempt | None:
        """Return what the idempotency key makes of this request; only a POST by somebody has one."""
        if self.use != "POST" or self.caller_or_none is None:
            return None
        return idempotency.attempt_of(request, self.caller_or_none.player_id, body)

    def check_replay(self, found: Any, answer: Any) -> None:
        """Object to giving *answer* again; *found* is what `find` returned."""

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response]:
        """Return what makes a problem of everything."""
        return exception_handler

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the answer out of every cache that is not told otherwise."""
        final = super().finalize_response(request, response, *args, **kwargs)
        read_to_the_end(request._request)
        failpoint("web.before_response")
        final.headers.setdefault("Cache-Control", "private, no-store")
        final.headers.setdefault("Vary", "Authorization")
        return final


class OpenEndpoint(Endpoint):
    """An address for people without a token; one that is sent is not looked at."""

    authentication_classes = ()


class UnknownPath(Endpoint):
    """Everything that is not an address of the API: 401 for strangers, 404 for the rest."""

    schema = None  # type: ignore[assignment]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find nothing."""
        self.use = "GET" if request.method in ("GET", "HEAD") else str(request.method)
        self.identify(request)
        raise NotFound
