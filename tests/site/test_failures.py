"""What went wrong is told in the site's own face, in the reader's language, and without a word of what it held."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.test import Client

from games.web import home

pytestmark = pytest.mark.django_db


def broken(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Client:
    """Return a browser for which the first page fails."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(home.Home, "get", fail)
    return Client(raise_request_exception=False)


def test_an_address_where_nothing_is_has_a_page_of_the_site(client: Client) -> None:
    page = client.get("/nowhere")
    assert page.status_code == 404
    assert "There is no such page." in page.content.decode() and "site.css" in page.content.decode()


def test_what_is_not_allowed_has_a_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    page = broken(monkeypatch, PermissionDenied("secret")).get("/")
    assert (page.status_code, "secret" in page.content.decode()) == (403, False)
    assert "You may not do this." in page.content.decode()


def test_a_form_without_its_token_is_refused_in_words() -> None:
    page = Client(enforce_csrf_checks=True).post("/play", {"ruleset": "lite"})
    assert page.status_code == 403
    assert "This form is too old" in page.content.decode()
    told = Client(enforce_csrf_checks=True).post("/play", headers={"X-Requested-With": "fetch"})
    assert (told.status_code, told.json()["refusal"][:21]) == (403, "This form is too old,")


def test_what_nobody_foresaw_is_told_by_a_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    page = broken(monkeypatch, ValueError("AS KS QS")).get("/")
    text = page.content.decode()
    assert page.status_code == 500
    assert "<code>" in text and "site.css" in text and "AS KS" not in text


def test_a_database_that_is_away_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    page = broken(monkeypatch, OperationalError("away")).get("/", headers={"Accept-Language": "id"})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "2")
    assert '<html lang="id"' in page.content.decode()


def test_the_manifest_names_icons_that_are_there(client: Client) -> None:
    told = client.get("/manifest.webmanifest")
    assert told.headers["Content-Type"] == "application/manifest+json"
    for icon in told.json()["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon


def test_the_worker_lies_at_the_top_and_keeps_files_that_are_there(client: Client) -> None:
    worker = client.get("/sw.js").content.decode()
    assert client.get("/offline").status_code == 200
    files = re.findall(r'"/static/([^"]+)"', worker)
    assert len(files) >= 5
    assert all(map(finders.find, files))
