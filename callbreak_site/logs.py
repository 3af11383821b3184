"""One line a log entry, as JSON, without secrets: no query strings, headers or bodies."""

import logging
import re
import sys
import time
import traceback
import uuid
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

log = structlog.get_logger("callbreak.request")
REQUEST_ID = re.compile(r"[0-9a-f]{32}")
QUIET_PATHS = ("/healthz", "/readyz", "/metrics")

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def error_without_its_text(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tell an error by its class and where it happened: its text may hold a row, and a row may hold cards or a seed."""
    error = entry.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        entry["exception"] = "".join([*traceback.format_tb(error.__traceback__), type(error).__qualname__])
    return entry


def task_without_its_error(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tell a task that failed by its name: Celery writes the text of the error into the line itself."""
    record = entry["_record"]
    if record.exc_info and record.name.startswith("celery."):
        entry["event"] = f"task failed: {getattr(record, 'data', {}).get('name', 'unknown')}"
    return entry


def logging_config(level: str) -> dict[str, Any]:
    """Return Django's LOGGING at *level*, and set structlog up to write through it."""
    if level not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not {level!r}.")
    structlog.configure(
        processors=[
            *SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            error_without_its_text,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*SHARED, task_without_its_error, error_without_its_text],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        # Django's own handlers would write each entry a second time.
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # Every refusal of the API would be a warning here; RequestLog has its status already.
            "django.request": {"level": "ERROR"},
            # Two lines for each sweep, every five seconds.
            "celery": {"level": "WARNING"},
        },
    }


def request_id_of(request: HttpRequest) -> str:
    """Return the id that the proxy in front has logged for *request*; a new one where there is none to believe."""
    told = request.META.get("HTTP_X_REQUEST_ID", "")
    return told if settings.BEHIND_PROXY and REQUEST_ID.fullmatch(told) else uuid.uuid4().hex


class RequestLog:
    """Write one line for each request: method, path, status and milliseconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer *request*, and log it under an id that later lines of this request share."""
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id_of(request))
        began = time.perf_counter()
        response = self.get_response(request)
        if request.path not in QUIET_PATHS:
            level = logging.ERROR if response.status_code >= 500 else logging.INFO
            milliseconds = round((time.perf_counter() - began) * 1000, 1)
            log.log(
                level, "request", method=request.method, path=request.path, status=response.status_code, ms=milliseconds
            )
        return response
