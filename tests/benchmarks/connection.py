"""A keep-alive HTTP connection that costs as little as one can: bytes out, bytes in."""

import contextlib
import json
import socket
from dataclasses import dataclass
from typing import Any, Self

SECONDS_TO_WAIT = 30
PREFIX = "/api/v1"


@dataclass(frozen=True)
class Address:
    """Where a web server listens."""

    host: str
    port: int


def request(method: str, path: str, token: str = "", body: bytes = b"", more: str = "") -> bytes:
    """Return the bytes of a request to the API.

    >>> request("GET", "/me", "cb_x").splitlines()[0]
    b'GET /api/v1/me HTTP/1.1'
    """
    head = f"{method} {PREFIX}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    if method != "GET":
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return (head + more + "\r\n").encode() + body


class Connection:
    """One connection, used by one thread."""

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection((address.host, address.port), SECONDS_TO_WAIT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    @classmethod
    def answers(cls, address: Address) -> bool:
        """Tell whether anything answers there."""
        with contextlib.suppress(OSError), cls(address) as connection:
            return connection.exchange(request("GET", "/rulesets"))[0] < 500
        return False

    def exchange(self, sent: bytes) -> tuple[int, bytes, bytes]:
        """Send one request and return its answer: status, head and body."""
        self._socket.sendall(sent)
        received = self._socket.recv(65536)
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        head = received[:end].lower()
        at = head.find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        while len(received) < end + 4 + length:
            received += self._more()
        return int(head[9:12]), received[:end], received[end + 4 :]

    def _more(self) -> bytes:
        received = self._socket.recv(65536)
        if not received:
            raise ConnectionError("The server closed the connection in the middle of an answer.")
        return received

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """Send one request and return the JSON value of its answer, which must be good."""
        status, _, answer = self.exchange(
            request(method, path, token, b"" if body is None else json.dumps(body).encode())
        )
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path} was answered {status}: {answer[:300]!r}")
        return json.loads(answer) if answer else None
