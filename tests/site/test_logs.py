"""Logs say what happened, one line an entry, and none of what was confided."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from callbreak_site.logs import RequestLog
from tests.site.logged import logged

SECRET = "cb_thisisasecret"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything that is logged, as it would be written."""
    with logged("INFO") as written:
        yield written


def test_a_request_is_one_line_without_its_query_headers_and_body(client: Client, lines: io.StringIO, db: None) -> None:
    client.post(
        f"/api/v1/sessions?invite={SECRET}",
        json.dumps({"username": "sita", "password": SECRET}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {SECRET}", "Cookie": f"sessionid={SECRET}"},
    )
    (entry,) = [json.loads(line) for line in lines.getvalue().splitlines() if '"request"' in line]
    assert (entry["event"], entry["method"], entry["path"]) == ("request", "POST", "/api/v1/sessions")
    assert entry["status"] >= 400
    assert entry["ms"] >= 0
    assert SECRET not in lines.getvalue()
    assert "sita" not in lines.getvalue()


def test_a_line_break_in_a_path_starts_no_new_line(client: Client, lines: io.StringIO, db: None) -> None:
    client.get("/api/v1/games/x%0A%7B%22event%22:%22forged%22%7D")
    assert all(json.loads(line)["event"] != "forged" for line in lines.getvalue().splitlines())


def test_lines_of_one_request_share_an_id(lines: io.StringIO) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        logging.getLogger("games").warning("noted: %s", "within")
        return HttpResponse()

    log = RequestLog(view)
    for _ in range(2):
        log(RequestFactory().get("/"))
    entries = [json.loads(line) for line in lines.getvalue().splitlines()]
    ids = [entry["request_id"] for entry in entries]
    assert [entry["event"] for entry in entries] == ["noted: within", "request"] * 2
    assert ids[0] == ids[1] != ids[2] == ids[3]


def test_asking_for_health_is_not_worth_a_line(client: Client, lines: io.StringIO) -> None:
    client.get("/healthz")
    assert lines.getvalue() == ""


def test_an_error_is_told_by_class_and_place_and_not_by_its_text(lines: io.StringIO) -> None:
    try:
        raise ValueError(f"Failing row contains ({SECRET}).")
    except ValueError:
        logging.getLogger("bots").exception("a turn was not taken")
    (entry,) = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert entry["exception"].endswith("ValueError")
    assert "test_logs.py" in entry["exception"]
    assert SECRET not in lines.getvalue()
