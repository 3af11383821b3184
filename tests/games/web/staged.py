"""A browser that is shown pages made beforehand: the page's own scripts run in it, without any server."""

import mimetypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

from tests.e2e.browsing import chromium

HOST = "http://localhost"


@contextmanager
def staged(pages: Mapping[str, Any]) -> Iterator[Page]:
    """Open a tab in which the answers *pages* stand at their paths, fragments for scripts at `fetch:` and the path.

    No row can be read while it is open: Django takes the thread for an asynchronous one.
    """
    faults: list[str] = []

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(HOST)
        if path.startswith("/static/"):
            found = finders.find(path.removeprefix("/static/"))
            assert isinstance(found, str), path
            content_type = mimetypes.guess_type(found)[0] or "text/javascript"
            return route.fulfill(body=Path(found).read_bytes(), content_type=content_type)
        is_script = route.request.headers.get("x-requested-with") == "fetch"
        page = pages.get(f"fetch:{path}" if is_script else path)
        if page is None:
            return route.fulfill(status=404)
        return route.fulfill(body=page.content, status=page.status_code, headers=dict(page.headers))

    with chromium() as browser:
        context = browser.new_context(locale="en-US", service_workers="block")
        tab = context.new_page()
        tab.route("**/*", answer)
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        yield tab
        context.close()
    assert not faults, faults
