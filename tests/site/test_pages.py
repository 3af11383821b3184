"""What a browser gets: it may do no more than our pages ask for, and the docs need no other site."""

import json
import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client, RequestFactory
from drf_spectacular.generators import SchemaGenerator

from callbreak_site.handlers import Site
from callbreak_site.http.description import Description

pytestmark = pytest.mark.django_db
STRICT = {"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "frame-ancestors": "'none'"}


def policy(header: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in header.split(";"))


@pytest.mark.parametrize("path", ["/", "/api/docs", "/api/v1/openapi.json", "/api/v1/nothing", "/nothing", "/healthz"])
def test_every_answer_forbids_what_no_page_asks_for(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert policy(headers["Content-Security-Policy"]).items() >= STRICT.items()
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_admin_allows_no_inline_script_either(client: Client) -> None:
    found = policy(client.get("/admin/login/").headers["Content-Security-Policy"])
    assert "'unsafe-inline'" not in found["script-src"] + found["style-src"]
    assert found["frame-ancestors"] == "'none'"


def test_the_address_that_a_start_tells_is_the_first_page_which_leads_to_the_docs(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert 'action="/play"' in page.content.decode()
    assert 'href="/api/docs"' in page.content.decode()


def test_the_docs_work_without_any_other_site(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    asked = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert len(asked) >= 5
    assert all(address.startswith("/") and not address.startswith("//") for address in asked)
    for address in asked:
        if address.startswith("/static/"):
            assert finders.find(address.removeprefix("/static/")), address
        else:
            assert client.get(address.replace("&amp;", "&")).status_code == 200
    assert not re.search(r"<script>|<style|\son\w+=|\sstyle=", page)


def test_the_schema_is_openapi_3_1(client: Client) -> None:
    schema = json.loads(client.get("/api/v1/openapi.json").content)
    assert schema["openapi"].startswith("3.1")
    assert all(path.startswith("/api/v1/") for path in schema["paths"])


def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 400


def test_what_clients_can_ask_is_written_once_however_often_it_is_asked_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    write = SchemaGenerator.get_schema
    monkeypatch.setattr(Description, "written", [])
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *a, **k: made.append(1) or write(*a, **k))
    first, second = (client.get("/api/v1/openapi.json").content for _ in range(2))
    assert first == second
    assert made == [1]


@pytest.mark.parametrize("path", ["/api/v1/rulesets", "/api/v1/nothing", "/api/v1/games/0", "/api/v1/openapi.json"])
def test_what_only_pages_need_shows_in_no_answer_of_the_api(rf: RequestFactory, path: str) -> None:
    site = Site()
    answers = []
    for handler in (site.api, site.pages):
        told: list[Any] = []
        environ = rf.get(path).environ
        body = b"".join(handler(environ, lambda *start: told.extend(start)))  # noqa: B023 - called at once
        headers = {name: value for name, value in told[1] if name != "X-Request-ID"}
        answers.append((told[0], headers, re.sub(rb'"urn:uuid:[^"]*"', b"", body)))
    assert answers[0] == answers[1]
