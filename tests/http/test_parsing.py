"""What two JSON parsers could read in two ways is refused, and so is what can't be stored."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ParseError

from callbreak_site.http.parsing import MOST_BYTES, strict_json
from tests.contract import Api
from tests.players.people import asha

HOSTILE = {
    "no JSON": b"{bid: 3}",
    "nothing but a space": b" ",
    "a name twice": b'{"old": "a", "old": "b", "new": "c"}',
    "a name twice further in": b'{"old": {"a": 1, "a": 2}}',
    "NaN": b'{"old": NaN}',
    "Infinity": b'{"old": -Infinity}',
    "a float too large": b'{"old": 1e400}',
    "a number of 5,000 digits": b'{"old": ' + b"9" * 5000 + b"}",
    "a byte order mark": b'\xef\xbb\xbf{"old": "a"}',
    "UTF-16": '{"old": "a"}'.encode("utf-16"),
    "Latin-1": '{"old": "é"}'.encode("latin-1"),
    "NUL": b'{"old": "a\\u0000b"}',
    "a lone surrogate": b'{"old": "\\ud800"}',
    "a lone surrogate as a name": b'{"\\udfff": 1}',
    "depth 30,000": b"[" * 30_000 + b"]" * 30_000,
    "depth 20": b'{"old":' * 20 + b"1" + b"}" * 20,
    "objects 10,000 deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "a list": b"[]",
    "a string": b'"old"',
    "null": b"null",
    "a number": b"7",
    "too long": b'{"old": "' + b"a" * MOST_BYTES + b'"}',
    "too long by spaces": b'{"old": "a"}' + b" " * MOST_BYTES,
    "two values": b"{} {}",
    "a comment": b"{} // hm",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
}


@pytest.mark.django_db
@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_body_is_a_problem_and_no_accident(body: bytes) -> None:
    refusal = asha().post("/me/password", body)
    assert (refusal.status_code, refusal.json()["code"]) == (400, "invalid")
    assert list(refusal.json()["errors"]) == ["body"]


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["10" * 15, "-0", "1e3", "true", "[]", "{}", "null", '""'])
def test_a_value_of_another_type_is_wrong_with_its_field(value: str) -> None:
    refusal = asha().post("/me/password", f'{{"old": "x", "new": {value}}}'.encode())
    assert refusal.status_code == 400
    assert list(refusal.json()["errors"]) == ["new"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", "application/xml"],
)
def test_nothing_but_json_is_read(kind: str) -> None:
    refusal = Api().post("/players", b'{"username": "asha", "password": "a wet otter on a bus"}', Content_Type=kind)
    assert (refusal.status_code, refusal.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.django_db
def test_json_may_say_that_it_is_utf_8() -> None:
    body = b'{"username": "asha", "password": "a wet otter on a bus"}'
    assert Api().post("/players", body, Content_Type="application/json; charset=utf-8").status_code == 201


@pytest.mark.django_db
def test_a_body_without_a_length_is_not_taken_for_none() -> None:
    refusal = Api().post("/players/guest", Transfer_Encoding="chunked", Content_Length="")
    assert refusal.json()["errors"] == {"body": ["Must come with its Content-Length."]}


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_json_or_refused(raw: bytes) -> None:
    with suppress(ParseError):
        strict_json(raw)


texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner), max_leaves=10
)


@given(json_values)
def test_plain_json_is_read_as_it_was_written(value: object) -> None:
    assert strict_json(json.dumps(value).encode()) == value
