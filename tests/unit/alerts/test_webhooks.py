"""Webhooks: which addresses are refused before anything is sent, and that the checked address is the one used."""

import ipaddress
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functions.alerts import webhooks
from functions.alerts.webhooks import send
from functions.runtime.http import public_addresses
from functions.runtime.http.public_addresses import BadAddress, NotDelivered, check, is_public
from functions.runtime.settings import settings
from tests.receivers import receiver

PUBLIC = "93.184.216.34"


@pytest.fixture(autouse=True)
def fresh_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("WEBHOOK_ALLOW_PRIVATE", raising=False)
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def resolves_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Every name has these addresses; returns the names that were asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def fails_to_resolve(monkeypatch: pytest.MonkeyPatch, problem: OSError) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise problem

    monkeypatch.setattr(socket, "getaddrinfo", fail)


def test_a_name_server_that_does_not_answer_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: end.wait(30) or [])
    monkeypatch.setattr(public_addresses, "RESOLVE_SECONDS", 0.2)
    began = time.monotonic()

    with pytest.raises(NotDelivered, match="cannot be looked up at the moment"):
        check("https://example.com/")

    assert time.monotonic() - began < 10
    end.set()


def test_lookups_that_are_stuck_take_a_limited_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    end, begun = threading.Event(), []
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_, **__: begun.append(host) or end.wait(30) or [])
    monkeypatch.setattr(public_addresses, "RESOLVE_SECONDS", 0.01)
    monkeypatch.setattr(public_addresses, "_lookups", threading.BoundedSemaphore(3))

    for number in range(6):
        with pytest.raises(NotDelivered):
            check(f"https://host{number}.example.com/")

    assert len(begun) == 3
    end.set()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://example.com/",
        "https://",
        "https:///path",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://example.com@127.0.0.1/",
        "https://127.0.0.1\\@example.com/",
        "https://example.com:22/",
        "https://example.com:80/",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://example.com:x/",
        "https://exa mple.com/",
        "https://example.com/\r\nX-Header: 1",
        "https://example.com/\tx",
        "https://exämple.com/",
        "https://\uff11\uff12\uff17.0.0.1/",
        "https://localhost/",
        "https://localhost./",
        "https://metadata/",
        "https://127.0.0.1/",
        "https://127.0.0.1./",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://10.0.0.1/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://100.64.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://0.0.0.0/",
        "https://255.255.255.255/",
        "https://224.0.0.1/",
        "https://192.0.0.192/",
        "https://198.18.0.1/",
        "https://240.0.0.1/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[::127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[64:ff9b:1::1]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:7f00:1::]/",
        "https://[fd00:ec2::254]/",
        "https://[fc00::1]/",
        "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[fec0::1]/",
        "https://[ff02::1]/",
        "https://[2001:db8::1]/",
        "https://[3fff::1]/",
        "https://[3fff:fff::1]/",
        "https://[5f00::1]/",
        "https://[100:0:0:1::1]/",
        "https://[::1/",
        "https://" + "a" * 3000 + ".com/",
    ],
)
def test_an_address_that_is_not_a_public_https_one_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        check(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com", ("example.com", 443, "/", "example.com")),
        ("https://example.com.:443/a/b?c=d#e", ("example.com", 443, "/a/b?c=d", "example.com")),
        ("https://EXAMPLE.com:8443/x", ("example.com", 8443, "/x", "example.com:8443")),
        ("https://xn--exmple-cua.com/", ("xn--exmple-cua.com", 443, "/", "xn--exmple-cua.com")),
    ],
)
def test_a_public_address_is_taken_apart(
    monkeypatch: pytest.MonkeyPatch, url: str, expected: tuple[str, int, str, str]
) -> None:
    resolves_to(monkeypatch, PUBLIC)

    found = check(url)

    assert (found.host, found.port, found.target, found.host_header) == expected
    assert found.addresses == (PUBLIC,)


@pytest.mark.parametrize("addresses", [("10.0.0.1",), (PUBLIC, "127.0.0.1"), ("::ffff:10.0.0.1",), (PUBLIC, "fe80::1")])
def test_a_name_is_refused_if_any_of_its_addresses_is_private(
    monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    resolves_to(monkeypatch, *addresses)

    with pytest.raises(BadAddress, match="private network"):
        check("https://internal.example.com/")


def test_a_name_that_nobody_has_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_to_resolve(monkeypatch, socket.gaierror(socket.EAI_NONAME, "Name or service not known"))

    with pytest.raises(BadAddress, match=r"There is no address for nobody\.example\."):
        check("https://nobody.example/")


@pytest.mark.parametrize(
    "problem",
    [
        socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"),
        socket.gaierror(socket.EAI_FAIL, "Non-recoverable failure in name resolution"),
        TimeoutError("timed out"),
    ],
)
def test_a_name_that_cannot_be_looked_up_at_the_moment_is_no_bad_address(
    monkeypatch: pytest.MonkeyPatch, problem: OSError
) -> None:
    fails_to_resolve(monkeypatch, problem)

    with pytest.raises(NotDelivered, match=r"hooks\.example cannot be looked up at the moment\.") as raised:
        send("https://hooks.example/", "id", 1, b"{}", b"key")

    assert not (raised.value.is_gone or raised.value.concerns_message)


def test_the_name_is_resolved_once_and_the_connection_goes_to_what_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = resolves_to(monkeypatch, PUBLIC)
    connected: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], **_: Any) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)

    with pytest.raises(NotDelivered, match="could not be reached"):
        send("https://rebinding.example.com/hook", "id", 1, b"{}", b"key")

    assert asked == ["rebinding.example.com"]
    assert connected == [(PUBLIC, 443)]


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", PUBLIC, "2606:2800:220:1:248:1893:25c8:1946", "2a00::1"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


class TestTls:
    @pytest.fixture
    def certificate(self, tmp_path: Path) -> Path:
        """Self-signed, for the name of this machine."""
        file = tmp_path / "both.pem"
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
        names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "both.pem", "-out", "public.pem"]
        subprocess.run([*command.split(), *names], check=True, capture_output=True, cwd=tmp_path)
        file.write_text(file.read_text() + (tmp_path / "public.pem").read_text())
        return file

    @pytest.mark.parametrize("trusted", [True, False])
    @pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
    def test_a_receiver_needs_a_certificate_for_its_name(
        self, certificate: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool, host: str
    ) -> None:
        monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_name("public.pem")) if trusted else "/dev/null")
        settings.cache_clear()
        with receiver(certificate) as hook:
            url = hook.url.replace("127.0.0.1", host)
            if trusted and host == "localhost":
                send(url, "id", 1, b"{}", b"key")
                assert hook.received[0].headers["host"].startswith("localhost:")
                return
            with pytest.raises(NotDelivered, match="certificate"):
                send(url, "id", 1, b"{}", b"key")
            assert hook.received == []

    def test_one_that_never_finishes_its_handshake_is_left_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
        monkeypatch.setattr(webhooks, "TOTAL_SECONDS", 0.5)
        settings.cache_clear()
        # The system accepts connections for it.
        with (
            socket.create_server(("127.0.0.1", 0)) as silent,
            pytest.raises(NotDelivered, match="did not respond"),
        ):
            send(f"https://127.0.0.1:{silent.getsockname()[1]}/", "id", 1, b"{}", b"key")

    def test_one_that_accepts_the_connection_at_the_last_moment_gets_no_message(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
        monkeypatch.setattr(webhooks, "TOTAL_SECONDS", 0.2)
        settings.cache_clear()
        connect = public_addresses.connect

        def connect_late(*arguments: Any) -> socket.socket:
            connected = connect(*arguments)
            time.sleep(0.3)
            return connected

        monkeypatch.setattr("functions.runtime.http.outbound.connect", connect_late)

        with receiver() as hook, pytest.raises(NotDelivered, match="did not respond"):
            send(hook.url, "id", 1, b"{}", b"key")
        assert hook.received == []


def test_the_signature_is_that_of_the_convention_standard_webhooks() -> None:
    # printf '%s' 'msg_1.1614265330.{"test": 1}' | openssl dgst -sha256 -hmac key -binary | base64
    expected = "v1,8NCh7dhhucS7xwGCXm3Q7rJDlN20HxbrQ+jzw8fCF9I="

    assert webhooks.signature(b"key", "msg_1", 1_614_265_330, b'{"test": 1}') == expected
