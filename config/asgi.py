"""The one ASGI root of a web process: `/live/` as raw ASGI, everything else Django in threads.

Django behind its own ASGI handler serves a fifth of the pages, so it runs as WSGI in a2wsgi's threads. Whatever could
hold one of those threads up from outside, a slow sender or a slow reader, is dealt with here, in the event loop.
"""

from __future__ import annotations

import logging

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.db import connections
from django.urls import get_resolver

from config.body import BodyRefused, ClientGone, Receive, Scope, Send, read_body, refuse, replay, with_length
from config.live import PATH as LIVE
from config.live import Live
from config.memory import settle
from config.outbox import Outbox
from config.wsgi import application as django

log = logging.getLogger(__name__)


class Root:
    """The application. Its parts live from lifespan startup to shutdown."""

    def __init__(self) -> None:
        self.live = Live()
        self.pages = WSGIMiddleware(django, workers=settings.WEB_THREADS)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"].startswith(LIVE):
            await self.live(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def stop(self) -> None:
        """Ends the streams, which would otherwise hold a shutdown up. Safe to call twice."""
        await self.live.stop()

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(scope, receive)
        except ClientGone:
            return
        except BodyRefused as refused:
            await refuse(scope, receive, send, refused)
            return
        outbox = Outbox(send)
        try:
            await self.pages(with_length(scope, body), replay(body), outbox.put)  # type: ignore[arg-type]
            await outbox.flush()
        finally:
            outbox.drop()
            if body:
                body.close()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self.live.hub.start()
        get_resolver().url_patterns  # noqa: B018 - imports every view now and not in the first request
        settle()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        self.pages.executor.shutdown(wait=False, cancel_futures=True)
        connections["default"].close_pool()  # type: ignore[attr-defined]  # PostgreSQL's wrapper has it
        await send({"type": "lifespan.shutdown.complete"})


application = Root()
