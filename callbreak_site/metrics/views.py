"""GET /metrics, for whoever knows the token."""

import os
from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from callbreak_site.metrics.readings import Readings
from callbreak_site.metrics.sharing import VARIABLE


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell what was counted by all processes of this server, and what the rows say; 404 without the token."""
    if not is_known(request):
        raise Http404
    text = generate_latest(registry())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def is_known(request: HttpRequest) -> bool:
    """Tell whether who asks brings METRICS_TOKEN; nobody does while there is none."""
    token, brought = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    return bool(token) and compare_digest(brought.encode(), f"Bearer {token}".encode())


def registry() -> CollectorRegistry:
    """Return what is told: the counts of this process alone where it shares none, and the readings."""
    found = CollectorRegistry()
    if VARIABLE in os.environ:
        MultiProcessCollector(found)
    else:
        found.register(REGISTRY)
    found.register(Readings())
    return found
