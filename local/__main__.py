"""The whole product on this machine: `python -m local`, or `make run`."""

import argparse
import multiprocessing
import os
import signal
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import uvicorn
from botocore.exceptions import BotoCoreError, ClientError
from dotenv import dotenv_values

from functions.record.channels.channels import create_channel
from functions.record.models.records import Channel
from functions.record.sources.demo.channels import channels as demo_channels
from functions.record.store.channels import channel_by_id, ensure_channel_counter
from functions.runtime.dispatch import dispatch_with
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.errors import InvalidSetting, StockTrackRecordError
from functions.runtime.observability import logger
from functions.runtime.settings import DEMO, settings
from functions.runtime.storage import DISK_FULL, is_disk_full
from functions.service import setup
from local.addresses import is_open_to_web_pages
from local.data_file import DataFileDamaged
from local.engine import ROOT, EngineProblem, keep_alert_key_in, keep_exports_in, keep_transcripts_in, running_engine
from local.runner import Runner
from local.tables import create_tables

if TYPE_CHECKING:
    from local.authorizer import Authorizer

HOST = "127.0.0.1"
ENVIRONMENTS = 8
LOCAL_DEFAULTS = {
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_METRICS_DISABLED": "true",
    "DEMO_PAUSE_SECONDS": "0.4",
    "CHECK_BROWSERS": "true",
}

IDLE_CONNECTION_SECONDS = 75
"""Longer than clients' keep-alive; otherwise a connection may be closed just as a request is sent on it."""


ENGINE_ENDED = (
    "The database engine ended again and again, so this server stopped. What was stored is kept; start it again."
)
OPEN_TO_WEB_PAGES = (
    "WARNING: any web page that you visit can read, change and delete what is in this engine; start it on a port that "
    "browsers do not connect to, such as 6667."
)

STARTED_AGAIN = "STOCK_TRACK_RECORD_STARTED_AGAIN"
"""Set in a process that replaced one with a damaged data file."""
DAMAGED_AGAIN = (
    "The data file is damaged again, so this server stopped. Look after the disk, then bring a backup back with "
    "`make restore FILE=…`."
)

engine_has_ended = threading.Event()
data_is_damaged = threading.Event()


class PortTaken(StockTrackRecordError):
    """The port is in use, or may not be used."""


def main() -> int:
    arguments = _arguments()
    given = dict(os.environ)
    for name, value in (LOCAL_DEFAULTS | env_file(ROOT / ".env")).items():
        os.environ.setdefault(name, value)
    logger.setLevel(os.environ["POWERTOOLS_LOG_LEVEL"])
    # SIGTERM shuts everything down in order, like Ctrl-C.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt), ExitStack() as stack:
            _serve(port_number(arguments.port), arguments.data, stack)
        if data_is_damaged.is_set():
            _start_again(given)
        if engine_has_ended.is_set():
            raise EngineProblem(ENGINE_ENDED)
        print("Stopped.")
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        print(DISK_FULL if is_disk_full(problem) else problem, file=sys.stderr)
        return 1
    return 0


def _serve(port: int, data: Path, stack: ExitStack) -> None:
    authorizer = _authorizer()
    listener = stack.enter_context(listener_on(port))
    engine = stack.enter_context(running_engine(data, partial(_stop_because, engine_has_ended)))
    os.environ["DYNAMODB_ENDPOINT"] = engine.endpoint
    keep_transcripts_in(data)
    keep_exports_in(data)
    keep_alert_key_in(data)
    settings.cache_clear()
    created = create_tables(dynamodb(), settings().table_prefix)
    ensure_channel_counter()

    # Imported once the endpoint is known: the handlers read the settings at import.
    from local.environments import Environments
    from local.gateway import Gateway

    work = multiprocessing.get_context("forkserver").SimpleQueue()
    environments = Environments(ENVIRONMENTS, work)
    stack.callback(environments.stop)
    runner = Runner(on_damage=partial(_stop_because, data_is_damaged))
    stack.callback(runner.stop)
    dispatch_with(runner)
    threading.Thread(target=runner.serve, args=(work,), daemon=True).start()
    stack.callback(work.put, None)
    gateway = Gateway(environments, authorizer)
    stack.callback(gateway.stop)

    print(f"Stock Track Record on http://{HOST}:{listener.getsockname()[1]}  (Ctrl-C stops it)")
    print(f"  engine: {engine.description}")
    if is_open_to_web_pages(engine.endpoint):
        print(f"  {OPEN_TO_WEB_PAGES}")
    for sentence in missing_settings():
        print(f"  {sentence}")
    for name in runner.resume_runs(all_are_dead=engine.pid is not None):
        print(f"  going on with {name}")
    for job in (
        runner.keep_resuming_runs,
        runner.keep_updating_prices,
        runner.keep_checking_channels,
        runner.keep_sending_tasks,
        runner.keep_delivering_alerts,
        runner.keep_removing_exports,
        runner.keep_ingesting_news,
        runner.keep_watching_news,
    ):
        threading.Thread(target=job, daemon=True).start()
    if engine.pid:
        # Elsewhere other processes may be at work.
        threading.Thread(target=runner.keep_watching_clock, daemon=True).start()
    if engine.pid and engine.keeps_data:
        threading.Thread(target=runner.keep_copying_data, args=(data,), daemon=True).start()
    if settings().providers == DEMO and all("created" in sentence for sentence in created):
        _watch(_post_demo_channels(), stack)
    sys.stdout.flush()
    config = uvicorn.Config(
        gateway,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=5,
        timeout_keep_alive=IDLE_CONNECTION_SECONDS,
    )
    server = uvicorn.Server(config)
    # uvicorn raises the signal that stopped it again.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    print("Stopping…", flush=True)


def _stop_because(reason: threading.Event) -> None:
    if not reason.is_set():
        reason.set()
        os.kill(os.getpid(), signal.SIGINT)


def _start_again(environment: dict[str, str]) -> NoReturn:
    """Replaces this process, since a start puts the copy in the place of the damaged file.

    Once only: a disk that fails would damage both.
    """
    if STARTED_AGAIN in environment:
        raise DataFileDamaged(DAMAGED_AGAIN)
    print("The data file is damaged: starting again with its copy.", flush=True)
    command = [sys.executable, "-m", "local", *sys.argv[1:]]
    os.execve(sys.executable, command, environment | {STARTED_AGAIN: "true"})


def _authorizer() -> "Authorizer | None":
    if settings().auth == "none":
        return None
    # Imported here: it loads a library for cryptography, which a start without JWTs does not need.
    from local.authorizer import authorizer_of

    return authorizer_of(settings())


def env_file(file: Path) -> dict[str, str]:
    """Reads the non-empty settings of a .env file. Nothing is expanded: a key may contain a dollar sign."""
    values = dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    return {name: value for name, value in values.items() if value}


def missing_settings() -> list[str]:
    """Returns a sentence for each setting that the selected providers lack."""
    return [
        f"{missing} Put it into .env (see .env.example) or the environment, and start again."
        for missing in setup.missing_settings()
    ]


def _post_demo_channels() -> list[Channel]:
    channels = [create_channel(channel.url, time_range_months=36) for channel in demo_channels()]
    for channel in demo_channels():
        print(f"  demo channel added: {channel.info.title}")
    return channels


def _watch(channels: list[Channel], stack: ExitStack) -> None:
    """Prints a line when the first run of a channel has ended."""
    stopping = threading.Event()

    def report() -> None:
        waiting = {channel.id for channel in channels}
        while waiting and not stopping.wait(1):
            for channel_id in tuple(waiting):
                channel = channel_by_id(channel_id)
                if channel and channel.is_under_way:
                    continue
                waiting.remove(channel_id)
                if channel:
                    print(f"  {channel.status}: {channel.name}, {channel.processed_video_count} videos", flush=True)

    watcher = threading.Thread(target=report)
    watcher.start()
    stack.callback(watcher.join)
    stack.callback(stopping.set)


def port_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise InvalidSetting(f"PORT must be a whole number from 0 to 65535, not {text!r}.")
    return int(text)


def listener_on(port: int) -> socket.socket:
    try:
        listener = socket.create_server((HOST, port), backlog=512)
    except OSError as problem:
        reason = os.strerror(problem.errno or 0).lower()
        raise PortTaken(f"Port {port} cannot be used ({reason}). Choose another with PORT=…") from None
    # Inherited by connections. Without it, a response's body waits 40 ms for the client to acknowledge the headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m local", description="Runs Stock Track Record on this machine.")
    parser.add_argument("--port", default="3000", help="0 takes any that is free")
    parser.add_argument("--data", type=Path, default=Path(".local"), help="the folder of the data")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
