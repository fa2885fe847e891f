"""Runs a command while its parent lives: `python leash.py COMMAND…`, with standard input held open by the parent."""

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
    threading.Thread(target=end_with_parent, args=(child,), daemon=True).start()
    return child.wait()


def end_with_parent(child: "subprocess.Popen[bytes]") -> None:
    """The pipe ends when the parent closes it, and when the parent is killed."""
    sys.stdin.buffer.read()
    child.terminate()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    lock = os.environ.pop("LEASH_LOCK", None)
    sys.exit(main(sys.argv[1:], int(lock) if lock else None))
