"""Runs a module that ends when its supervisor ends: `python -m config.lifeline MODULE ARGUMENTS`.

The supervisor holds the other end of standard input. When it dies, however it dies, the line closes, and the whole
process group of this child goes too. While anything of the group lives it holds a shared lock, by which the next
supervisor knows that it is alone. Portable, and without a file of process ids that could lie.
"""

from __future__ import annotations

import fcntl
import os
import runpy
import signal
import sys
import threading
import time

LOCK = "GINGODROME_CHILDREN"
GRACE_SECONDS = 5.0


def main() -> None:
    # Never closed: it is inherited by what this process forks, and given back with the last of them.
    fcntl.flock(os.open(os.environ[LOCK], os.O_RDONLY), fcntl.LOCK_SH)
    threading.Thread(target=_watch, name="lifeline", daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _watch() -> None:
    while os.read(0, 64):
        pass
    os.killpg(0, signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
