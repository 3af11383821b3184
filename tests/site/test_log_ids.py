"""One id leads from the proxy's log to the web server's, and on to the worker's."""

import io
import json
import logging

import pytest
import structlog
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from callbreak_site.celery import app, remember_where_it_began
from callbreak_site.logs import RequestLog
from callbreak_site.outbox.publishing import where_it_began
from tests.site.test_logs import lines  # noqa: F401 (a fixture)

ID = "0123456789abcdef" * 2


def seen(told: str | None) -> str:
    """Return the id under which a request that brings *told* is logged."""
    found = []

    def view(request: HttpRequest) -> HttpResponse:
        found.append(where_it_began()["request_id"])
        return HttpResponse()

    RequestLog(view)(RequestFactory().get("/", headers={"X-Request-Id": told} if told else {}))
    return found[0]


def test_the_proxys_id_is_taken_up(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    assert seen(ID) == ID


@pytest.mark.parametrize("told", [None, "", "short", ID.upper(), ID + "0", "x" * 32])
def test_what_is_no_id_of_a_proxy_is_not_taken_up(settings: Settings, told: str | None) -> None:
    settings.BEHIND_PROXY = True
    first, second = seen(told), seen(told)
    assert told not in (first, second)
    assert first != second


def test_without_a_proxy_nobodys_id_is_believed(settings: Settings) -> None:
    settings.BEHIND_PROXY = False
    assert seen(ID) != ID


def test_a_workers_lines_have_the_id_of_the_request_that_caused_them(lines: io.StringIO) -> None:  # noqa: F811
    @app.task(name="tests.log")
    def say() -> None:
        logging.getLogger("bots").warning("at work")

    try:
        for number, brings in enumerate(({"request_id": ID}, {})):
            say.push_request(id=f"t{number}", **brings)
            remember_where_it_began(f"t{number}", say)
            say.run()
            say.pop_request()
    finally:
        app.tasks.pop("tests.log")
        structlog.contextvars.clear_contextvars()
    first, second = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert (first["event"], first["task_id"], first["request_id"]) == ("at work", "t0", ID)
    assert (second["event"], second["task_id"], "request_id" in second) == ("at work", "t1", False)
