"""Refusals of a client's request that reaches no endpoint: a problem, with no word of what went wrong."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.problems import MEDIA_TYPE, problem
from callbreak_site.http.rendering import as_json
from callbreak_site.metrics.counters import count_refusal

API = "/api/"


class ShortBodies:
    """Refuse a body longer than any form of ours before it is read: Django would keep its files on disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer *request*; raises RequestDataTooBig."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        return self.get_response(request)


def bad_request(exception: Exception) -> HttpResponse:
    """Answer a client's request that no client would send, such as one for another site's name."""
    if isinstance(exception, RequestDataTooBig):
        return refused(ServiceError(Code.INVALID, "The request is too long."))
    return refused(ServiceError(Code.INVALID, "The request is not one that a client would send."))


def is_for_api(request: HttpRequest) -> bool:
    """Tell whether who asks expects JSON."""
    return request.path_info.startswith(API)


def refused(refusal: ServiceError) -> HttpResponse:
    """Return *refusal* as a problem."""
    count_refusal(refusal.code)
    body = problem(refusal.code, refusal.detail, **refusal.extra)
    answer = HttpResponse(as_json(body), status=body["status"], content_type=MEDIA_TYPE)
    answer.headers["Cache-Control"] = "private, no-store"
    if "retry_after" in refusal.extra:
        answer.headers["Retry-After"] = str(refusal.extra["retry_after"])
    return answer
