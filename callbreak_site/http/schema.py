"""The OpenAPI description of every endpoint: its form, its answers, and every refusal with its codes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from callbreak_site.errors import Code
from callbreak_site.http.problems import MEDIA_TYPE, STATUS_AND_TITLE, status_of
from callbreak_site.http.rendering import JSONRenderer

Handler = TypeVar("Handler", bound=Callable[..., Any])
ALWAYS = (Code.INVALID, Code.NOT_ACCEPTABLE, Code.RATE_LIMITED, Code.INTERNAL, Code.UNAVAILABLE)
SIGNED_IN = (Code.NOT_AUTHENTICATED, Code.MISSING_SCOPE, Code.SUSPENDED)

KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    required=False,
    type={"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]{1,255}$"},
    description="Names this request: sent again within 24 h, it is answered as the first time and does nothing.",
)
REPLAYED = OpenApiParameter(
    name="Idempotent-Replayed",
    location=OpenApiParameter.HEADER,
    response=[200, 201, 204],
    type={"type": "string", "enum": ["true"]},
    description="This is the first answer to this key again.",
)


class Problem(serializers.Serializer[Any]):
    """A refusal, RFC 9457."""

    type = serializers.CharField(help_text="A URN that names the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="For people.")
    code = serializers.ChoiceField(choices=[code.value for code in Code], help_text="For programs; stable.")
    instance = serializers.CharField(required=False, help_text="The id under which an internal error was logged.")
    errors = serializers.DictField(  # type: ignore[assignment]  # a field, no longer DRF's property
        child=serializers.ListField(child=serializers.CharField()), required=False, help_text="What is wrong, by field."
    )
    retry_after = serializers.IntegerField(required=False, help_text="Seconds to wait.")
    rule = serializers.CharField(required=False, help_text="Which rule a card breaks.")
    legal_bids = serializers.ListField(child=serializers.IntegerField(), required=False)
    legal_plays = serializers.ListField(child=serializers.CharField(), required=False)
    current = serializers.DictField(required=False, help_text="The caller's own view of the game as it is now.")


class BearerScheme(OpenApiAuthenticationExtension):
    """How a token is sent."""

    target_class = "players.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "cb_ and 43 characters"}


class Schema(AutoSchema):
    """Adds what the view itself declares: scopes, parameters, idempotency and the refusals all endpoints share."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return the scope that is asked for; none where nobody has to sign in."""
        if not self.needs_token and not self.takes_token:
            return [{}]
        super().get_auth()
        scope = self.declared.scopes.get(self.method)
        with_token = {BearerScheme.name: [scope] if scope else []}
        return [with_token] if self.needs_token else [with_token, {}]

    def _get_request_body(self, direction: Any = "request") -> Any:
        """Return the body of a DELETE too, which drf-spectacular leaves out."""
        if self.method != "DELETE" or not self.get_request_serializer():
            return super()._get_request_body(direction)
        self.method = "POST"
        try:
            return super()._get_request_body(direction)
        finally:
            self.method = "DELETE"

    def get_override_parameters(self) -> list[Any]:
        """Return the query, and the idempotency key of every POST with a token."""
        parameters: list[Any] = []
        if query := self.declared.queries.get(self.method):
            parameters.append(query)
        if self.is_retryable:
            parameters += [KEY, REPLAYED]
        return parameters

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        """Return the answers, with the refusals that no operation has to declare."""
        declared = cast(dict[Any, Any], self.get_response_serializers())
        codes = [code for code in declared if isinstance(code, Code)]
        answers: dict[str, Any] = {}
        for case, answer in declared.items():
            if not isinstance(case, Code):
                status, media_type = case if isinstance(case, tuple) else (case, JSONRenderer.media_type)
                told = self._get_response_for_code(answer, str(status), [media_type], direction)
                answers.setdefault(str(status), told).get("content", {}).update(told.get("content", {}))
        for status, refusal in refusals([*codes, *self.shared_codes()]).items():
            answers[status] = self._get_response_for_code(refusal, status, [MEDIA_TYPE], direction)
        return answers

    def shared_codes(self) -> list[Code]:
        """Return the refusals that follow from the kind of endpoint."""
        codes = list(ALWAYS)
        if self.needs_token or self.takes_token:
            codes += SIGNED_IN
        if "{" in self.path:
            codes.append(Code.NOT_FOUND)
        if self.method not in ("GET", "DELETE") or self.get_request_serializer():
            codes.append(Code.UNSUPPORTED_MEDIA_TYPE)
        if self.is_retryable:
            codes.append(Code.IDEMPOTENCY_KEY_REUSED)
        return codes

    @property
    def declared(self) -> Any:
        """Return the view, an `Endpoint`."""
        return self.view

    @property
    def takes_token(self) -> bool:
        """Tell whether a token that is sent is looked at."""
        return bool(self.declared.authentication_classes)

    @property
    def needs_token(self) -> bool:
        """Tell whether nobody is refused."""
        return self.takes_token and self.method not in self.declared.public_methods

    @property
    def is_retryable(self) -> bool:
        """Tell whether an idempotency key counts."""
        return self.method == "POST" and self.takes_token


def operation(
    name: str,
    *,
    form: type[serializers.Serializer[Any]] | None = None,
    answers: Mapping[int | tuple[int, str], Any],
    refuses: Iterable[Code] = (),
    **more: Any,
) -> Callable[[Handler], Handler]:
    """Describe a handler: its *form*, its good *answers* and the codes that it alone *refuses* with.

    An answer goes by its status, with the media type if that is not JSON.
    """
    responses: dict[Any, Any] = {**answers, **dict.fromkeys(refuses)}
    return extend_schema(operation_id=name, request=form, responses=responses, **more)


def refusals(codes: Iterable[Code]) -> dict[str, OpenApiResponse]:
    """Return one response for each status, which lists the codes it comes with."""
    by_status: dict[int, list[Code]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(status_of(code), []).append(code)
    return {
        str(status): OpenApiResponse(
            Problem, description="; ".join(f"`{code.value}`: {STATUS_AND_TITLE[code][1]}" for code in by_status[status])
        )
        for status in sorted(by_status)
    }


def without_marks(result: Any, **_: Any) -> Any:
    """Return the OpenAPI text without the marks that drf-spectacular leaves for a hook that names choices."""
    if isinstance(result, dict):
        return {name: without_marks(inner) for name, inner in result.items() if name != "x-spec-enum-id"}
    return [without_marks(inner) for inner in result] if isinstance(result, list) else result
