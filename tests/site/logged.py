"""What the service logs, caught as it would be written."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from callbreak_site.logs import logging_config


@contextmanager
def logged(level: str) -> Iterator[io.StringIO]:
    """Catch everything that is logged from *level* on during the block."""
    config = logging_config(level)["formatters"]["line"]
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(config.pop("()")(**config))
    root = logging.getLogger()
    usual = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield written
    finally:
        root.removeHandler(handler)
        root.setLevel(usual)
