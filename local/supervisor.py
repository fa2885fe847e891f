"""Runs a command until the parent process ends: `python supervisor.py COMMAND…`.

The parent holds standard input open; it closes when the parent closes it or is killed.
"""

import os
import subprocess
import sys
import threading


def main(command: list[str], lock: int | None) -> int:
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=() if lock is None else (lock,))
    except OSError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(child.pid, flush=True)
    threading.Thread(target=stop_with_parent, args=(child,), daemon=True).start()
    return child.wait()


def stop_with_parent(child: "subprocess.Popen[bytes]") -> None:
    sys.stdin.buffer.read()
    child.terminate()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    lock = os.environ.pop("SUPERVISOR_LOCK", None)
    sys.exit(main(sys.argv[1:], int(lock) if lock else None))
