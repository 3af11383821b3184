"""JSON out, and answers that hold a secret."""

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response


class JSONRenderer(BaseRenderer):
    """Writes compact UTF-8 JSON; times are RFC 3339 with Z, ids are 32 hex digits."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return the bytes of *data*, none for None."""
        return b"" if data is None else encode(data)


class Answer(Response):
    """A response of which the fields named in *forget* are never stored: they are told once."""

    def __init__(self, data: Any = None, status: int = 200, *, forget: tuple[str, ...] = ()) -> None:
        super().__init__(data, status=status)
        self.forget = forget


def as_json(value: Any) -> str:
    """Return *value* as compact JSON; a time goes through `timestamp` first, else it is told to the microsecond.

    >>> from uuid import UUID
    >>> as_json({"id": UUID(int=10), "of": ("x", None)})
    '{"id":"0000000000000000000000000000000a","of":["x",null]}'
    """
    return encode(value).decode()


def plain(value: Any) -> Any:
    """Return the text that DRF and Django have more to say about, as mere text."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


encode = msgspec.json.Encoder(enc_hook=plain, uuid_format="hex").encode
"""Return compact UTF-8 JSON."""
