"""The engine's address: out of reach of browsers, random where it can be, or none at all."""

import errno
import socket

import pytest

from local import addresses
from local.addresses import BLOCKED_PORTS, LOOPBACK, NoHiddenAddress, hidden_address, is_open_to_web_pages


def bind_only(monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Lets only these addresses be bound."""

    def is_free(host: str, port: int) -> bool:
        return host in hosts

    monkeypatch.setattr(addresses, "_is_free", is_free)


def test_a_machine_with_one_loopback_address_gets_a_port_that_browsers_block(monkeypatch: pytest.MonkeyPatch) -> None:
    bind_only(monkeypatch, LOOPBACK)

    host, port = hidden_address()

    assert host == LOOPBACK
    assert port in BLOCKED_PORTS


def test_where_all_those_ports_are_taken_the_start_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    bind_only(monkeypatch)

    with pytest.raises(NoHiddenAddress, match=r"^All ports on which web pages cannot .* \(1719, .*\)\. Stop one .*\.$"):
        hidden_address()


def test_the_random_addresses_are_all_of_the_loopback_network() -> None:
    hosts = [addresses._random_loopback() for _ in range(1000)]

    assert all(host.startswith("127.") for host in hosts)
    assert len(set(hosts)) > 990
    assert not {"127.0.0.0", "127.255.255.255"} & set(hosts)


def test_a_port_in_use_is_not_free() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        assert not addresses._is_free(*server.getsockname())


@pytest.mark.parametrize("number", [errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES])
def test_an_address_that_cannot_be_bound_is_not_free(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise OSError(number, "no")

    monkeypatch.setattr(socket, "create_server", refuse)

    assert not addresses._is_free("127.1.2.3", 6667)


@pytest.mark.parametrize(
    ("endpoint", "is_open"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000/", True),
        ("http://[::1]:8000", True),
        ("http://127.0.0.1:6667", False),
        ("http://127.83.2.9:6000", False),
        ("https://dynamodb.example.com", False),
    ],
)
def test_an_engine_that_web_pages_can_reach_is_recognised(endpoint: str, is_open: bool) -> None:
    assert is_open_to_web_pages(endpoint) is is_open
