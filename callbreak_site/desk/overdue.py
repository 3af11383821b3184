"""The first page: what waits longer than it should, over all apps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

SHOWN = 20


@dataclass(frozen=True)
class Late:
    """One thing that waits, since when, and the page that tells more."""

    name: str
    url: str
    since: datetime
    note: str = ""


@dataclass(frozen=True)
class Backlog:
    """Things of one kind that wait, longest first; *things* has one more than are shown when there are more."""

    title: str
    all_is_well: str
    things: Sequence[Late]
    url: str

    @property
    def shown(self) -> Sequence[Late]:
        """The first of them."""
        return self.things[:SHOWN]

    @property
    def has_more(self) -> bool:
        """Whether there are more than are shown."""
        return len(self.things) > SHOWN


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add every backlog that settings name and this person may see, those with something in them first."""
    backlogs = [backlog for name in settings.BACKLOGS for backlog in import_string(name)(request)]
    return {**context, "title": "Desk", "backlogs": sorted(backlogs, key=lambda backlog: not backlog.things)}
