"""How a moment is told."""

from datetime import UTC, datetime
from typing import overload


@overload
def timestamp(at: datetime) -> str: ...
@overload
def timestamp(at: datetime | None) -> str | None: ...
def timestamp(at: datetime | None) -> str | None:
    """Return *at* as RFC 3339 in UTC, to the millisecond; None stays None.

    >>> timestamp(datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC))
    '2026-01-02T03:04:05.678Z'
    """
    return None if at is None else at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
