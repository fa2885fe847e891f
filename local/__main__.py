"""The whole product on this machine: `python -m local`, or `make run`."""

import argparse
import multiprocessing
import os
import signal
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import uvicorn
from botocore.exceptions import BotoCoreError, ClientError

from functions.core.errors import StockTrackRecordError
from functions.core.settings import DEMO, settings
from functions.dispatch import dispatch_with
from functions.logic.channels import create_channel
from functions.providers.demo.channels import channels as demo_channels
from functions.store.connection import dynamodb
from local.engine import ROOT, running_engine
from local.runner import Runner
from local.tables import create_tables

HOST = "127.0.0.1"
ENVIRONMENTS = 8
LOCAL_DEFAULTS = {
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_METRICS_DISABLED": "true",
    "DEMO_PAUSE_SECONDS": "0.4",
}

IDLE_CONNECTION_SECONDS = 75
"""Longer than clients keep theirs, or one would now and then be closed just as a request is sent on it."""


class PortTaken(StockTrackRecordError):
    """The port is in use."""


def main() -> int:
    arguments = _arguments()
    for name, value in (LOCAL_DEFAULTS | _own_settings()).items():
        os.environ.setdefault(name, value)
    # Whoever asks it to end, by Ctrl-C or otherwise, finds everything put away.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt), ExitStack() as stack:
            _serve(arguments.port, arguments.data, stack)
        print("Stopped.")
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def _serve(port: int, data: Path, stack: ExitStack) -> None:
    listener = stack.enter_context(listener_on(port))
    engine = stack.enter_context(running_engine(data))
    os.environ["DYNAMODB_ENDPOINT"] = engine.endpoint
    settings.cache_clear()
    created = create_tables(dynamodb(), settings().table_prefix)

    # Imported after the endpoint is known: the handlers read the settings when they are loaded.
    from local.environments import Environments
    from local.gateway import Gateway

    work = multiprocessing.get_context("forkserver").SimpleQueue()
    environments = Environments(ENVIRONMENTS, work)
    stack.callback(environments.stop)
    runner = Runner()
    stack.callback(runner.stop)
    dispatch_with(runner)
    threading.Thread(target=runner.serve, args=(work,), daemon=True).start()
    stack.callback(work.put, None)
    gateway = Gateway(environments)
    stack.callback(gateway.stop)

    print(f"Stock Track Record on http://{HOST}:{listener.getsockname()[1]}  (Ctrl-C stops it)")
    print(f"  engine: {engine.description}")
    for name in runner.take_up_runs(all_are_dead=engine.pid is not None):
        print(f"  going on with {name}")
    threading.Thread(target=runner.keep_taking_up_runs, daemon=True).start()
    if settings().providers == DEMO and all("created" in sentence for sentence in created):
        _post_demo_channels()
    sys.stdout.flush()
    config = uvicorn.Config(
        gateway,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=5,
        timeout_keep_alive=IDLE_CONNECTION_SECONDS,
    )
    server = uvicorn.Server(config)
    # The server raises the signal that ended it once more.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    print("Stopping…", flush=True)


def _own_settings() -> dict[str, str]:
    """What the file .env says: NAME=value, a line each."""
    file = ROOT / ".env"
    lines = file.read_text().splitlines() if file.exists() else []
    pairs = (line.partition("=") for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs if value.strip()}


def _post_demo_channels() -> None:
    for channel in demo_channels():
        create_channel(channel.url, time_range_months=36)
        print(f"  demo channel added: {channel.info.title}")


def listener_on(port: int) -> socket.socket:
    try:
        listener = socket.create_server((HOST, port), backlog=512)
    except OSError as problem:
        raise PortTaken(f"Port {port} cannot be used: {problem.strerror}. Choose another with PORT=…") from None
    # Every connection inherits it. Else an answer's body waits 40 ms for the client to acknowledge its headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m local", description="Runs Stock Track Record on this machine.")
    parser.add_argument("--port", type=int, default=3000, help="0 takes any that is free")
    parser.add_argument("--data", type=Path, default=Path(".local"), help="folder that keeps the data")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
