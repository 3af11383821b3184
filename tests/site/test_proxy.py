"""The proxy that compose.yaml ships, with its own configuration, in front of stand-ins for the web servers."""

import json
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from callbreak_site.errors import Code
from callbreak_site.http.problems import problem
from tests.site.serving import HOST, ONE, OTHER, STREAMS, House, ask, house
from tests.site.tools import tool

pytestmark = pytest.mark.slow
PLAYS = f"/api/v1/games/{'a' * 32}/plays"


class StandIn(ThreadingHTTPServer):
    """A web server that writes down what reaches it, and does with it as it is told."""

    def __init__(
        self, house: House, address: str, behave: Callable[[BaseHTTPRequestHandler], None] | None = None
    ) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.begun = 0
        self.behave = behave
        super().__init__((address, house.port), Handler)
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def handle_error(self, *_: object) -> None:
        """A client that goes away is no error."""


class Handler(BaseHTTPRequestHandler):
    server: StandIn

    def handle_any(self) -> None:
        self.server.begun += 1
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        if self.server.behave:
            self.server.behave(self)
        else:
            answer(self)

    do_GET = do_POST = do_DELETE = handle_any

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def answer(handler: BaseHTTPRequestHandler, kind: str = "text/plain") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", "2")
    handler.end_headers()
    handler.wfile.write(b"ok")


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Take the request and go away, as a killed server does."""
    handler.connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def place() -> Iterator[House]:
    tool("nginx")
    with house() as made, made.proxy():
        yield made


@contextmanager
def behind(
    place: House,
    *behaviours: Callable[[BaseHTTPRequestHandler], None] | None,
    addresses: tuple[str, ...] = (ONE, OTHER),
) -> Iterator[list[StandIn]]:
    """Stand in for the web servers; the first of *behaviours* is at the address that is named first."""
    servers = [StandIn(place, address, behave) for address, behave in zip(addresses, behaviours, strict=False)]
    try:
        yield servers
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def seen(servers: list[StandIn]) -> int:
    """Return how many requests have reached the servers, whole or not."""
    return sum(server.begun for server in servers)


@pytest.mark.parametrize("way_in", ["tls", "plain"])
def test_nginx_finds_nothing_wrong_with_its_configuration(way_in: str) -> None:
    with house() as place:
        make_certificate(place)
        place.write_proxy(way_in)
        done = subprocess.run(place.nginx("-t"), capture_output=True, text=True, check=False, cwd=place.folder)
        assert done.returncode == 0, done.stderr
        assert "warn" not in done.stderr


def make_certificate(place: House) -> None:
    folder = place.folder / "certificates"
    folder.mkdir()
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=callbreak.example"
    files = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subprocess.run([tool("openssl"), *words.split(), *files], capture_output=True, check=True)


def over_tls(place: House, source: str, **headers: str) -> int:
    """Ask over TLS, and return the status."""
    context = ssl.create_default_context(cafile=place.folder / "certificates" / "fullchain.pem")
    told = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    plain = socket.create_connection((ONE, place.tls_port), 10, (source, 0))
    with context.wrap_socket(plain, server_hostname=HOST) as connection:
        connection.sendall(f"GET /x?invite=1 HTTP/1.1\r\nHost: {HOST}\r\n{told}Connection: close\r\n\r\n".encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_over_tls_what_a_client_says_about_itself_is_written_over() -> None:
    told = dict.fromkeys(("X_Forwarded_For", "Forwarded", "X_Real_IP", "X_Forwarded_Host", "X_Request_Id"), "192.0.2.1")
    with house() as place:
        make_certificate(place)
        with place.proxy("tls"), behind(place, None, None) as servers:
            assert over_tls(place, "127.0.0.9", X_Forwarded_Proto="http", **told) == 200
            (headers,) = [found[2] for server in servers for found in server.seen]
            status, told_back, _ = ask(place.proxy_port, "GET", "/x")
            assert (status, told_back["Location"]) == (308, f"https://{HOST}/x")
            log = (place.folder / "proxy.log").read_text()
    assert (headers["host"], headers["x-forwarded-for"], headers["x-forwarded-proto"]) == (HOST, "127.0.0.9", "https")
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
    assert headers["x-request-id"] in log
    assert "192.0.2.1" not in json.dumps(headers)
    assert "invite" not in log


def test_behind_another_proxy_the_client_is_whom_that_one_names(place: House) -> None:
    with behind(place, None, None) as servers:
        ask(place.proxy_port, "GET", "/", X_Forwarded_For="203.0.113.5, 192.0.2.1", X_Forwarded_Proto="https")
        ask(place.proxy_port, "GET", "/", X_Forwarded_Proto="gopher")
        first, second = [found[2] for server in servers for found in server.seen]
    ways = {(one["x-forwarded-for"], one["x-forwarded-proto"]) for one in (first, second)}
    assert ways == {("192.0.2.1", "https"), (ONE, "http")}


def test_clients_that_stall_their_bodies_reach_no_web_server(place: House) -> None:
    head = f"POST {PLAYS} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 13\r\n\r\n".encode()
    with behind(place, None, None) as servers, ExitStack() as stack:
        stalled = [stack.enter_context(socket.create_connection((ONE, place.proxy_port))) for _ in range(16)]
        for connection in stalled:
            connection.sendall(head + b'{"card":')
        assert ask(place.proxy_port, "GET", "/y")[0] == 200
        assert seen(servers) == 1
        stalled[0].sendall(b'"2H"}')
        assert stalled[0].recv(15) == b"HTTP/1.1 200 OK"
        assert seen(servers) == 2


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_server_that_does_not_listen_costs_no_request(place: House, method: str) -> None:
    with behind(place, None) as (only,):
        assert {ask(place.proxy_port, method, "/z", b"{}")[0] for _ in range(20)} == {200}
        assert len(only.seen) == 20


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/x", {}),
        ("POST", PLAYS, {}),
        ("POST", PLAYS.replace("plays", "bids"), {}),
        ("POST", "/api/v1/games", {"Idempotency_Key": "k1"}),
    ],
)
def test_what_changes_nothing_the_second_time_is_repeated(
    place: House, method: str, path: str, headers: dict[str, str]
) -> None:
    with behind(place, hang_up, None) as servers:
        assert {ask(place.proxy_port, method, path, b'{"a":1}', **headers)[0] for _ in range(8)} == {200}
        assert len(servers[1].seen) == 8
        assert 1 <= len(servers[0].seen) <= 8
        assert {found[3] for found in servers[1].seen} == {b'{"a":1}'}


@pytest.mark.parametrize("path", ["/api/v1/games", PLAYS.replace("plays", "resign"), PLAYS + "/x"])
def test_any_other_post_is_sent_once_and_the_client_told_to_decide(place: House, path: str) -> None:
    with behind(place, hang_up, hang_up) as servers:
        status, headers, body = ask(place.proxy_port, "POST", path, b"{}")
        assert (status, headers["Retry-After"], headers["Content-Type"]) == (503, "2", "application/problem+json")
        assert json.loads(body) == problem(Code.UNAVAILABLE, "Try again in a moment.")
        assert seen(servers) == 1


def test_an_answer_that_takes_long_is_not_asked_for_twice(place: House) -> None:
    def dawdle(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(6)
        hang_up(handler)

    with behind(place, dawdle, dawdle) as servers:
        assert ask(place.proxy_port, "POST", PLAYS, b"{}")[0] == 503
        assert seen(servers) == 1


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": "k"}])
def test_without_any_web_server_the_answer_is_the_apis_own(place: House, headers: dict[str, str]) -> None:
    status, told, body = ask(place.proxy_port, "POST", "/api/v1/games", b"{}", **headers)
    assert (status, told["Retry-After"], json.loads(body)["code"]) == (503, "2", "unavailable")


@pytest.mark.parametrize(
    ("path", "accept", "addresses"),
    [
        ("/api/v1/events", "text/event-stream", (ONE, OTHER)),
        (f"/games/{'a' * 32}/stream?after=7", "*/*", (STREAMS,)),
    ],
)
def test_events_of_a_stream_come_as_they_happen(
    place: House, path: str, accept: str, addresses: tuple[str, ...]
) -> None:
    got = threading.Event()

    def stream(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(b"data: 1\n\n")
        # The second comes when the first has arrived; if it is kept back, that is never.
        handler.wfile.write(b"data: 2\n\n" if got.wait(8) else b"data: late\n\n")

    with behind(place, stream, stream, addresses=addresses) as servers:
        connection = HTTPConnection(ONE, place.proxy_port, timeout=15)
        connection.request("GET", path, headers={"Accept": accept, "Host": HOST})
        answer = connection.getresponse()
        assert answer.readline() == b"data: 1\n"
        got.set()
        assert b"data: 2\n\n" in answer.read()
        connection.close()
    assert [found[1] for server in servers for found in server.seen] == [path]


def test_a_body_that_is_too_long_goes_no_further(place: House) -> None:
    with behind(place, None, None) as servers:
        status, _, body = ask(place.proxy_port, "POST", "/api/v1/games", b" " * 300_000)
        assert (status, json.loads(body)) == (400, problem(Code.INVALID, "The body is too long."))
        assert ask(place.proxy_port, "POST", "/api/v1/games", b" " * 200_000)[0] == 200
        assert seen(servers) == 1


@pytest.mark.parametrize("path", ["/metrics", "//metrics", "/x/../metrics", "/%6detrics", "/metrics?x=1"])
def test_metrics_are_not_for_the_world(place: House, path: str) -> None:
    with behind(place, None, None) as servers:
        assert ask(place.proxy_port, "GET", path, Authorization="Bearer x")[0] == 404
        assert seen(servers) == 0


def test_a_server_that_was_replaced_is_found_at_its_new_address(place: House) -> None:
    try:
        with behind(place, None, None) as (one, other):
            for address, reached in ((ONE, [4, 0]), (OTHER, [4, 4])):
                place.names.addresses = [address]
                time.sleep(3)
                assert {ask(place.proxy_port, "GET", "/")[0] for _ in range(4)} == {200}
                assert [one.begun, other.begun] == reached
    finally:
        place.names.addresses = [ONE, OTHER]
        time.sleep(3)
