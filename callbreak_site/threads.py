"""A WSGI application under an ASGI server, in threads that stay, and so keep their connections to the database."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
LONGEST_BODY_KEPT = 262_144
"""A longer one is not read, or not to its end: it is refused by its Content-Length, and who tells none has no body."""


class InThreads:
    """Answers each request in one of a few threads, which is taken when the request is there whole.

    So nobody who sends slowly holds a thread, nor does who reads slowly.
    """

    def __init__(self, application: Callable[..., Iterable[bytes]], threads: int) -> None:
        self._application = application
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="requests")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        body = b"" if _is_too_long(scope) else await _whole_body(receive)
        if body is None:
            return
        loop = asyncio.get_running_loop()
        status, headers, answer = await loop.run_in_executor(self._threads, self._answer, environ_of(scope, body))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def _answer(self, environ: dict[str, Any]) -> tuple[int, Headers, bytes]:
        begun: list[tuple[int, Headers]] = []

        def start(status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
            told = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            begun[:] = [(int(status[:3]), told)]

        parts = self._application(environ, start)
        try:
            answer = b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return *begun[0], answer


def _is_too_long(scope: Scope) -> bool:
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return any(value.isdigit() and int(value) > LONGEST_BODY_KEPT for value in lengths)


async def _whole_body(receive: Receive) -> bytes | None:
    """Return the body; None if who sends it goes away."""
    parts, length = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > LONGEST_BODY_KEPT or not message.get("more_body"):
            return b"".join(parts)


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return a request as WSGI has it."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client")
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0] if client else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue  # it would be taken for one with a hyphen, which the proxy writes over
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}" if key in environ else text
    return environ
