"""Requests as bytes on a socket, which no client library would send."""

import select
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Reply:
    """What came back, after how many seconds and how many bytes sent; status 0 if the connection just ended."""

    status: int
    head: str
    body: bytes
    seconds: float
    sent: int


def send(port: int, head: bytes, body: Iterable[bytes] = (), *, seconds: float = 15) -> Reply:
    """Send *head* and *body* piece by piece until there is an answer, or nobody listens."""
    began, sent = time.monotonic(), 0
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        answer = b""
        try:
            connection.sendall(head)
            for piece in body:
                if is_answered(connection) or time.monotonic() - began > seconds:
                    break
                connection.sendall(piece)
                sent += len(piece)
        except OSError:  # nobody reads any more, or not fast enough
            pass
        with suppress(OSError):
            answer = whole(connection)
    took = time.monotonic() - began
    top, _, rest = answer.partition(b"\r\n\r\n")
    words = top.split(b" ", 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return Reply(status, top.decode("latin-1"), rest, took, sent)


def is_answered(connection: socket.socket) -> bool:
    """Tell whether something has come back, or the other side has gone."""
    return bool(select.select([connection], [], [], 0)[0])


def whole(connection: socket.socket) -> bytes:
    """Read an answer to its end."""
    answer = b""
    while not is_whole(answer):
        piece = connection.recv(65_536)
        if not piece:
            break
        answer += piece
    return answer


def is_whole(answer: bytes) -> bool:
    """Tell whether the head is there, and as much of a body as it says."""
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return False
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return not lengths or len(body) >= int(lengths[0])


def megabytes_of(pids: Iterable[int]) -> float:
    """Return how much memory of their own these processes have."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Dirty", "Private_Clean")))
    return total / 1024


def programs(pids: Iterable[int], word: str) -> list[int]:
    """Return those of *pids* whose command line has *word*."""
    found = []
    for pid in pids:
        with suppress(OSError):
            if word in Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0"):
                found.append(pid)
    return found
