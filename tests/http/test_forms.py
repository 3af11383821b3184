"""Fields take exactly what JSON has for them."""

from typing import Any
from uuid import UUID

import pytest
from rest_framework.exceptions import ValidationError

from callbreak_site.http import forms
from callbreak_site.http.forms import values_of


class Everything(forms.Form):
    """One of each."""

    integer = forms.Integer(required=False, min_value=1, max_value=13)
    flag = forms.Flag(required=False)
    text = forms.Text(required=False, max_length=5)
    label = forms.Label(required=False, max_length=20)
    choice = forms.Choice(choices=["a", "b"], required=False)
    hexes = forms.HexText(digits=4, required=False)
    id = forms.Id(required=False)
    count = forms.QueryInteger(required=False, min_value=1, max_value=100)
    mine = forms.QueryFlag(required=False)


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        ("integer", 13, 13),
        ("flag", False, False),
        ("text", " a ", " a "),
        ("label", "आशा का फ़ोन", "आशा का फ़ोन"),
        ("choice", "b", "b"),
        ("hexes", "00fF", "00ff"),
        ("id", "0" * 31 + "A", UUID(int=10)),
        ("count", "007", 7),
        ("mine", "true", True),
    ],
)
def test_a_field_takes_its_own_type(field: str, value: Any, read: Any) -> None:
    assert values_of(Everything, {field: value}) == {field: read}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("integer", value) for value in ("3", 3.0, True, None, [], {}, 0, 14, 10**30, -(10**30))),
        *(("flag", value) for value in ("true", 1, 0, None, "yes", [])),
        *(("text", value) for value in (1, True, None, "", "abcdef", ["a"], {"a": 1})),
        *(
            ("label", value)
            for value in ("", " a", "a ", "a\n", "a\tb", "\u202ea", "a\u200bb", "a\u0000b", "\ud800", 1)
        ),
        *(("choice", value) for value in ("c", 1, None, [], {}, "A", "")),
        *(("hexes", value) for value in ("00f", "00fff", "00fg", "00f\n", 1234, None, "００ff")),
        *(
            ("id", value)
            for value in ("0" * 31, "0" * 33, "z" * 32, 7, None, "00000000-0000-0000-0000-00000000000a", "٠" * 32)
        ),
        *(("count", value) for value in ("", "x", "1.0", " 1", "٣", "1e2", "0", "101", "9" * 40, "+1")),
        *(("mine", value) for value in ("1", "True", "yes", "")),
    ],
)
def test_a_field_takes_nothing_else(field: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        values_of(Everything, {field: value})
    assert list(refused.value.detail) == [field]


@pytest.mark.parametrize("body", [[], "a", 1, None, True])
def test_a_form_is_an_object(body: Any) -> None:
    with pytest.raises(ValidationError):
        values_of(forms.EmptyForm, body)


def test_unknown_fields_are_told_beside_what_else_is_wrong() -> None:
    with pytest.raises(ValidationError) as refused:
        values_of(Everything, {"integer": "3", "colour": 1, "__class__": 1})
    assert set(refused.value.detail) == {"integer", "colour", "__class__"}
