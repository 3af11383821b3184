"""How many streams this process carries, all in all and for one viewer."""

import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST_AT_ONCE = 3500
FOR_ONE_SESSION = 2
"""A browser opens six connections to a host at most, and two processes count each for itself."""
FOR_ONE_HOUSEHOLD = 12
"""For all behind one address who have not signed in."""


class Places:
    """Counts streams by whose they are."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._taken: Counter[str] = Counter()

    def is_free(self, owner: str, most: int) -> bool:
        """Tell whether *owner*, who may have *most*, may have one more.

        >>> places = Places(9)
        >>> with places.taken("ada"):
        ...     places.is_free("ada", 1), places.is_free("ada", 2), places.is_free("bob", 1)
        (False, True, True)
        >>> places.is_free("ada", 1)
        True
        """
        return self._taken[owner] < most and self._taken.total() < self.at_once

    @contextmanager
    def taken(self, owner: str) -> Iterator[None]:
        """Hold a place until the block is left."""
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            if not self._taken[owner]:
                del self._taken[owner]


def most_at_once() -> int:
    """Return how many streams leave this process enough open files for everything else."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_AT_ONCE if soft == resource.RLIM_INFINITY else min(MOST_AT_ONCE, soft // 2)


places = Places(most_at_once())
