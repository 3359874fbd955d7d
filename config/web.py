"""The web process: `python -m config.web --port 8000`. The one place with uvicorn's options."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import django
import uvicorn
from django.conf import settings

from config import house

if TYPE_CHECKING:
    from config.asgi import Root

SHUTDOWN = 3  # seconds for pages that are being served
GATE = "GINGODROME_GATE"  # a file whose lock is held until the house is prepared: nothing is served before
SWITCH = 0.0005  # seconds a busy thread keeps the interpreter from the event loop


class Server(uvicorn.Server):
    """Ends the live streams first: they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, root: Root) -> None:
        super().__init__(config)
        self._root = root

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._root.stop()
        await super().shutdown(sockets)


def main(arguments: list[str] | None = None) -> int:
    """Serves until SIGTERM or SIGINT. 0, or 1 when it could not start."""
    parser = argparse.ArgumentParser(prog="python -m config.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--fd", type=int, help="a listening socket that was inherited, instead of host and port")
    given = parser.parse_args(arguments)

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.setswitchinterval(SWITCH)
    _warm_up()
    if gate := os.environ.get(GATE):
        with house.locked(Path(gate)):
            pass
    from config.asgi import application

    config = uvicorn.Config(
        application,
        host=given.host,
        port=given.port,
        fd=given.fd,
        lifespan="on",
        ws="none",
        log_config=None,  # Django's settings have set the logs up
        access_log=False,
        # A date beside a hidden clock is a clock: no page and no stream carries one.
        date_header=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN,
        backlog=2048,
    )
    server = Server(config, application)
    server.run()
    return 0 if server.started else 1


def _warm_up() -> None:
    """Import what takes long and needs neither a database in its present shape nor the static files."""
    django.setup()
    import_module(settings.ROOT_URLCONF)


if __name__ == "__main__":
    sys.exit(main())
