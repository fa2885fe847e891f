"""Runs a command until the parent process ends: `python supervisor.py COMMAND…`.

The parent holds standard input open; it closes when the parent closes it or is killed. Each start of the command is a
line on standard output: its process id. Once the parent has written a number, a command that ends by itself is started
again, at most that many times in a minute.
"""

import os
import subprocess
import sys
import threading
import time

RESTARTS_WITHIN_SECONDS = 60
LONGEST_PAUSE_SECONDS = 2.0


class Supervisor:
    def __init__(self, command: list[str], lock: int | None) -> None:
        self._command = command
        self._lock = lock
        self._restarts = 0
        self._starting = threading.Lock()
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Returns the command's exit code once it is over for good."""
        threading.Thread(target=self._follow_parent, daemon=True).start()
        ends: list[float] = []
        while child := self._start():
            code = child.wait()
            ends = [*(end for end in ends if end > time.monotonic() - RESTARTS_WITHIN_SECONDS), time.monotonic()]
            # Longer each time: a full disk or a lack of memory may pass.
            pause = min(LONGEST_PAUSE_SECONDS, 0.05 * 2 ** len(ends))
            if len(ends) > self._restarts or self._stopping.wait(pause):
                return code
        return 0

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._starting:
            if self._stopping.is_set():
                return None
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=() if self._lock is None else (self._lock,),
            )
            print(self._child.pid, flush=True)
            return self._child

    def _follow_parent(self) -> None:
        # Not sys.stdin, whose lock this thread would still hold when the interpreter ends.
        while number := os.read(0, 32):
            self._restarts = int(number)
        with self._starting:
            self._stopping.set()
        if self._child:
            stop(self._child)


def stop(child: "subprocess.Popen[bytes]") -> None:
    child.terminate()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    lock = os.environ.pop("SUPERVISOR_LOCK", None)
    try:
        sys.exit(Supervisor(sys.argv[1:], int(lock) if lock else None).run())
    except OSError as problem:
        print(problem, file=sys.stderr)
        sys.exit(1)
