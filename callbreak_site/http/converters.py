"""Parts of a path: what is not even of the right form is looked for like the rest, and not found."""

import re
from uuid import UUID

from django.urls import register_converter

ID = re.compile(r"[0-9a-fA-F]{32}", re.ASCII)


class IdConverter:
    """An id of 32 hex digits; None for anything else, which the view answers with 404 in its turn."""

    regex = "[^/]+"

    def to_python(self, text: str) -> UUID | None:
        """Return the id as a UUID."""
        return UUID(text) if ID.fullmatch(text) else None

    def to_url(self, value: UUID) -> str:
        """Return the id as it is told to clients."""
        return value.hex


class NumberConverter:
    """A small whole number, such as a round or a seat; None for anything else."""

    regex = "[^/]+"

    def to_python(self, text: str) -> int | None:
        """Return the number."""
        return int(text) if re.fullmatch("0|[1-9][0-9]{0,3}", text, re.ASCII) else None

    def to_url(self, value: int) -> str:
        """Return the number in digits."""
        return str(value)


def register() -> None:
    """Let paths say `<id:…>` and `<number:…>`."""
    register_converter(IdConverter, "id")
    register_converter(NumberConverter, "number")
