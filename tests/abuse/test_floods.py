"""Too much of anything is refused in a moment by the real web server, which stays as small as it was."""

import gzip
import json
from collections.abc import Iterator
from itertools import repeat

import pytest

from tests.abuse.wire import MEGABYTE, Reply, megabytes_of, programs, send
from tests.site.running import Running, data_folder, free_port

pytestmark = pytest.mark.slow
QUICKLY = 3.0
MAY_GROW_BY = 24  # megabytes, for both workers together
PIECE = b"a" * 65_536
FORM = "Content-Type: application/x-www-form-urlencoded"
FILE = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: text/plain\r\n\r\n'
ADDRESSES = ["POST /api/v1/sessions", "POST /api/v1/players/guest", "PATCH /api/v1/me", "GET /api/v1/limits",
             "POST /api/nothing", "POST /admin/login/", "POST /", "POST /nothing"]  # fmt: skip


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with data_folder() as data, Running(data, free_port(), LOG_LEVEL="WARNING", **NO_LIMITS) as running:
        running.wait_until_ready()
        for path in ("/api/v1/limits", "/admin/login/", "/api/docs"):
            for _ in range(10):
                ask(running, f"GET {path}")
        yield running


NO_LIMITS = {f"THROTTLE_{lane}": "" for lane in ("ANONYMOUS", "SIGN_IN_ADDRESS", "SIGN_UP", "SIGN_IN")}


@pytest.fixture(autouse=True)
def stays_small(service: Running) -> Iterator[None]:
    """Look at the memory of the web server, and whether it still answers, around each test."""
    before = memory(service)
    yield
    grown = memory(service) - before
    assert grown < MAY_GROW_BY, f"the web server has grown by {grown:.1f} MB"
    assert ask(service, "GET /healthz").status == 200


def memory(service: Running) -> float:
    return megabytes_of(programs(service.processes(), "granian"))


def ask(
    service: Running, what: str, *headers: str, body: Iterator[bytes] | list[bytes] | tuple[bytes, ...] = ()
) -> Reply:
    head = "\r\n".join([f"{what} HTTP/1.1", f"Host: 127.0.0.1:{service.port}", *headers, "", ""])
    return send(service.port, head.encode(), body)


def refused(reply: Reply, *statuses: int) -> None:
    """Fail unless the refusal has one of the statuses, soon."""
    assert reply.status in statuses, f"{reply.status} after {reply.seconds:.1f} s: {reply.head}"
    assert reply.seconds < QUICKLY


@pytest.mark.parametrize("what", ADDRESSES)
@pytest.mark.parametrize("megabytes", [1, 100])
def test_a_long_body_is_refused_without_being_read(service: Running, what: str, megabytes: int) -> None:
    kind = "Content-Type: application/json" if "api" in what else FORM
    reply = ask(
        service,
        what,
        kind,
        f"Content-Length: {megabytes * MEGABYTE}",
        body=repeat(PIECE, megabytes * MEGABYTE // len(PIECE)),
    )
    refused(reply, 400, 401, 403, 404, 405, 413)
    assert reply.sent < 20 * MEGABYTE


@pytest.mark.parametrize("what", ADDRESSES)
def test_a_body_without_end_is_refused_without_being_read(service: Running, what: str) -> None:
    kind = "Content-Type: application/json" if "api" in what else FORM
    pieces = (b"10000\r\n" + PIECE + b"\r\n" for _ in repeat(None))
    reply = ask(service, what, kind, "Transfer-Encoding: chunked", body=pieces)
    refused(reply, 400, 401, 403, 404, 405, 411, 413)


@pytest.mark.parametrize("kind", [FORM, "Content-Type: multipart/form-data; boundary=x"])
@pytest.mark.parametrize("path", ["/admin/login/", "/admin/logout/"])
def test_no_page_reads_a_long_form_or_keeps_a_file(service: Running, path: str, kind: str) -> None:
    length = len(FILE) + 1600 * len(PIECE)
    # With the cookie that the guard against forged forms wants, or it would refuse before.
    cookie = "Cookie: csrftoken=" + "a" * 32
    reply = ask(
        service, f"POST {path}", kind, cookie, f"Content-Length: {length}", body=iter([FILE, *repeat(PIECE, 1600)])
    )
    refused(reply, 400, 413)
    assert reply.sent < 20 * MEGABYTE


@pytest.mark.parametrize(
    "header", ["Content-Encoding: gzip", "Content-Encoding: br", "Transfer-Encoding: gzip, chunked"]
)
def test_a_bomb_is_not_unpacked(service: Running, header: str) -> None:
    bomb = gzip.compress(b'{"username": "' + b"a" * 50 * MEGABYTE + b'"}')
    assert len(bomb) < 65_536
    length = f"Content-Length: {len(bomb)}" if "Transfer" not in header else "X-Nothing: 1"
    body = [bomb] if "Transfer" not in header else [f"{len(bomb):x}\r\n".encode() + bomb + b"\r\n0\r\n\r\n"]
    refused(
        ask(service, "POST /api/v1/sessions", "Content-Type: application/json", header, length, body=body),
        400,
        411,
        415,
        501,
    )


def test_ten_thousand_fields_are_refused(service: Running) -> None:
    form = "&".join(f"a{number}=1" for number in range(10_000)).encode()
    parts = (
        b"".join(b'--x\r\nContent-Disposition: form-data; name="a%d"\r\n\r\n1\r\n' % number for number in range(3_000))
        + b"--x--"
    )
    names = json.dumps({f"a{number}": 1 for number in range(5_000)}).encode()
    for what, kind, body in [
        ("POST /admin/login/", FORM, form),
        ("POST /admin/login/", "Content-Type: multipart/form-data; boundary=x", parts),
        ("POST /api/v1/sessions", "Content-Type: application/json", names),
    ]:
        refused(ask(service, what, kind, f"Content-Length: {len(body)}", body=[body]), 400, 403)


@pytest.mark.parametrize(
    "header",
    [
        "X-Long: {}",
        "Authorization: Bearer {}",
        "Cookie: sessionid={}",
        "Idempotency-Key: {}",
        "If-None-Match: {}",
        "Host: {}",
    ],
)
def test_a_header_of_64_kilobytes_is_refused(service: Running, header: str) -> None:
    refused(ask(service, "GET /api/v1/limits", header.format("a" * 65_536)), 400, 401, 431)
    refused(ask(service, "GET /healthz", header.format("a" * 65_536)), 400, 431)


def test_a_hundred_megabytes_of_headers_are_refused(service: Running) -> None:
    reply = send(
        service.port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nX-Long: ".encode(), repeat(PIECE, 1600)
    )
    assert reply.status in (0, 400, 431)
    assert reply.seconds < QUICKLY and reply.sent < 20 * MEGABYTE


def test_a_thousand_headers_are_refused(service: Running) -> None:
    refused(ask(service, "GET /healthz", *(f"X-{number}: 1" for number in range(1_000))), 400, 431)


@pytest.mark.parametrize("path", ["/api/v1/limits", "/api/v1/openapi.json", "/api/docs", "/admin/login/"])
def test_a_thousand_parameters_are_refused(service: Running, path: str) -> None:
    refused(ask(service, f"GET {path}?" + "&".join(f"a{number}=1" for number in range(1_001))), 400, 401)
    refused(ask(service, f"GET {path}?a=" + "a" * 100_000), 400, 401, 414, 431)


@pytest.mark.parametrize("head", [
    "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b",
    "GET /healthz HTTP/9.9\r\nHost: a",
    "GET /healthz HTTP/1.1\r\nHost : a",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b",
    "GET /\0 HTTP/1.1\r\nHost: a",
    "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example",
    "POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 50",
    "POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: -1",
    "POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: １",
    "GARBAGE",
    "\x16\x03\x01\x02\x00\x01\x00",
])  # fmt: skip
def test_what_is_no_request_is_refused(service: Running, head: str) -> None:
    reply = send(service.port, f"{head}\r\n\r\n".encode())
    assert reply.status in (0, 400, 404, 405, 431, 505), reply.head
    assert reply.seconds < QUICKLY
