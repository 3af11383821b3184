"""What an application for WSGI is asked, and how it answers, under a server for ASGI."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import pytest

from callbreak_site.threads import LONGEST_BODY_KEPT, InThreads

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/café",
    "query_string": b"a=%20b",
    "http_version": "1.1",
    "scheme": "http",
    "server": ("127.0.0.1", 8000),
    "client": ("192.0.2.1", 1234),
    "headers": [(b"host", b"a"), (b"content-type", b"text/plain"), (b"x-forwarded-for", b"198.51.100.7")],
}


class Asked:
    """An application that writes down what it is asked and by which thread."""

    def __init__(self, *answer: bytes, headers: tuple[tuple[str, str], ...] = ()) -> None:
        self.environs: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.threads: set[int] = set()
        self.answer, self.headers, self.is_closed = answer, headers, False

    def __call__(self, environ: dict[str, Any], start: Callable[..., None]) -> Iterable[bytes]:
        self.environs.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        self.threads.add(threading.get_ident())
        start("201 Created", list(self.headers))
        try:
            yield from self.answer
        finally:
            self.is_closed = True


async def exchange(served: InThreads, *parts: bytes, **scope: Any) -> list[dict[str, Any]]:
    """Ask once, and return what is sent back."""
    sent: list[dict[str, Any]] = []
    coming = messages(*parts)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await served(SCOPE | scope, coming.__anext__, send)
    return sent


async def messages(*parts: bytes) -> AsyncIterator[dict[str, Any]]:
    for number, part in enumerate(parts, start=1):
        yield {"type": "http.request", "body": part, "more_body": number < len(parts)}
    yield {"type": "http.disconnect"}


def test_a_request_comes_and_an_answer_goes_whole() -> None:
    asked = Asked(b"o", b"k", headers=(("X-A", "é"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")))
    start, body = asyncio.run(exchange(InThreads(asked, 1), b"one ", b"two"))
    assert (start["status"], body) == (201, {"type": "http.response.body", "body": b"ok"})
    assert start["headers"] == [(b"x-a", "é".encode("latin-1")), (b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")]
    assert asked.is_closed
    (environ,) = asked.environs
    assert asked.bodies == [b"one two"]
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/café"
    assert (environ["QUERY_STRING"], environ["REMOTE_ADDR"], environ["CONTENT_TYPE"]) == (
        "a=%20b",
        "192.0.2.1",
        "text/plain",
    )


def test_nobody_writes_over_what_the_proxy_says() -> None:
    asked = Asked()
    headers = [*SCOPE["headers"], (b"x_forwarded_for", b"203.0.113.9"), (b"cookie", b"a=1"), (b"cookie", b"b=2")]  # type: ignore[misc]
    asyncio.run(exchange(InThreads(asked, 1), b"", headers=headers))
    assert asked.environs[0]["HTTP_X_FORWARDED_FOR"] == "198.51.100.7"
    assert asked.environs[0]["HTTP_COOKIE"] == "a=1;b=2"


def test_a_few_threads_answer_everybody_and_who_sends_slowly_holds_none() -> None:
    asked = Asked()

    async def everybody() -> None:
        served = InThreads(asked, 2)
        is_over = asyncio.Event()

        async def slow() -> dict[str, Any]:
            await is_over.wait()
            return {"type": "http.disconnect"}

        async def nothing(_: dict[str, Any]) -> None:
            pytest.fail("nobody waits for an answer")

        stalled = [asyncio.ensure_future(served(SCOPE, slow, nothing)) for _ in range(20)]
        await asyncio.wait_for(asyncio.gather(*[exchange(served, b"") for _ in range(50)]), 10)
        is_over.set()
        await asyncio.gather(*stalled)

    asyncio.run(everybody())
    assert len(asked.bodies) == 50
    assert len(asked.threads) <= 2


def test_a_body_without_an_end_is_not_waited_for() -> None:
    asked = Asked()

    async def send_on() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"x" * 65_536, "more_body": True}

        async def send(_: dict[str, Any]) -> None:
            """Nobody reads it."""

        await asyncio.wait_for(InThreads(asked, 1)(SCOPE, receive, send), 10)

    asyncio.run(send_on())
    assert LONGEST_BODY_KEPT < len(asked.bodies[0]) <= LONGEST_BODY_KEPT + 65_536
