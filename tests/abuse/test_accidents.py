"""Whatever breaks, wherever: who asked is told an id, the log is told class and place, nobody is told what it held."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.urls import resolve

from callbreak_site import prepared
from callbreak_site.celery import app
from tests.abuse.operations import Operation, operations
from tests.abuse.test_hostile_requests import World
from tests.admin.desks import administrator, browser
from tests.contract import PREFIX
from tests.site.logged import logged

pytestmark = pytest.mark.django_db
HELD = "AS KH 4503599627370495 asha" + "@example.org"
LEAKS = re.compile(r'4503599627370495|@example\.org|SELECT "|INSERT INTO|UPDATE "')
INNER = re.compile(r"\.py\b|Traceback|LookupError|SELECT|psycopg|/work|site-packages")
PAGES = ["/admin/", "/admin/login/", "/admin/players/player/", "/admin/games/game/", "/admin/outbox/fact/", "/healthz",
         "/readyz", "/api/docs", "/api/v1/openapi.json", "/api/nothing"]  # fmt: skip
STEPS = (1, 2, 4, 7)  # the how manieth statement breaks


@pytest.fixture(scope="module", autouse=True)
def tasks_known() -> None:
    """Let Celery find the tasks first: it sets logging up anew."""
    app.loader.import_default_modules()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything that is logged, as it would be written."""
    with logged("DEBUG") as written:
        yield written


@contextmanager
def breaking_at(step: int) -> Iterator[list[str]]:
    """Let the database break at a statement, with all that it held in the text of the error; yields what was run."""
    done: list[str] = []
    fetch = prepared._fetch_row

    def count(sql: str, params: Any) -> None:
        done.append(sql)
        if len(done) == step:
            raise LookupError(f"{HELD} {sql} {params}")

    def run(execute: Any, sql: str, params: Any, *rest: Any) -> Any:
        count(sql, params)
        return execute(sql, params, *rest)

    def run_prepared(connection_: Any, sql: str, params: Any) -> Any:
        count(sql, params)
        return fetch(connection_, sql, params)

    with connection.execute_wrapper(run), patch.object(prepared, "_fetch_row", run_prepared):
        yield done


def told_nothing(answer: Any, what: str) -> None:
    """Fail unless an accident is told by its id alone."""
    text = answer.content.decode()
    assert answer.status_code == 500, what
    assert re.search(r"urn:uuid:[0-9a-f-]{36}", text), f"{what}: {text}"
    assert not LEAKS.search(text) and not INNER.search(text), f"{what}: {text}"


@pytest.mark.parametrize("asked", operations(), ids=str)
def test_an_accident_in_any_endpoint_is_told_by_its_id_alone(asked: Operation, lines: io.StringIO) -> None:
    world = World()
    someone, path = next(world.places(asked))
    someone.client.raise_request_exception = False

    def break_down(*_: Any, **__: Any) -> None:
        held_cards = HELD
        raise LookupError(held_cards)

    view = resolve(PREFIX + path).func.cls  # type: ignore[attr-defined]
    with patch.object(view, asked.method.lower(), break_down):
        told_nothing(someone.send(asked.method, path, asked.body), str(asked))
    assert lines.getvalue().count("LookupError") >= 1 and "internal error" in lines.getvalue()
    for step in STEPS:
        with breaking_at(step) as done:
            answer = someone.send(asked.method, path, asked.body)
        assert step > 1 or (done and answer.status_code == 500), f"{asked} asked the database nothing"
        if answer.status_code >= 500:
            told_nothing(answer, f"{asked} at statement {step}")
    assert not LEAKS.search(lines.getvalue())


@pytest.mark.parametrize("path", PAGES)
def test_an_accident_on_any_page_is_told_by_its_id_alone(path: str, lines: io.StringIO) -> None:
    client = browser(administrator())
    for step in STEPS:
        with breaking_at(step):
            answer = client.get(path)
        if answer.status_code >= 500 and path != "/readyz":
            told_nothing(answer, f"{path} at statement {step}")
    assert not LEAKS.search(lines.getvalue())


TASKS: dict[str, tuple[str, list[Any]]] = {
    "callbreak_site.outbox.tasks.deliver": ("callbreak_site.outbox.services.deliver", [7]),
    "callbreak_site.outbox.tasks.sweep": ("callbreak_site.outbox.sweeping.sweep", []),
    "callbreak_site.outbox.tasks.maintain": ("callbreak_site.outbox.sweeping.maintain", []),
    "bots.tasks.take_turns": ("bots.services.take_turns", ["0" * 32]),
}


def test_every_task_is_broken_here() -> None:
    assert {name for name in app.tasks if not name.startswith("celery.")} == set(TASKS)


@pytest.mark.parametrize("name", TASKS)
def test_an_accident_in_any_task_is_logged_without_what_it_held(name: str, lines: io.StringIO) -> None:
    service, arguments = TASKS[name]
    with patch(service, side_effect=LookupError(HELD)):
        app.tasks[name].apply(arguments)
    for step in STEPS:
        with breaking_at(step):
            app.tasks[name].apply(arguments)
    assert "LookupError" in lines.getvalue()
    assert not LEAKS.search(lines.getvalue()), lines.getvalue()


def test_a_client_that_breaks_off_is_no_accident(lines: io.StringIO) -> None:
    class Gone(io.BytesIO):
        def read(self, *_: Any) -> bytes:
            raise OSError(HELD)

    answer = Client(raise_request_exception=False).generic(
        "POST", "/api/v1/sessions", b"", "application/json", **{"wsgi.input": Gone(), "CONTENT_LENGTH": "9"}
    )
    assert answer.status_code < 500 or not LEAKS.search(answer.content.decode() + lines.getvalue())
    assert not LEAKS.search(lines.getvalue())
