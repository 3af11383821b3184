"""A client that holds every answer of the API to the OpenAPI text, down to fields that nobody declared."""

import copy
import json
import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

PREFIX = "/api/v1"
PROBLEM = "application/problem+json"


class Api:
    """Somebody with a token, or nobody; paths are those of the contract, without the prefix."""

    def __init__(self, token: str | None = None, **environ: Any) -> None:
        self.client = Client(**environ)
        self.token = token

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("DELETE", path, body, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Send *body* as JSON, or as it is if it is bytes; headers are written with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        kind = sent.pop("Content-Type", "application/json" if raw else "")
        response = self.client.generic(method, PREFIX + path, raw, content_type=kind, headers=sent)
        check(method, path, response)
        return response


def check(method: str, path: str, response: Any) -> None:
    """Fail unless the OpenAPI text foresees exactly this answer."""
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    body = response.content.decode() or None
    body = json.loads(body) if body and media_type.endswith("json") else body
    found = operation(method, path.partition("?")[0])
    if found is None or response.status_code == 405:
        assert response.status_code in (401, 403, 404, 405, 429, 503), f"{method} {path}: {response.status_code}"
        validate({"$ref": "#/components/schemas/Problem"}, body)
        return
    told = found["responses"]
    assert str(response.status_code) in told, f"{method} {path} does not tell of {response.status_code}: {body}"
    content = told[str(response.status_code)].get("content")
    if content is None:
        assert body is None
        return
    assert media_type in content, f"{method} {path} answers {media_type}, told is {list(content)}"
    validate(content[media_type]["schema"], body)
    if media_type == PROBLEM:
        assert f"`{body['code']}`" in told[str(response.status_code)]["description"], f"{method} {path}: {body['code']}"


def validate(schema: dict[str, Any], body: Any) -> None:
    """Fail unless *body* is what *schema* says, and nothing more."""
    validator(json.dumps(schema)).validate(body)


@cache
def validator(schema: str) -> Draft202012Validator:
    """Return what holds a body to *schema*; making one takes longer than asking it."""
    whole = {**json.loads(schema), "components": strict_text()["components"]}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def operation(method: str, path: str) -> dict[str, Any] | None:
    """Return what the text says of this address; None if it is not in there."""
    use = "get" if method == "HEAD" else method.lower()
    for pattern, operations in patterns():
        if pattern.fullmatch(PREFIX + path):
            return operations.get(use)
    return None


@cache
def patterns() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Return the addresses, those without a parameter first."""
    paths = sorted(strict_text()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(path))), found) for path, found in paths]


@cache
def text() -> dict[str, Any]:
    """Return the OpenAPI text as clients get it."""
    return SchemaGenerator().get_schema(request=None, public=True)


@cache
def strict_text() -> dict[str, Any]:
    """Return the text with every object closed: an undeclared field fails."""

    def close(node: Any) -> None:
        if isinstance(node, dict):
            if "properties" in node and node.get("type") == "object":
                node.setdefault("additionalProperties", False)
            for inner in node.values():
                close(inner)
        elif isinstance(node, list):
            for inner in node:
                close(inner)

    closed = copy.deepcopy(text())
    close(closed)
    return closed
