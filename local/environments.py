"""Execution environments as Lambda has them: processes that hold the real handlers and serve one request at a time.

Powertools keeps the current request on a class that all resolvers share, so threads would mix requests up.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.connection import wait
from multiprocessing.queues import SimpleQueue
from typing import Any
from uuid import uuid4

from functions.routes import FALLBACK, ROUTES, Route
from functions.runtime.dispatch import dispatch_with
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.http.resolver import Handler
from local.runner import QueueDispatcher

HANDLERS: dict[str, Handler] = {route.module: import_module(route.import_name).handler for route in (*ROUTES, FALLBACK)}


@dataclass(frozen=True)
class Context:
    """The context object that Lambda passes to a handler."""

    function_name: str
    timeout_seconds: int
    aws_request_id: str = field(default_factory=lambda: str(uuid4()))
    memory_limit_in_mb: int = 512
    function_version: str = "$LATEST"

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:local:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        return self.timeout_seconds * 1000


class Environments:
    """A pool of environments. If one dies, the pool breaks and is replaced."""

    def __init__(self, count: int, work: "SimpleQueue[Any]") -> None:
        self._count = count
        self._work = work
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("forkserver")
        # Handlers are imported once, in the server that environments are forked from.
        context.set_forkserver_preload(["local.environments"])
        _start_without_interrupts()
        return ProcessPoolExecutor(self._count, context, initializer=_prepare, initargs=(self._work,))

    def invoke(self, route: Route, event: Mapping[str, Any]) -> dict[str, Any]:
        pool = self._pool
        try:
            return pool.submit(_invoke, route.module, route.timeout_seconds, event).result()
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._new_pool()
            raise

    def stop(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def _start_without_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal, but only the server decides when its environments end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(work: "SimpleQueue[Any]") -> None:
    """Runs in each new environment, before its first request."""
    dispatch_with(QueueDispatcher(work))
    dynamodb()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    wait([parent.sentinel])
    os._exit(0)


def _invoke(module: str, timeout_seconds: int, event: Mapping[str, Any]) -> dict[str, Any]:
    return HANDLERS[module](event, Context(module, timeout_seconds))  # type: ignore[arg-type]
