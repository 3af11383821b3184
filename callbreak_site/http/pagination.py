"""Long lists in pages: `{"results": […], "next": url or null}`, where `next` says after which row to go on."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as FieldError
from django.db.models import Model, Q, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from callbreak_site.http.forms import Form, QueryInteger, Text

USUAL_LIMIT = 20
MOST = 100
Row = TypeVar("Row", bound=Model)


class PageQuery(Form):
    """Which part of a list is wanted."""

    limit = QueryInteger(required=False, default=USUAL_LIMIT, min_value=1, max_value=MOST, help_text="Rows in a page.")
    cursor = Text(required=False, max_length=500, help_text="Where to go on: leave it to the `next` of the last page.")


def page(
    request: Request,
    rows: QuerySet[Row],
    query: dict[str, Any],
    *,
    order: Sequence[str],
    show: Callable[[list[Row]], list[Any]],
) -> dict[str, Any]:
    """Return one page of *rows*, newest first by the fields of *order*, the last of which is unique.

    *show* gets all rows of the page at once, so that what belongs to them can be read together.
    A row keeps its place while others come and go: no page repeats or misses one that was there throughout.
    """
    limit = query["limit"]
    if cursor := query.get("cursor"):
        rows = rows.filter(after(rows, order, cursor))
    found = list(rows.order_by(*(f"-{name}" for name in order))[: limit + 1])
    onward = None
    if len(found) > limit:
        last = found[limit - 1]
        onward = url_with(request, cursor=written([getattr(last, name) for name in order]))
    return {"results": show(found[:limit]), "next": onward}


def url_with(request: Request, **parameters: Any) -> str:
    """Return the address of *request* with these parameters changed."""
    query = request._request.GET.copy()
    for name, value in parameters.items():
        query[name] = str(value)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def after(rows: QuerySet[Any], order: Sequence[str], cursor: str) -> Q:
    """Return the condition that a row comes after the one that *cursor* names; raises ValidationError for nonsense."""
    try:
        texts = read(cursor)
        fields = [rows.model._meta.get_field(name) for name in order]
        values = [moment_or_id(field.to_python(text)) for field, text in zip(fields, texts, strict=True)]
    except (ValueError, OverflowError, FieldError):
        raise ValidationError({"cursor": ["Must come from the `next` of a page."]}) from None
    condition = Q()
    for position, name in enumerate(order):
        same = dict(zip(order[:position], values, strict=False))
        condition |= Q(**same, **{f"{name}__lt": values[position]})
    return condition


def moment_or_id(value: Any) -> Any:
    """Return *value*, a time in UTC; raises ValueError for one without a zone, OverflowError at the ends of time."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("no zone")
        return value.astimezone(UTC)
    return value


def written(values: Sequence[Any]) -> str:
    """Return a cursor that names the row with these values.

    >>> read(written([7, "a"]))
    ['7', 'a']
    """
    texts = [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in values]
    return base64.urlsafe_b64encode(json.dumps(texts).encode()).decode().rstrip("=")


def read(cursor: str) -> list[str]:
    """Return the values that *cursor* names, as text; raises ValueError.

    >>> read("nonsense")
    Traceback (most recent call last):
    ValueError: not a cursor
    """
    try:
        texts = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise ValueError("not a cursor") from None
    if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
        raise ValueError("not a cursor")
    return texts
