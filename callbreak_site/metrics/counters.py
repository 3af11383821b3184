"""What is counted as it happens.

Each process adds to a memory-mapped file of its own: no locks between processes, no calls of the system. No label holds
an id, a name or anything else that a request can make up.
"""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

from callbreak_site.errors import Code

QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram(
    "callbreak_request_seconds", "Time to the answer, for each request.", ["method", "route", "status"], buckets=BUCKETS
)
REFUSALS = Counter("callbreak_refusals", "Refusals of the API, by their code.", ["code"])

_observers: dict[tuple[str, str, int], Callable[[float], None]] = {}


class RequestCount:
    """Count every request by its route, method and status, and how long it took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer *request*, and count it unless it only asks how we are."""
        began = time.perf_counter()
        response = self.get_response(request)
        if request.path_info not in QUIET_PATHS:
            count_request(request, response.status_code, time.perf_counter() - began)
        return response


def count_request(request: HttpRequest, status: int, seconds: float) -> None:
    """Count one answered request."""
    match = request.resolver_match
    key = (request.method or "", match.route if match else "", status)
    observe = _observers.get(key) or _observer(*key)
    observe(seconds)


def count_refusal(code: Code) -> None:
    """Count one refusal."""
    REFUSALS.labels(code.value).inc()


def _observer(method: str, route: str, status: int) -> Callable[[float], None]:
    """Return what counts such requests; kept, since finding it by its labels takes longer than counting."""
    if method not in METHODS:
        return REQUESTS.labels("other", route or "none", str(status)).observe
    return _observers.setdefault((method, route, status), REQUESTS.labels(method, route or "none", str(status)).observe)
