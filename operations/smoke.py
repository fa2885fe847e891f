"""Checks that a deployment works: `make smoke URL=… TOKEN=…`. It leaves nothing behind.

`make deploy` ends with it. Each check is one line; the exit code is 1 when one of them failed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import httpx
from botocore.exceptions import BotoCoreError, ClientError

from functions.routes import ROUTES
from functions.runtime.errors import StockTrackRecordError

NOT_A_CHANNEL = {"url": "smoke test: no channel"}
"""An API without a token rejects it with 422, so that no channel is created."""
RETRY_SECONDS = 3.0


class Failed(StockTrackRecordError):
    """A check failed; the message says why."""


@dataclass
class Smoke:
    client: httpx.Client
    token: str | None
    say: Callable[[str], None] = print
    failed: list[str] = field(default_factory=list)
    is_open: bool = False
    """True if mutating requests need no token; determined by a check."""

    def run(self, *, page: bool = True, wait_seconds: float = 0) -> bool:
        """True if every check passed."""
        self._check("health", lambda: self._health(wait_seconds))
        if page:
            self._check("page", self._page)
        self._check("list", self._list)
        self._check("OpenAPI", self._openapi)
        self._check("changes", self._refusal)
        if self.token or self.is_open:
            self._check("round trip", self._round_trip)
        else:
            self.say("skipped  round trip: no TOKEN was given")
        return not self.failed

    def _check(self, name: str, check: Callable[[], str]) -> None:
        try:
            self.say(f"ok       {name}: {check()}")
        except (Failed, httpx.HTTPError, json.JSONDecodeError) as problem:
            self.failed.append(name)
            self.say(f"FAILED   {name}: {str(problem) or type(problem).__name__}")

    def _health(self, wait_seconds: float) -> str:
        """Waits, because a new distribution takes a while to respond."""
        deadline = time.monotonic() + wait_seconds
        while True:
            try:
                return self._healthy()
            except (Failed, httpx.HTTPError):
                if time.monotonic() >= deadline:
                    raise
            time.sleep(RETRY_SECONDS)

    def _healthy(self) -> str:
        body = self._json("GET", "/health", 200)
        _expect(body == {"status": "ok"}, f'it should be {{"status": "ok"}}, and is {body}')
        return "the API responds"

    def _page(self) -> str:
        response = self.client.get("/")
        is_page = response.status_code == 200 and '<div id="root"' in response.text
        _expect(is_page, f"/ is not the dashboard ({response.status_code})")
        return "the dashboard is there"

    def _list(self) -> str:
        body = self._json("GET", "/api/channels", 200)
        _expect(set(body) == {"items", "total", "page", "per_page"}, f"it has the fields {sorted(body)}")
        return f"{body['total']} channels"

    def _openapi(self) -> str:
        paths = self._json("GET", "/openapi.json", 200).get("paths", {})
        missing = {route.path for route in ROUTES if route.path.startswith("/api/")} - set(paths)
        _expect(not missing, f"it does not know {', '.join(sorted(missing))}: another version is deployed")
        return f"{len(paths)} paths, those of this code among them"

    def _refusal(self) -> str:
        status = self._send("POST", "/api/channels", json=NOT_A_CHANNEL).status_code
        self.is_open = status == 422 and not self.token
        if self.is_open:
            return "everyone may change something here"
        _expect(status in (401, 403), f"without the token it should be 401, and is {status}")
        return "refused without the token"

    def _round_trip(self) -> str:
        url = f"https://www.youtube.com/@smoke-test-{uuid4().hex[:12]}"
        created = self._json("POST", "/api/channels", 201, json={"url": url}, headers=self._bearer)
        path = f"/api/channels/{created['id']}"
        try:
            found = self._json("GET", f"{path}?strong=true", 200)
            _expect(found["url"] == url, f"the channel was created as {url}, and is {found['url']}")
        finally:
            status = self._send("DELETE", path, headers=self._bearer).status_code
            _expect(status == 204, f"the channel {created['id']} could not be deleted ({status}): delete it by hand")
        self._json("GET", f"{path}?strong=true", 404)
        return "a channel was created, read and deleted"

    @property
    def _bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.client.request(method, path, **options)

    def _json(self, method: str, path: str, status: int, **options: Any) -> Any:
        response = self._send(method, path, **options)
        _expect(response.status_code == status, f"{method} {path} should be {status}, and is {response.status_code}")
        return response.json()


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    url, token = options.url, os.environ.get("TOKEN") or None
    if options.outputs:
        try:
            url, token = _of_deployment(options.outputs, options.profile)
        except (OSError, KeyError, ClientError, BotoCoreError) as problem:
            print(f"The outputs of the deployment cannot be used: {problem!r}", file=sys.stderr)
            return 2
    if not url:
        print("Give it the address of the page: make smoke URL=https://… TOKEN=…", file=sys.stderr)
        return 2
    print(f"Smoke test of {url}")
    with httpx.Client(base_url=url, timeout=30) as client:
        is_fine = Smoke(client, token).run(page=not options.api_only, wait_seconds=options.wait)
    print("Everything is as it should be." if is_fine else "Something is wrong.")
    return 0 if is_fine else 1


def _of_deployment(file: Path, profile: str | None) -> tuple[str, str | None]:
    """The URL and the token, from the outputs file that `cdk deploy` writes."""
    stacks = json.loads(file.read_text())
    outputs = {name: value for stack in stacks.values() for name, value in stack.items()}
    if "ApiTokenSecret" not in outputs:
        return outputs["PageUrl"], None
    arn = outputs["ApiTokenSecret"]
    secrets = boto3.Session(profile_name=profile).client("secretsmanager", region_name=arn.split(":")[3])
    secret = secrets.get_secret_value(SecretId=arn)["SecretString"]
    return outputs["PageUrl"], json.loads(secret)["token"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m operations.smoke",
        description="Looks whether a deployment works. The environment variable TOKEN may hold the API's token.",
    )
    parser.add_argument("url", nargs="?", help="the address of the page, or of the API with --api-only")
    parser.add_argument("--outputs", type=Path, help="the outputs file of `cdk deploy`, in place of an address")
    parser.add_argument("--profile", help="a profile of ~/.aws/config, to read the token with")
    parser.add_argument("-c", "--context", action="append", help="what `make deploy` hands to the CDK; not used here")
    parser.add_argument("--api-only", action="store_true", help="there is no page at this address")
    parser.add_argument("--wait", type=float, default=60, metavar="SECONDS", help="how long it may take to respond")
    return parser


def _expect(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise Failed(otherwise)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
