"""The service as compose.yaml runs it: its own commands and the proxy's own configuration, at private addresses."""

import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import yaml

from callbreak_site.embedded.binaries import redis_server
from callbreak_site.embedded.processes import kill_session, last_lines, start, stop
from callbreak_site.embedded.redis import Redis
from tests.site.databases import empty_database
from tests.site.running import CHECKOUT, free_port
from tests.site.tools import tool

HOST = "callbreak.example"
ONE, OTHER, STREAMS = "127.0.0.1", "127.0.0.2", "127.0.0.3"
SECRET = "kq3-Zr8_wPm2vXc7LtY5nBf9Jd1Hs6Ga0Qe4Ui-Oy_Rp8TzW2x"
TEMPORARY = (
    "client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;"
)


def compose() -> dict[str, Any]:
    """Return compose.yaml, with what .env.example offers put in."""
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", (CHECKOUT / ".env.example").read_text(), re.M))
    given |= {"SECRET_KEY": SECRET, "POSTGRES_PASSWORD": "secret"}

    def value(found: re.Match[str]) -> str:
        name, kind, default = found.group(1, 2, 3)
        return given.get(name) or (default if kind == ":-" else "")

    text = re.sub(r"\$\{([A-Z_]+)(:[-?])?([^}]*)\}", value, (CHECKOUT / "compose.yaml").read_text())
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


class Names:
    """A name server on loopback, as Docker's: it says where those are that go by the name `app`, and `stream`."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = list(addresses)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((ONE, 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                asked, who = self._socket.recvfrom(512)
                addresses = [STREAMS] if b"\x06stream\x00" in asked else self.addresses
                found = [
                    b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 1, 4) + socket.inet_aton(address) for address in addresses
                ]
                head = asked[:2] + struct.pack(">HHHHH", 0x8180, 1, len(found), 0, 0)
                self._socket.sendto(head + asked[12:] + b"".join(found), who)

    def close(self) -> None:
        self._socket.close()


class Service:
    """One service of compose.yaml, which can be stopped and started."""

    def __init__(self, house: "House", name: str, log: str, address: str = ONE) -> None:
        self.house, self.name, self.address = house, name, address
        self.log = house.folder / f"{log}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = start(
            self.house.command(self.name, self.address), log=self.log, env=self.house.environment(), cwd=CHECKOUT
        )

    def stop(self, seconds: float) -> None:
        """Stop it as Docker does; fail if it has to be killed after *seconds*."""
        assert self.process
        is_clean = stop(self.process, signal.SIGTERM, seconds)
        kill_session(self.process.pid)
        assert is_clean, last_lines(self.log, 30)

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class House:
    """Where everything of one run is."""

    def __init__(self, folder: Path, database_url: str, redis_url: str, **environment: str) -> None:
        self.folder, self.more = folder, environment
        self.database_url, self.redis_url = database_url, redis_url
        self.port, self.proxy_port, self.tls_port = free_port(), free_port(), free_port()
        self.names = Names(ONE, OTHER)
        self.services = compose()["services"]
        self.web = [Service(self, "web", "web", ONE), Service(self, "web2", "web2", OTHER)]
        self.streams = Service(self, "stream", "stream", STREAMS)
        self.workers = [Service(self, "worker", f"worker{number}") for number in (1, 2)]
        self.beat = Service(self, "beat", "beat")

    def command(self, name: str, address: str = ONE) -> list[str]:
        """Return the command of a service as it stands, with this run's addresses and folder."""
        here = {"0.0.0.0": address, "8000": str(self.port), "/data/": f"{self.folder}/"}
        words = list(self.services[name]["command"])
        for there, ours in here.items():
            words = [word.replace(there, ours) for word in words]
        program = tool("nginx") if words[0] == "nginx" else shutil.which(words[0], path=self.environment()["PATH"])
        assert program, words[0]
        return [program, *words[1:]]

    def environment(self) -> dict[str, str]:
        """Return what compose gives its services, with this run's servers; limits are off."""
        told = {name: str(value) for name, value in self.services["web"]["environment"].items()}
        lanes = ("READ", "PLAY", "WRITE", "ANONYMOUS", "SIGN_UP", "SIGN_IN", "SIGN_IN_ADDRESS")
        return {
            "PATH": f"{CHECKOUT / '.venv/bin'}:{os.environ['PATH']}",
            "CALLBREAK_ENV": "production",
            "CALLBREAK_DATA_DIR": str(self.folder),
            "SECRET_KEY": SECRET,
            "LOG_LEVEL": "INFO",
            **{f"THROTTLE_{lane}": "" for lane in lanes},
            **told,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "TRUSTED_PROXIES": ONE,
            **self.more,
        }

    def write_proxy(self, way_in: str) -> None:
        """Write the proxy's configuration down as compose mounts it, with this run's addresses."""
        here = {
            "resolver 127.0.0.11": f"resolver {ONE}:{self.names.port}",
            "$app:8000": f"$app:{self.port}",
            "$stream:8000": f"$stream:{self.port}",
            "listen 80;": f"listen {ONE}:{self.proxy_port};",
            "listen 443 ssl http2;": f"listen {ONE}:{self.tls_port} ssl http2;",
            "pid /tmp/nginx.pid": f"pid {self.folder}/nginx.pid",
            "http {\n": f"http {{\n{TEMPORARY}\n",
        }
        for volume in self.services["proxy"]["volumes"][:3]:
            source, target, _ = volume.split(":")
            text = (CHECKOUT / source.replace("tls", way_in)).read_text()
            for there, ours in here.items():
                text = text.replace(there, ours)
            assert not re.search(r"listen \d+[ ;]", text)
            (self.folder / Path(target).name).write_text(text)

    def nginx(self, *words: str) -> list[str]:
        """Return the command of the proxy, for this run's folder."""
        command = self.command("proxy")
        return [command[0], "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), *(words or command[1:])]

    @contextmanager
    def proxy(self, way_in: str = "plain") -> Iterator[None]:
        """Run the proxy until the block is left."""
        self.write_proxy(way_in)
        log = self.folder / "proxy.log"
        process = start(self.nginx(), log=log, env=dict(os.environ), cwd=self.folder)
        try:
            wait_until(lambda: (self.folder / "nginx.pid").exists() and is_open(self.proxy_port), 10, log)
            yield
        finally:
            stop(process, signal.SIGQUIT, 10)
            kill_session(process.pid)

    def is_served(self, address: str) -> bool:
        # Nobody listens yet: a connection from the very port that it asks for meets itself.
        with suppress(OSError, HTTPException):
            return ask(self.port, "GET", "/healthz", address=address)[0] == 200
        return False

    def start_web(self, *web: Service) -> None:
        for service in web:
            service.start()
        for service in web:
            wait_until(lambda service=service: self.is_served(service.address), 90, service.log)

    def end(self) -> None:
        """End whatever still runs."""
        self.names.close()
        for service in [*self.web, self.streams, *self.workers, self.beat]:
            if service.process:
                stop(service.process, signal.SIGTERM, 20)
                kill_session(service.process.pid)


@contextmanager
def house(**environment: str) -> Iterator[House]:
    """Make a house with a database and a Redis of its own; what is started in it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="callbreak-serving-", dir="/tmp"))
    folder.chmod(0o711)
    redis = Redis(folder, folder, redis_server(), folder / "redis.log")
    process = redis.start(keeps_data=False)
    try:
        with empty_database() as url:
            made = House(folder, url, redis.url(), **environment)
            try:
                yield made
            finally:
                made.end()
    finally:
        redis.stop(process)
        shutil.rmtree(folder, ignore_errors=True)


def ask(
    port: int, method: str, path: str, body: bytes | None = None, address: str = ONE, source: str = ONE, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Ask once over a connection of its own; headers are written with underscores."""
    connection = HTTPConnection(address, port, timeout=20, source_address=(source, 0))
    try:
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": HOST, **told})
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    finally:
        connection.close()


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection((ONE, port), 1):
        return True
    return False


def wait_until(is_so: Any, seconds: float, log: Path) -> None:
    ends_at = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends_at, f"not within {seconds} s\n{last_lines(log, 40)}"
        time.sleep(0.05)
