"""The address to listen on, and the ones to tell people."""

import errno
import http.client
import json
import socket
from dataclasses import dataclass

from callbreak_site.embedded.processes import EmbeddedError

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class Address:
    """Where the web server listens: an IP address and a port, and the name by which they were asked for."""

    ip: str
    port: int
    name: str = ""

    @property
    def near(self) -> str:
        """The name by which this machine itself can ask."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.ip, self.name or self.ip)  # noqa: S104

    def url(self, host: str) -> str:
        """Return the URL of *host* at our port.

        >>> Address("::", 80).url("::1"), Address("0.0.0.0", 8000).url("10.0.0.7")
        ('http://[::1]:80/', 'http://10.0.0.7:8000/')
        """
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def parse_address(host: str, port: str) -> Address:
    """Return the address that HOST and PORT name."""
    if not port.isascii() or not port.isdigit() or not 0 < int(port) <= HIGHEST_PORT:
        raise EmbeddedError(f"PORT is {port!r}; it must be a number from 1 to {HIGHEST_PORT}.")
    try:
        found = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        raise EmbeddedError(f"HOST is {host!r}, which is no address of this machine.") from None
    # Where a name has both, people expect the older kind.
    *_, where = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return Address(str(where[0]), int(port), host)


def check_free(address: Address) -> None:
    """Raise if the address is not ours to listen on."""
    family = socket.AF_INET6 if ":" in address.ip else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.ip, address.port))
            probe.listen(1)
        except PermissionError:
            raise EmbeddedError(f"Only root may listen on port {address.port}. Choose another: PORT=8000") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise EmbeddedError(
                    f"Port {address.port} is taken by another program. Stop that, or choose another port: "
                    f"PORT={address.port + 1 if address.port < HIGHEST_PORT else 8000}"
                ) from None
            raise EmbeddedError(f"HOST is {address.name!r}, which is no address of this machine.") from None


def own_addresses(address: Address) -> list[str]:
    """Return the addresses of this machine that others on its network can use; empty unless we listen for them."""
    if address.ip not in EVERYWHERE:
        return []
    found = []
    # Nothing is sent: connecting a datagram socket only asks which way it would go.
    for family, far_away in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        if family == socket.AF_INET6 and address.ip != "::":
            continue
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far_away, 9))
                found.append(probe.getsockname()[0])
        except OSError:
            continue
    return [host for host in found if host not in ("127.0.0.1", "::1")]


def allowed_hosts(address: Address) -> list[str]:
    """Return the names under which a browser may ask for us at home."""
    names = ["localhost", "127.0.0.1", "::1"]
    if address.ip in EVERYWHERE:
        own_name = socket.gethostname().lower()
        names += [*own_addresses(address), own_name, f"{own_name}.local"]
    else:
        names += [address.name, address.ip]
    return [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names) if name]


def missing_parts(address: Address, host_header: str) -> list[str] | None:
    """Return what /readyz says is missing; None while nothing answers."""
    connection = http.client.HTTPConnection(address.near, address.port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Host": host_header})
        parts = json.loads(connection.getresponse().read())["parts"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
    return [name for name, state in parts.items() if state != "ok"]
