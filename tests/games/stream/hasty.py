"""The service as `make run` serves it, but for tests that can't wait: what is done now and then is done soon."""

from callbreak_site.asgi import application
from games.stream import readers, views, watch

views.SECONDS_OF_SILENCE = 2.0
watch.SECONDS_BETWEEN_CHECKS = 1.0
readers.SECONDS_IDLE = 0.3

__all__ = ["application"]
