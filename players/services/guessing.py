"""How often a password may be tried, wherever it is typed."""

from collections.abc import Iterator
from contextlib import contextmanager

from callbreak_site.http import throttles


@contextmanager
def guessing(*who: str) -> Iterator[None]:
    """Slow *who* tries passwords one after the other; the right one clears the count."""
    throttles.spend("sign_in", *who)
    yield
    throttles.forgive("sign_in", *who)
