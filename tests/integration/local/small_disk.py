"""Runs the local server on a disk of a few megabytes, fills it and makes room again; prints what clients saw.

Run by `unshare --map-root-user --mount`, so that the disk is mounted for this process only.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.fakes import eventually
from tests.local_server import LocalServer

SPARE_BYTES = 300_000
PLAN = {"name": "Look again", "tasks": [{"key": f"t{number}", "kind": "ingest_news"} for number in range(400)]}


def main(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(disk)], check=True)
    ballast = disk / "ballast"
    (disk / "data").mkdir()
    # The log stays on the large disk.
    (folder / "data").symlink_to(disk / "data")
    server = LocalServer(folder / "data", PROVIDERS="live", POWERTOOLS_LOG_LEVEL="WARNING")
    with ballast.open("wb") as file:
        file.write(b"x" * (shutil.disk_usage(disk).free - SPARE_BYTES))
    refused = eventually(lambda: (response := server.request("POST", "/api/plans", PLAN))[0] != 201 and response)
    health = server.request("GET", "/health")[0]
    lines = len(server.output().splitlines())
    ballast.unlink()
    accepted = server.request("POST", "/api/plans", PLAN)[0]
    stopped = server.stop()
    print(json.dumps({"refused": refused, "health": health, "accepted": accepted, "stopped": stopped, "lines": lines}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
