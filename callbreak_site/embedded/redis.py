"""A Redis (Valkey) server of our own, on a unix socket."""

import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from callbreak_site.embedded.processes import EmbeddedError, last_lines, start, stop

SECONDS_TO_START = 30
SECONDS_TO_STOP = 10


@dataclass(frozen=True)
class Redis:
    """Where one server keeps its data (*folder*) and its socket (in *run*)."""

    folder: Path
    run: Path
    program: Path
    log: Path

    @property
    def socket(self) -> Path:
        """The unix socket that it listens on."""
        return self.run / "redis.sock"

    @property
    def pidfile(self) -> Path:
        """Where it writes its process number."""
        return self.run / "redis.pid"

    def url(self, database: int = 0) -> str:
        """Return the address of *database* as a REDIS_URL, in redis-py's spelling."""
        return f"unix://{self.socket}?db={database}"

    def start(self, *, keeps_data: bool = True) -> subprocess.Popen[bytes]:
        """Start the server in the foreground and return it once it answers."""
        program: list[str | Path] = [
            self.program,
            "--port",
            "0",
            "--unixsocket",
            self.socket,
            "--unixsocketperm",
            "700",
        ]
        program += ["--pidfile", self.pidfile]
        program += ["--dir", self.folder, "--daemonize", "no", "--maxmemory-policy", "noeviction", "--save", ""]
        program += ["--appendonly", "yes" if keeps_data else "no"]
        server = start(program, log=self.log)
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.is_ready():
            if server.poll() is not None:
                raise EmbeddedError(f"Redis stopped while starting:\n{last_lines(self.log)}")
            if time.monotonic() > deadline:
                self.stop(server)
                raise EmbeddedError(f"Redis did not answer within {SECONDS_TO_START} s; see {self.log}.")
            time.sleep(0.02)
        return server

    def stop(self, server: subprocess.Popen[bytes]) -> bool:
        """Stop the server; return whether it stopped cleanly."""
        return stop(server, signal.SIGTERM, SECONDS_TO_STOP)

    def is_ready(self) -> bool:
        """Tell whether the server answers (it says so also while it still loads its data, but then not +PONG)."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
