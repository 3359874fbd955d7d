"""Web processes that need no start: `python -m tests.faults.nursery FD`, where FD is the socket that they listen on.

Everything is imported once, and each of them is a fork of that, as `config.web` is after its imports: nothing is
connected, no thread runs. Line by line: "serve" answers with the process id of the next, "kill" with how it ended.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module

import django
from django.conf import settings
from django.urls import get_resolver

from config import web


def main(listening: str) -> None:
    django.setup()
    import_module(settings.ROOT_URLCONF)
    get_resolver().url_patterns  # noqa: B018 - imports every view
    import_module("config.live")
    serving = 0
    for order in sys.stdin:
        if order == "serve\n":
            serving = os.fork()
            if not serving:
                os._exit(web.main(["--fd", listening]))
            print(serving, flush=True)
        else:
            print(ended(serving, signal.SIGKILL), flush=True)
    ended(serving, signal.SIGTERM)  # whoever asked is done, or dead


def ended(pid: int, sent: signal.Signals) -> int:
    os.kill(pid, sent)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    main(sys.argv[1])
