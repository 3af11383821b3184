"""Refusals of what reaches no endpoint: a problem below /api/, a short page elsewhere, no word of what went wrong."""

import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.views import defaults

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.problems import MEDIA_TYPE, as_refusal, problem, unforeseen
from callbreak_site.http.rendering import as_json
from callbreak_site.metrics.counters import count_refusal

API = "/api/"
PAGE = (
    '<!doctype html><html lang="en"><title>Server error</title><h1>Something went wrong</h1><p>It was logged: {}.</p>'
)


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


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that no client would send, such as one for another site's name."""
    if not is_for_api(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return refused(ServiceError(Code.INVALID, "The request is too long."))
    return refused(ServiceError(Code.INVALID, "The request is not one that a client would send."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what nobody foresaw, outside an endpoint, with the id under which it is logged."""
    error = sys.exc_info()[1]
    assert isinstance(error, Exception)  # Django asks only while it handles one
    if is_for_api(request):
        return refused(as_refusal(error))
    return HttpResponseServerError(PAGE.format(unforeseen(error).extra["instance"]))


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
