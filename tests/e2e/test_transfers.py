"""An export over real HTTP, and its import in the place of the channel that was deleted."""

import base64
import json
import signal
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.server import Server
from tests.fakes import eventually
from tests.local_server import copy_data

VALUE_INVESTOR = "https://www.youtube.com/@DemoValueInvestor"
SHOWN = ("stocks", "timeline?limit=100", "calls?limit=100")


def ended(server: Server, path: str) -> Any:
    return eventually(lambda: (found := server.get(path))["status"] in ("COMPLETED", "FAILED") and found)


def shown(server: Server, channel_id: str) -> dict[str, Any]:
    return {path: server.get(f"/api/channels/{channel_id}/{path}") for path in SHOWN}


def test_what_was_exported_and_deleted_is_imported_again(scored_demo: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    copy_data(scored_demo, data)
    server = Server(data)
    try:
        (channel,) = [
            each for each in server.get("/api/channels?per_page=100")["items"] if each["url"] == VALUE_INVESTOR
        ]
        channel_id = server.ended(channel["id"])["id"]
        path = f"/api/channels/{channel_id}"
        eventually(lambda: server.request("GET", f"{path}/score")[0] == 200)
        before = shown(server, channel_id)
        _, begun = server.request("POST", "/api/exports", {"channel_ids": [channel_id], "format": "csv"})
        export = ended(server, f"/api/exports/{begun['id']}")
        archive = httpx.get(server.base_url + export["download_url"], trust_env=False).content
        imports = data / "exports" / "imports"
        imports.mkdir(parents=True)
        (imports / "export.zip").write_bytes(archive)
        assert server.request("DELETE", path)[0] == 204
        assert server.request("GET", path)[0] == 404

        status, requested = server.request("POST", "/api/imports", {"key": "imports/export.zip"})
        imported = ended(server, f"/api/imports/{requested['id']}")

        assert status == 202
        assert (imported["status"], imported["channels"], imported["skipped"]) == ("COMPLETED", 1, [])
        assert imported["items_done"] == imported["items"] > 0
        assert server.get(path)["status"] == "completed"
        eventually(lambda: shown(server, channel_id) == before)
        # Nobody is asked who they are here, so no token makes somebody else of the caller.
        claims = base64.urlsafe_b64encode(json.dumps({"sub": "mallory"}).encode()).decode().rstrip("=")
        forged = {"Authorization": f"Bearer e30.{claims}.x"}
        me = httpx.get(f"{server.base_url}/api/me", headers=forged, trust_env=False).json()
        assert me["user_id"] == requested["user_id"] == "local"
    finally:
        server.stop(signal.SIGKILL)
