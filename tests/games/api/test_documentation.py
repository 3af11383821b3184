"""The OpenAPI text is whole: every operation explained, every example one that would be taken."""

import re
from typing import Any

import pytest

from callbreak_site.http.forms import values_of
from games.api import examples, forms
from tests.contract import text

CONTRACT_TERMS = [
    "Idempotency-Key",
    "expected_version",
    "version_conflict",
    "If-None-Match",
    "Retry-After",
    "client_seed",
]


def described() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, operations in text()["paths"].items()
        for method, operation in operations.items()
    ]


def test_every_operation_is_explained_and_sorted() -> None:
    for name, operation in described():
        assert operation["description"].strip().endswith("."), name
        assert operation["tags"] and operation["operationId"], name


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for _, operation in described()]
    assert len(set(names)) == len(names)


def test_the_text_explains_how_the_api_is_spoken_to() -> None:
    description = text()["info"]["description"]
    assert all(term in description for term in CONTRACT_TERMS)
    for path in re.findall(r"`(?:GET|POST) (/[^`?]*)", description):
        assert f"/api/v1{path.replace('{id}', '{game_id}').replace('{n}', '{number}')}" in text()["paths"]


@pytest.mark.parametrize(
    ("form", "shown"),
    [(forms.CreateForm, examples.CREATE), (forms.BidForm, examples.BID), (forms.PlayForm, examples.PLAY)],
)
def test_every_example_would_be_taken(form: Any, shown: list[Any]) -> None:
    for example in shown:
        assert values_of(form, example.value)
