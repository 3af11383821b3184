"""Every operation of the OpenAPI text, with a request that it would take; one that is new is here by itself."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.contract import PREFIX, text

# What fits better than a made-up value where the schema alone can't say.
FITTING: dict[str, Any] = {
    "username": "asha", "password": "a wet otter on a bus", "old": "a wet otter on a bus",
    "new": "a dry otter on a bus", "email": "asha@example.org",
    "card": "AS", "name": "x", "client_seed": "0a" * 32, "scopes": ["games:read"],
}  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """One method of one address, as the text tells of it."""

    method: str
    path: str
    described: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def parts(self) -> list[str]:
        """Return the names in the path."""
        return re.findall(r"{(\w+)}", self.path)

    def names_in(self, place: str) -> list[str]:
        """Return the parameters in `query` or `header`."""
        return [parameter["name"] for parameter in self.described.get("parameters", []) if parameter["in"] == place]

    @property
    def form(self) -> dict[str, Any] | None:
        """Return the schema of the body; None without one."""
        content = self.described.get("requestBody", {}).get("content", {})
        return resolved(content["application/json"]["schema"]) if content else None

    @property
    def body(self) -> Any:
        """Return a body with all fields, of the right form."""
        return example("", self.form) if self.form else None

    def at(self, **values: str) -> str:
        """Return the address with these parts."""
        return self.path.format_map({name: escaped(value) for name, value in values.items()})


def operations() -> list[Operation]:
    """Return all of them."""
    return [
        Operation(method.upper(), path.removeprefix(PREFIX), described)
        for path, methods in sorted(text()["paths"].items())
        for method, described in sorted(methods.items())
        if method in ("get", "post", "put", "patch", "delete")
    ]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return *schema* itself, where it only refers to one."""
    while "$ref" in schema or len(schema.get("allOf", [])) == 1:
        schema = (
            text()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            if "$ref" in schema
            else schema["allOf"][0]
        )
    return schema


def example(name: str, schema: dict[str, Any]) -> Any:
    """Return a value that *schema* allows; *name* is that of the field."""
    schema = resolved(schema)
    if name in FITTING:
        return FITTING[name]
    for choices in (schema.get("oneOf"), schema.get("anyOf")):
        if choices:
            return example(name, choices[0])
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            return {field: example(field, inner) for field, inner in schema.get("properties", {}).items()}
        case "array":
            return [example("", schema["items"])]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "null":
            return None
    return "a" * schema.get("minLength", 1)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every place in a body where something else could stand.

    >>> list(places({"a": [1], "b": {"c": 2}}))
    [('a',), ('a', 0), ('b',), ('b', 'c')]
    """
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, found in inner:
        yield from places(found, (*path, name))


def with_at(value: Any, path: tuple[Any, ...], raw: str) -> bytes:
    """Return *value* as JSON with *raw* JSON at the place.

    >>> with_at({"a": [1], "b": 2}, ("a", 0), "1e400")
    b'{"a": [1e400], "b": 2}'
    """
    mark = "\0here\0"

    def put(node: Any, left: tuple[Any, ...]) -> Any:
        if not left:
            return mark
        if isinstance(node, dict):
            return {name: put(inner, left[1:]) if name == left[0] else inner for name, inner in node.items()}
        return [put(inner, left[1:]) if number == left[0] else inner for number, inner in enumerate(node)]

    return json.dumps(put(value, path)).replace(json.dumps(mark), raw, 1).encode()


def escaped(text_: str) -> str:
    """Return *text_* as a path or query can carry it, halves of surrogate pairs and all.

    >>> escaped("a/\\ud800")
    'a%2F%ED%A0%80'
    """
    return quote(text_.encode("utf-8", "surrogatepass"), safe="")


def in_a_header(text_: str) -> str:
    """Return *text_* as the server hands a header on: its bytes as Latin-1, without what ends a line.

    >>> in_a_header("é\\r\\nx")
    'Ã©x'
    """
    return re.sub(r"[\r\n\0]", "", text_.encode("utf-8", "surrogatepass").decode("latin-1"))
