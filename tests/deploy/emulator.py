"""AWS on this machine, for one deployment: ministack over TLS on loopback, with the functions' grants enforced."""

import os
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import boto3
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from local.engine import free_port

ROOT = Path(__file__).parents[2]
EMULATOR = ROOT / ".venv-emulator" / "bin" / "ministack"
REGION = "us-east-1"
START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Emulator:
    endpoint: str
    certificate: Path
    log: Path

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    @property
    def environment(self) -> dict[str, str]:
        """For a program that takes this for AWS."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_CA_BUNDLE": str(self.certificate),
            "NODE_EXTRA_CA_CERTS": str(self.certificate),
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
        }

    def client(self, service: str) -> Any:
        return boto3.session.Session().client(
            service,
            endpoint_url=self.endpoint,
            region_name=REGION,
            verify=str(self.certificate),
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )


@contextmanager
def running_emulator(folder: Path, **settings: str) -> Iterator[Emulator]:
    port = free_port()
    certificate, key = _self_signed(folder)
    emulator = Emulator(f"https://127.0.0.1:{port}", certificate, folder / "emulator.log")
    with emulator.log.open("wb") as log:
        process = subprocess.Popen(
            [str(EMULATOR)], cwd=folder, env=_environment(port, certificate, key) | settings, stdout=log, stderr=log
        )
        try:
            _wait_until_ready(emulator, process)
            yield emulator
        finally:
            process.terminate()
            try:
                process.wait(timeout=3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _environment(port: int, certificate: Path, key: Path) -> dict[str, str]:
    """Nothing of ours but what it needs: it hands its environment on to the functions."""
    return {
        "PATH": os.pathsep.join([str(EMULATOR.parent), os.environ["PATH"]]),
        "HOME": str(certificate.parent),
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LAMBDA_EXECUTOR": "local",
        "AUTH": "true",
        "USE_SSL": "1",
        "MINISTACK_SSL_CERT": str(certificate),
        "MINISTACK_SSL_KEY": str(key),
        "AWS_CA_BUNDLE": str(certificate),
    }


def _wait_until_ready(emulator: Emulator, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(f"{emulator.endpoint}/_ministack/health", context=emulator.trust, timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"the emulator did not start: {emulator.log.read_text()[-2000:]}")


def _self_signed(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names: list[x509.GeneralName] = [
        x509.DNSName("localhost"),
        x509.DNSName("*.execute-api.localhost"),
        x509.IPAddress(ip_address("127.0.0.1")),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate_file, key_file
