"""`make screenshots`: pictures of every kind of page at three sizes, light and dark, into var/screenshots/."""

import sys
import tempfile
from pathlib import Path

from tests.e2e.browsing import Visitor, chromium, service
from tests.e2e.places import furnished
from tests.site.running import CHECKOUT

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1440, 900)}
FOLDER = CHECKOUT / "var" / "screenshots"


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, service(Path(data)) as site, chromium() as browser:
        visitor = Visitor(browser, site, reduced_motion="reduce")
        for place, path in furnished(visitor).items():
            for scheme in ("light", "dark"):
                visitor.page.emulate_media(color_scheme=scheme)
                visitor.page.goto(path)
                for size, (width, height) in SIZES.items():
                    visitor.page.set_viewport_size({"width": width, "height": height})
                    visitor.page.screenshot(path=FOLDER / f"{place.replace(' ', '-')}.{size}.{scheme}.png")
        visitor.context.close()
    sys.stdout.write(f"Pictures of the pages are in {FOLDER}.\n")


if __name__ == "__main__":
    main()
