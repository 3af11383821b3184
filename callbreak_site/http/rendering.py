"""JSON out, and answers that hold a secret."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

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
        return b"" if data is None else as_json(data).encode()


class Answer(Response):
    """A response of which the fields named in *forget* are never stored: they are told once."""

    def __init__(self, data: Any = None, status: int = 200, *, forget: tuple[str, ...] = ()) -> None:
        super().__init__(data, status=status)
        self.forget = forget


def as_json(value: Any) -> str:
    """Return *value* as compact JSON.

    >>> as_json({"at": datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC), "id": UUID(int=10)})
    '{"at":"2026-01-02T03:04:05.678Z","id":"0000000000000000000000000000000a"}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)


def plain(value: Any) -> Any:
    """Return what JSON has for a time, an id or a set of values."""
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, UUID):
        return value.hex
    raise TypeError(f"{type(value).__name__} has no JSON form")


def timestamp(at: datetime) -> str:
    """Return *at* as RFC 3339 in UTC, to the millisecond.

    >>> timestamp(datetime(2026, 1, 2, tzinfo=UTC))
    '2026-01-02T00:00:00.000Z'
    """
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
