"""JSON in, strictly: what two parsers could read in two ways is refused."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from django.http import HttpRequest
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MOST_BYTES = 65_536
DEEPEST = 16


class StrictJSONParser(BaseParser):
    """Reads one JSON value; raises ParseError for anything that is not plainly that."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value that *stream* holds."""
        raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise ParseError(f"The body is longer than {MOST_BYTES} bytes.")
        return strict_json(raw)


def strict_json(raw: bytes) -> Any:
    """Return the JSON value in *raw*.

    >>> strict_json(b'{"bid": 3}')
    {'bid': 3}
    >>> strict_json(b'{"bid": 3, "bid": 4}')
    Traceback (most recent call last):
    rest_framework.exceptions.ParseError: The name "bid" is there twice.
    """
    try:
        value = json.loads(
            raw.decode("utf-8"), object_pairs_hook=once_each, parse_constant=no_constant, parse_float=finite
        )
    except UnicodeDecodeError:
        raise ParseError("The body is not UTF-8.") from None
    except RecursionError:
        raise ParseError("The body is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise ParseError(f"The body is not JSON (line {error.lineno}, column {error.colno}).") from None
    except ValueError:  # an integer with thousands of digits
        raise ParseError("A number is too long.") from None
    check_strings_and_depth(value)
    return value


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of *pairs*; a name that is there twice is refused."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ParseError(f'The name "{name[:100]}" is there twice.' if is_plain(name) else "A name is there twice.")
        found[name] = value
    return found


def no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python's parser would read."""
    raise ParseError(f"{name} is not JSON.")


def finite(text: str) -> float:
    """Return the number; one too large for a float is refused.

    >>> finite("1e400")
    Traceback (most recent call last):
    rest_framework.exceptions.ParseError: A number is too large.
    """
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ParseError("A number is too large.")
    return number


def is_plain(text: str) -> bool:
    """Tell whether PostgreSQL and UTF-8 can hold *text*: no NUL, no half of a surrogate pair.

    >>> is_plain("आशा"), is_plain("a" + chr(0)), is_plain(chr(0xD800))
    (True, False, False)
    """
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def check_strings_and_depth(value: Any) -> None:
    """Raise ParseError for a string that can't be stored, or nesting that nothing of ours has."""
    layer = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for node in layer:
            if isinstance(node, str) and not is_plain(node):
                raise ParseError("A string holds NUL or half of a surrogate pair.")
            if isinstance(node, dict):
                inner.extend(node)
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
        if not inner:
            return
        layer = inner
    raise ParseError("The body is nested too deeply.")


def read_to_the_end(request: HttpRequest) -> None:
    """Read what a refusal left unread of a body that is not too long.

    A server ends a connection on which something is left, and the client's next request on it would get no answer.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdecimal() and int(length) <= MOST_BYTES:
        with suppress(OSError):
            request.read()
