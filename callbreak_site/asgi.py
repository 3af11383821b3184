"""The ASGI application, for granian: streams in the event loop, everything else in threads, as under WSGI."""

import gc
import re
from typing import Any

from django.core.asgi import get_asgi_application

from callbreak_site.threads import InThreads
from callbreak_site.wsgi import application as everything_else

THREADS = 4
STREAM = re.compile("/games/[0-9a-f]{32}/stream")

_streams = get_asgi_application()
_requests = InThreads(everything_else, THREADS)
gc.freeze()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer one request."""
    is_stream = STREAM.fullmatch(scope["path"])
    await (_streams if is_stream else _requests)(scope, receive, send)
