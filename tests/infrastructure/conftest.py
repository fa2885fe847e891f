"""Templates of the whole system under several settings, each made once for all tests of the run."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from functions.runtime.settings import LIVE_KEYS
from tests.conftest import MakeOnce
from tests.infrastructure.templates import ROOT, System, synthesise

Synthesise = Callable[..., System]

RICH: dict[str, Any] = {
    "stage": "prod",
    "providers": "live",
    "analyst": "bedrock",
    "bedrock_model": "us.amazon.nova-lite-v1:0",
    "alarm_email": "ops@example.com",
    "cors_origins": "https://stocks.example",
    "log_retention": 7,
    "replica_region": "eu-west-1",
    "tags": "Team=Data",
    "waf": "true",
    "monthly_budget": 50,
    "reserve_concurrency": "true",
    "review_below": "0.6",
    "cost_bps": "5",
    "videos_at_once": 3,
    "runs_at_once": 4,
    "page": str(ROOT / "docs"),
}
"""Nearly everything that can be set."""
LEAN: dict[str, Any] = {
    "pitr": "false",
    "ttl": "false",
    "exports": "false",
    "backups": "false",
    "billing": "provisioned",
    "read_capacity": 7,
    "auth": "none",
    "keep_transcripts": "false",
    "providers": "live",
    "analyst": "rules",
    "prices": "demo",
    "python": "3.12",
    "architecture": "x86_64",
}
"""As little as possible, on another processor."""
EVERY_READ: dict[str, Any] = {"providers": "live", "auth": "all"}
JWT: dict[str, Any] = {
    "providers": "live",
    "auth": "jwt",
    "jwt_issuer": "https://issuer.example",
    "jwt_audience": "us",
}
"""Few settings, each of them used by several tests: to synthesise the templates takes seconds."""
NAMES_OF_KEYS = (*LIVE_KEYS, "API_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
MARKER = "hush-hush-0123456789"
"""The value of each of them while the templates are synthesised."""


@pytest.fixture(scope="session")
def system(make_once: MakeOnce) -> Synthesise:
    """`system(stage="prod")`: the templates under these settings. Test processes share what one of them has made."""

    def made(**settings: Any) -> System:
        def fill(folder: Path) -> None:
            with pytest.MonkeyPatch.context() as machine:
                for name in NAMES_OF_KEYS:
                    machine.setenv(name, MARKER)
                synthesise(folder, settings)

        name = f"templates-{sha256(repr(sorted(settings.items())).encode()).hexdigest()[:16]}"
        return System.read(make_once(name, fill))

    return made
