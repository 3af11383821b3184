"""The OpenAPI text, written once in each process: that takes a second, and anybody may ask for it."""

from threading import Lock
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request


class Description(SpectacularJSONAPIView):
    """What clients can ask, as OpenAPI; the same for all who ask."""

    schema = None
    written: ClassVar[list[bytes]] = []
    lock: ClassVar = Lock()

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the text."""
        request.query_params  # noqa: B018 (refuses absurd ones)
        with self.lock:
            if not self.written:
                found = SchemaGenerator().get_schema(request=None, public=True)
                self.written.append(OpenApiJsonRenderer().render(found, renderer_context={}))
        return HttpResponse(self.written[0], content_type=OpenApiJsonRenderer.media_type)
