"""GET /games/…/stream: what happens in a game, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.addresses import household
from callbreak_site.http.outside import refused
from games.doorbell import listen
from games.stream.places import FOR_ONE_HOUSEHOLD, FOR_ONE_SESSION, places
from games.stream.readers import read
from games.stream.watch import AT_ONCE, Watch

RETRY = "retry: 2000\n\n"
KEEP_ALIVE = "event: alive\ndata:\n\n"  # no comment: a page takes a long silence for a connection that died
END = "event: end\ndata:\n\n"
SECONDS_OF_SILENCE = 12.0
"""After so long the rows are looked at without a hint, and the other side is shown that somebody is here."""
SECONDS_WITHOUT_DATABASE = 1.0
SECONDS_BEFORE_ANOTHER = 30
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Encoding": "identity",  # compressing would keep each event back
    "X-Accel-Buffering": "no",
}


@dataclass(frozen=True)
class Owner:
    """Whose stream it is, and how many he may have."""

    name: str
    most: int


@require_GET
async def stream(request: HttpRequest, game_id: str) -> HttpResponseBase:
    """Tell the events of a game after `Last-Event-ID`, or else *after*, to who may see it, until it is over."""
    if not isinstance(request, ASGIRequest):
        return refused(ServiceError(Code.UNAVAILABLE, "Streams are served elsewhere."))
    version = version_of(request.headers.get("Last-Event-ID", "")) or version_of(request.GET.get("after", "")) or 0
    watch = Watch(game_id, session_key_of(request), version, request.GET.get("invite", ""))
    try:
        await read(watch.begin)
    except ServiceError as refusal:
        return refused(refusal)
    except Error:
        return refused(ServiceError(Code.UNAVAILABLE, "Try again in a moment.", retry_after=2))
    owner = owner_of(request, watch)
    if not places.is_free(owner.name, owner.most):
        return refused(ServiceError(Code.RATE_LIMITED, "Too many streams.", retry_after=SECONDS_BEFORE_ANOTHER))
    return StreamingHttpResponse(told(watch, owner), content_type="text/event-stream", headers=HEADERS)


async def told(watch: Watch, owner: Owner) -> AsyncIterator[str]:
    """Yield what a viewer is told: what there is, then what comes as it comes."""
    let_thread_go()
    if not places.is_free(owner.name, owner.most):
        return  # others have begun meanwhile
    with places.taken(owner.name), listen(watch.game_id) as rung:
        yield RETRY
        while True:
            rung.clear()
            try:
                events = await read(watch.news)
            except ServiceError:
                return
            except Error:
                yield KEEP_ALIVE
                await asyncio.sleep(SECONDS_WITHOUT_DATABASE)
                continue
            if events:
                yield "".join(map(message, events))
            if watch.is_over:
                yield END
                return
            if len(events) < AT_ONCE and not await is_rung(rung):
                yield KEEP_ALIVE


async def is_rung(rung: asyncio.Event) -> bool:
    """Wait for a hint, but not for long; tell whether it came."""
    try:
        async with asyncio.timeout(SECONDS_OF_SILENCE):
            await rung.wait()
    except TimeoutError:
        return False
    return True


def message(event: dict[str, object]) -> str:
    r"""Return one event as it is sent.

    >>> message({"version": 7, "type": "bid.made"})
    'id: 7\ndata: {"version":7,"type":"bid.made"}\n\n'
    """
    return f"id: {event['version']}\ndata: {msgspec.json.encode(event).decode()}\n\n"


def version_of(text: str) -> int | None:
    """Return the version that *text* tells; None if it tells none.

    >>> version_of("17"), version_of("latest"), version_of("-1"), version_of("9" * 30)
    (17, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def session_key_of(request: HttpRequest) -> str | None:
    """Return the key in the cookie; the session itself is read where there is a connection for that."""
    return request.COOKIES.get(settings.SESSION_COOKIE_NAME)


def owner_of(request: HttpRequest, watch: Watch) -> Owner:
    """Return for whom a stream is counted: a session in which somebody has signed in, else all behind one address."""
    if watch.player_id is None:
        return Owner(household(request), FOR_ONE_HOUSEHOLD)
    return Owner(f"session {watch.session_key}", FOR_ONE_SESSION)


def let_thread_go() -> None:
    """End the thread that Django keeps for each request until it is answered whole: a stream needs it no more."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    thread = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if thread:
        thread.shutdown(wait=False)
