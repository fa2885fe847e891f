"""Sends a plan and follows it: `python -m local.plan FILE.yaml [--url URL] [--token …]`."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote
from uuid import uuid4

from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import base_url
from functions.runtime.text import one_line
from local.api_client import MAX_SHOWN, ApiClient, CannotUse, Refused

FAILED, UNUSABLE, LEFT_RUNNING = 1, 2, 130
"""Exit codes: a task failed, or the plan was cancelled; nothing could be done; somebody pressed Ctrl-C."""
ADDRESS = "http://127.0.0.1:3000"
LOOK_SECONDS = 1.0
BAR_WIDTH = 30
MAX_BYTES = 1_000_000

Document = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        token = sys.stdin.readline().strip() if options.token == "-" else options.token
        api = PlanApi(base_url("--url", options.url), token)
        if options.cancel:
            print(summary(api.cancel(options.cancel)))
            return 0
        plan = api.plan(options.follow) if options.follow else api.create(read_plan(options.file))
        return follow(api, plan, ProgressBar(sys.stdout))
    except Refused as problem:
        print(f"Refused: {problem}", file=sys.stderr)
        return UNUSABLE
    except (CannotUse, InvalidSetting) as problem:
        print(problem, file=sys.stderr)
        return UNUSABLE


def read_plan(file: Path) -> Document:
    """The body of `POST /api/plans`, from YAML or JSON. `channels`, a list of URLs, is short for a task that adds each
    of them and one that scores it."""
    # Imported here: only this command needs it.
    import yaml

    try:
        if file.stat().st_size > MAX_BYTES:
            raise CannotUse(f"{file} is larger than {MAX_BYTES:,} bytes.")
        content = yaml.safe_load(file.read_text("utf-8"))
    except OSError as problem:
        raise CannotUse(f"{file} cannot be read: {problem.strerror}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as problem:
        raise CannotUse(f"{file} is not YAML: {one_line(str(problem), MAX_SHOWN)}") from None
    if not isinstance(content, dict):
        raise CannotUse(f"{file} holds no plan: a name and its tasks.")
    return expand(content)


def expand(content: Document) -> Document:
    urls = content.get("channels") or []
    tasks = content.get("tasks") or []
    if not isinstance(urls, list) or not isinstance(tasks, list):
        raise CannotUse("`channels` and `tasks` are lists.")
    added: list[Document] = []
    for number, url in enumerate(urls, start=1):
        added += [
            {"key": f"add-{number}", "kind": "add_channel", "url": url},
            {"key": f"score-{number}", "kind": "score", "depends_on": [f"add-{number}"]},
        ]
    rest = {name: value for name, value in content.items() if name != "channels"}
    return {**rest, "tasks": [*added, *tasks]}


def follow(api: "PlanApi", plan: Document, progress: "ProgressBar", pause: Callable[[float], None] = time.sleep) -> int:
    try:
        while plan["status"] == "running":
            progress.show(plan)
            pause(LOOK_SECONDS)
            plan = api.plan(plan["id"])
    except KeyboardInterrupt:
        progress.end()
        print(f"The plan goes on. Follow it with --follow {plan['id']}, or stop it with --cancel {plan['id']}.")
        return LEFT_RUNNING
    progress.show(plan)
    progress.end()
    print(summary(plan))
    return 0 if plan["status"] == "completed" else FAILED


def summary(plan: Document) -> str:
    name = one_line(str(plan["name"]), MAX_SHOWN)
    lines = [f"{name} ({plan['id']}): {plan['status']}, {plan['ended']} of {plan['total']} tasks ended"]
    for task in plan["tasks"]:
        if task["status"] in ("failed", "skipped"):
            lines.append(f"  {task['key']}: {task['status']}. {one_line(str(task['error'] or ''), 2 * MAX_SHOWN)}")
        elif task.get("result"):
            lines.append(f"  {task['key']}: {one_line(str(task['result']), 2 * MAX_SHOWN)}")
    return "\n".join(lines)


class ProgressBar:
    """A line that is overwritten on a terminal; otherwise a line whenever a task starts or ends."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._last = ""

    def show(self, plan: Document) -> None:
        running = [task["key"] for task in plan["tasks"] if task["status"] == "running"]
        filled = BAR_WIDTH * plan["ended"] // plan["total"]
        counts = f"{plan['ended']} of {plan['total']}" + (f", {plan['failed']} failed" if plan["failed"] else "")
        line = f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {counts}" + (f": {', '.join(running)}" if running else "")
        if line != self._last:
            self._out.write(f"\r\x1b[K{line[:78]}" if self._is_terminal else f"{line[:200]}\n")
            self._out.flush()
        self._last = line

    def end(self) -> None:
        if self._is_terminal:
            self._out.write("\r\x1b[K")


class PlanApi(ApiClient):
    def create(self, plan: Document) -> Document:
        # With a key, a request that is sent again after a lost response makes no second plan.
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        return self._read(self.send("POST", "/api/plans", json.dumps(plan, default=str).encode(), headers))

    def plan(self, plan_id: str) -> Document:
        return self._read(self.send("GET", f"/api/plans/{quote(plan_id, safe='')}"))

    def cancel(self, plan_id: str) -> Document:
        headers = {"Content-Type": "application/json"}
        return self._read(self.send("POST", f"/api/plans/{quote(plan_id, safe='')}/cancel", b"", headers))

    def _read(self, content: bytes) -> Document:
        try:
            plan = json.loads(content)
            if {"id", "name", "status", "total", "ended", "failed", "tasks"} <= plan.keys():
                return dict(plan)
        except (ValueError, AttributeError):
            pass
        raise self.not_this_api()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.plan", description="Sends a plan of tasks, and shows how far it is."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE", help="YAML or JSON; see docs/plans.md")
    what.add_argument("--follow", metavar="ID", help="show a plan that was sent before")
    what.add_argument("--cancel", metavar="ID", help="cancel what has not begun of a plan")
    parser.add_argument(
        "--url", default=ADDRESS, metavar="URL", help=f"the address of the API, or of the page ({ADDRESS})"
    )
    parser.add_argument("--token", help="the API's token, where changes need one; - reads it from standard input")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
