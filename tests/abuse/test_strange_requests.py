"""A request for another site, with too much of something, or before any endpoint, gets an answer of its kind."""

import logging
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

PATHS = ["/api/v1/games", "/api/v1/openapi.json", "/api/docs", "/api/v1/sessions", "/api/nothing"]
PAGES = ["/", "/healthz", "/admin/", "/admin/login/"]
HOSTS = [
    "evil.example",
    "testserver.evil.example",
    "evil.example:80",
    "a b",
    "é",
    "[::1",
    "testserver@evil.example",
    "*",
    "",
]
MANY = "&".join(f"a{number}=1" for number in range(1100))


@pytest.mark.django_db
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", PATHS)
def test_another_sites_name_is_a_problem_for_programs(path: str, host: str) -> None:
    answer = Client().get(path, headers={"Host": host} if host else {}, SERVER_NAME="" if not host else "testserver")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert (answer.json()["code"], answer.json()["status"]) == ("invalid", 400)
    assert "evil" not in answer.content.decode()
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_another_sites_name_is_a_short_page_for_people(path: str) -> None:
    answer = Client().get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.headers["Content-Type"].partition(";")[0]) == (400, "text/html")
    assert "evil" not in answer.content.decode()


@pytest.mark.django_db
def test_a_name_that_a_proxy_is_said_to_have_heard_is_not_believed() -> None:
    answer = Client().get(
        "/api/v1/openapi.json", headers={"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    )
    assert answer.status_code == 200
    assert "evil.example" not in answer.content.decode() + str(answer.headers)


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS + PAGES)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_thousand_parameters_are_no_accident(path: str, method: str) -> None:
    answer = Client().generic(method, f"{path}?{MANY}")
    assert answer.status_code < 500
    if path.startswith("/api/") and path != "/api/docs":
        assert answer.headers["Content-Type"] in ("application/problem+json", "application/vnd.oai.openapi+json")


@pytest.mark.django_db
def test_ten_thousand_fields_of_a_form_are_a_bad_request() -> None:
    fields = "&".join(f"a{number}=1" for number in range(10_000))
    answer = Client().post("/admin/login/", fields, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert (
        Client().post("/api/v1/sessions", fields, content_type="application/x-www-form-urlencoded").status_code == 415
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "kind"), [("/api/v1/limits", "application/problem+json"), ("/admin/", "text/html")])
def test_an_accident_before_any_endpoint_tells_its_id_and_nothing_else(
    path: str, kind: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "cb_" + "thisisasecret"

    def break_down(*_: Any) -> None:
        raise LookupError(secret)

    monkeypatch.setattr("django.middleware.csrf.CsrfViewMiddleware.process_view", break_down)
    with caplog.at_level(logging.DEBUG):
        answer = Client(raise_request_exception=False).get(path)
    assert (answer.status_code, answer.headers["Content-Type"].partition(";")[0]) == (500, kind)
    told = answer.content.decode()
    mark = UUID(told.partition("urn:uuid:")[2][:36])
    assert f"internal error {mark.hex}: LookupError" in caplog.text
    for leak in ("secret", "LookupError", ".py", "Traceback"):
        assert leak not in told
    assert "cb_thisisasecret" not in "".join(record.getMessage() for record in caplog.records)
