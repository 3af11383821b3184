"""What makes an app of the site: its manifest, and the worker that shows what was seen last while offline."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

SHELL = ("site/site.css", "site/site.js", "site/icon.svg", "games/cards.svg", "games/table.css", "games/table.js")


@cache_control(private=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest, in the reader's language."""
    icons = [
        {"src": static(f"site/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ]
    told = {
        "name": _("Callbreak"),
        "short_name": _("Callbreak"),
        "lang": get_language(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f3ee",
        "theme_color": "#0f6e66",
        "icons": [{"src": static("site/icon.svg"), "sizes": "any", "type": "image/svg+xml"}, *icons],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which has to lie at the top to see every page."""
    shell = [static(name) for name in SHELL]
    # The names tell their contents: with another release the copies of the one before go.
    release = sha256("".join(shell).encode()).hexdigest()[:12]
    return render(request, "site/worker.js", {"shell": shell, "release": release}, content_type="text/javascript")


def offline(request: HttpRequest) -> HttpResponse:
    """Show what is said while there is no network."""
    return render(request, "site/offline.html", {"words": _("You are offline.")})
