"""What a request must look like: strict types, and no field that nobody asked for."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn
from uuid import UUID

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import as_serializer_error

from callbreak_site.http.converters import ID

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Integer(serializers.IntegerField):
    """A JSON integer: no string, no boolean, no 3.0."""

    def to_internal_value(self, data: Any) -> int:
        """Return *data* if it is an int."""
        if type(data) is not int:
            refuse("Must be an integer.")
        return data


class Flag(serializers.BooleanField):
    """A JSON boolean."""

    def to_internal_value(self, data: Any) -> bool:
        """Return *data* if it is true or false."""
        if type(data) is not bool:
            refuse("Must be true or false.")
        return data


class Text(serializers.CharField):
    """A JSON string, taken as it is: nothing trimmed, nothing turned into a string."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return *data* if it is a string."""
        if not isinstance(data, str):
            refuse("Must be a string.")
        return data

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Refuse blank text only where it is empty: DRF would also trim for this question."""
        if data == "" and not self.allow_blank:
            refuse("May not be empty.")
        return super().run_validation(data)


class Label(Text):
    """A line that people read: printable, with something to see at both ends."""

    def to_internal_value(self, data: Any) -> str:
        """Return *data* if every character of it shows or is a space."""
        text = super().to_internal_value(data)
        if not text.isprintable() or text != text.strip():
            refuse("Use printable characters, without spaces at the ends.")
        return text


class Choice(serializers.ChoiceField):
    """One of a few strings."""

    def to_internal_value(self, data: Any) -> str:
        """Return *data* if it is one of the choices."""
        if not isinstance(data, str) or data not in self.choices:
            refuse(f"Must be one of: {', '.join(map(str, self.choices))}.")
        return data


class HexText(serializers.CharField):
    """A fixed number of hex digits, in either case; answered in lower case."""

    def __init__(self, *, digits: int, **options: Any) -> None:
        self.digits = digits
        super().__init__(min_length=digits, max_length=digits, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return *data* in lower case if it is hex of the right length."""
        if not isinstance(data, str) or not re.fullmatch(rf"[0-9a-fA-F]{{{self.digits}}}", data, re.ASCII):
            refuse(f"Must be {self.digits} hex digits.")
        return data.lower()


class Id(serializers.CharField):
    """An id: 32 hex digits, read as a UUID."""

    def to_internal_value(self, data: Any) -> Any:
        """Return *data* as a UUID."""
        if not isinstance(data, str) or not ID.fullmatch(data):
            refuse("Must be an id.")
        return UUID(data)

    def run_validators(self, value: Any) -> None:
        """Do nothing: the value is a UUID, which text validators can't read."""


class QueryInteger(serializers.IntegerField):
    """A whole number in a query string."""

    def to_internal_value(self, data: Any) -> int:
        """Return *data* as an int if it is written in plain digits."""
        if not WHOLE_NUMBER.fullmatch(data):
            refuse("Must be an integer.")
        return int(data)


class QueryFlag(serializers.BooleanField):
    """`true` or `false` in a query string."""

    def to_internal_value(self, data: Any) -> bool:
        """Return *data* as a bool."""
        if data not in ("true", "false"):
            refuse("Must be true or false.")
        return bool(data == "true")


class Form(serializers.Serializer[Any]):
    """A JSON object with these fields and no others; what is wrong with each is told at once."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by name; raises ValidationError by field."""
        if not isinstance(data, Mapping):
            raise ValidationError({"non_field_errors": ["Must be a JSON object."]})
        wrong: dict[str, Any] = {str(name): ["Unknown field."] for name in data if name not in self.fields}
        values: Any = None
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            if not isinstance(error.detail, dict):
                raise
            wrong.update(error.detail)
        if wrong:
            raise ValidationError(wrong)
        return values


class EmptyForm(Form):
    """Nothing: `{}`, or no body at all."""


class VersionedForm(Form):
    """A write to a game, which may name the version that it was decided on."""

    expected_version = Integer(required=False, help_text="Refuse with 409 if the game has moved on from this version.")


def refuse(message: str) -> NoReturn:
    """Say what is wrong with one value, without repeating it."""
    raise ValidationError(message, code="invalid")


def values_of(form: type[Form], body: Any) -> dict[str, Any]:
    """Return the checked values of *body*; raises ValidationError."""
    try:
        return dict(_blank(form).run_validation(body))
    except ValidationError as error:
        # As the serializer itself tells what is wrong with all of it.
        raise ValidationError(as_serializer_error(error)) from None


@cache
def _blank(form: type[Form]) -> Form:
    """Return a form that nobody has filled in: checking a body against it leaves nothing in it."""
    return form()
