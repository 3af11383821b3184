"""How the admin pages look, and what their menu offers to whom: django-unfold's settings."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def no_inline_colors(_: HttpRequest) -> dict[str, Any]:
    """Keep unfold from writing its colors into each page: ours are a file, which the Content-Security-Policy allows."""
    return {"colors": None}


def _file(path: str) -> Callable[[HttpRequest], str]:
    return lambda _: static(path)


def _entry(title: str, icon: str, model: str) -> dict[str, Any]:
    """Return a line of the menu for a *model* (`app.name`), for those who may view it."""
    app, name = model.split(".")
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{app}_{name}_changelist"),
        "permission": lambda request: request.user.has_perm(f"{app}.view_{name}"),
    }


UNFOLD = {
    "SITE_TITLE": "Callbreak",
    "SITE_HEADER": "Callbreak",
    "SITE_SYMBOL": "playing_cards",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _file("desk/icon.svg")}],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "GLOBAL_CALLBACK": "callbreak_site.desk.look.no_inline_colors",
    "DASHBOARD_CALLBACK": "callbreak_site.desk.overdue.dashboard",
    "STYLES": [_file("desk/desk.css")],
    "SCRIPTS": [_file("desk/desk.js")],
    "SIDEBAR": {
        "navigation": [
            {
                "title": "",
                "items": [
                    {"title": "Desk", "icon": "overview", "link": reverse_lazy("admin:index")},
                    _entry("Players", "group", "players.player"),
                    _entry("Games", "playing_cards", "games.game"),
                    _entry("Audit", "gavel", "players.audit"),
                ],
            },
            {
                "title": "Machine room",
                "separator": True,
                "items": [
                    _entry("Bots", "smart_toy", "bots.claim"),
                    _entry("Facts", "outbox", "outbox.fact"),
                    _entry("Heartbeats", "ecg_heart", "outbox.heartbeat"),
                ],
            },
        ],
    },
}
