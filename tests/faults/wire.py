"""HTTP over one connection that may break at any moment; cheap, so that the service gets the processors."""

import asyncio
from dataclasses import dataclass
from typing import Any

import msgspec

LONGEST_ANSWER_S = 25.0
decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode


class Lost(Exception):
    """The connection broke before the answer was read: nobody knows whether the request was carried out."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status, its headers in lower case, its JSON."""

    status: int
    headers: dict[str, str]
    body: Any


class Wire:
    """One connection, opened when it is needed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, request: bytes, *, hangs_up: bool = False) -> Reply:
        """Send *request* and return the answer; raises Lost. Who hangs up leaves as soon as all is sent."""
        try:
            async with asyncio.timeout(LONGEST_ANSWER_S):
                if self._writer is None:
                    self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
                self._writer.write(request)
                await self._writer.drain()
                if hangs_up:
                    await asyncio.sleep(0.002)
                    raise Lost("hung up")
                return await self._read()
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError) as error:
            self.close()
            raise Lost(type(error).__name__) from error
        except BaseException:
            self.close()
            raise

    async def _read(self) -> Reply:
        assert self._reader
        head = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        status = int(first.split(" ", 2)[1])
        length = 0 if status in (204, 304) else int(headers["content-length"])
        text = await self._reader.readexactly(length) if length else b""
        if headers.get("connection") == "close":
            self.close()
        return Reply(status, headers, decode(text) if text and "json" in headers.get("content-type", "") else None)

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def request_of(method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """Return the bytes of a request to the API; a header's underscores are hyphens.

    >>> request_of("GET", "me", if_none_match='"x"')
    b'GET /api/v1/me HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nif-none-match: "x"\\r\\n\\r\\n'
    """
    text = b"" if body is None else encode(body)
    lines = [f"{method} /api/v1/{path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + text
