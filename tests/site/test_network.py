"""Where the service listens is checked before anything is started."""

import socket

import pytest

from callbreak_site.embedded import network
from callbreak_site.embedded.network import Address
from callbreak_site.embedded.processes import EmbeddedError


class TestAddress:
    @pytest.mark.parametrize("port", ["", "http", "0", "65536", "-1", "８０００", "80 00"])
    def test_a_port_that_is_none_gets_a_sentence(self, port: str) -> None:
        with pytest.raises(EmbeddedError, match="must be a number from 1 to 65535"):
            network.parse_address("127.0.0.1", port)

    def test_a_port_that_is_taken_gets_a_sentence_with_another(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(EmbeddedError, match=f"Port {port} is taken by another program.*PORT={port + 1}"):
                network.check_free(Address("127.0.0.1", port))
        network.check_free(Address("127.0.0.1", port))

    @pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "a" * 300])
    def test_a_host_that_is_not_ours_gets_a_sentence(self, host: str) -> None:
        with pytest.raises(EmbeddedError, match="is no address of this machine"):
            network.check_free(network.parse_address(host, "8000"))

    @pytest.mark.parametrize(("host", "ip"), [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")])
    def test_a_name_is_listened_to_at_its_address_and_told_as_it_is(self, host: str, ip: str) -> None:
        address = network.parse_address(host, "8000")
        assert (address.ip, address.near) == (ip, host)
        assert f"[{host}]" in network.allowed_hosts(address) or host in network.allowed_hosts(address)

    def test_only_a_server_for_everybody_tells_its_address_on_the_network(self) -> None:
        assert network.own_addresses(Address("127.0.0.1", 8000)) == []
        assert set(network.own_addresses(Address("0.0.0.0", 8000))) <= set(
            network.allowed_hosts(Address("0.0.0.0", 8000))
        )
        assert "*" not in network.allowed_hosts(Address("0.0.0.0", 8000))

    def test_nothing_answers_on_a_free_port(self) -> None:
        assert network.missing_parts(Address("127.0.0.1", 1), "localhost") is None
