"""The OpenAPI text, made once in each process: making it takes a second, and anybody may ask for it."""

from threading import Lock
from typing import Any, ClassVar

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView


class MadeOnce(SchemaGenerator):
    """Makes the text when it is asked for first; it is the same for all who ask."""

    made: ClassVar[dict[str, Any]] = {}
    lock: ClassVar = Lock()

    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        """Return the text."""
        with self.lock:
            if not self.made:
                self.made.update(super().get_schema(request=None, public=True))
        return self.made


class Description(SpectacularJSONAPIView):
    """What clients can ask, as OpenAPI."""

    generator_class = MadeOnce
