"""Request bodies are read here, by the event loop, before a request may take one of the few page threads.

A thread that waits for a slow sender serves nobody else: eight slow POSTs would stop every page. So the root reads the
whole body first, with a limit per route and a least speed, and spools what is large.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import IO, Any

from django.core.handlers.asgi import ASGIRequest
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext as _

from core.web.body import DEFAULT_LIMIT

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATIENCE = 10.0  # seconds a body may take ...
LEAST_SPEED = 64 * 1024  # ... and one more for each so many bytes that have come
IN_MEMORY = 64 * 1024  # bytes; more goes to a temporary file
CHUNK = 64 * 1024
LINGER = 5.0  # seconds a refused sender may go on before the connection closes
LINGER_BYTES = 16 * 1024 * 1024


class BodyRefused(Exception):
    """The body is not accepted: the status says why (413 too large, 408 too slow); `more` of it may come."""

    def __init__(self, status: int, limit: int, *, more: bool = True) -> None:
        super().__init__(status)
        self.status = status
        self.limit = limit
        self.more = more


class ClientGone(Exception):
    """The client hung up before its body was complete: nobody waits for an answer."""


def limit_for(path: str) -> int:
    """Bytes the view behind `path` accepts (core.web.body)."""
    try:
        return getattr(resolve(path).func, "body_limit", DEFAULT_LIMIT)
    except Resolver404:
        return DEFAULT_LIMIT


async def read_body(scope: Scope, receive: Receive) -> IO[bytes] | None:
    """The whole body, at its beginning, or None for a request without one. Raises BodyRefused or ClientGone."""
    headers = dict(scope["headers"])
    announced = headers.get(b"content-length", b"")
    if announced in (b"", b"0") and b"transfer-encoding" not in headers:
        return None
    limit = limit_for(scope["path"])
    if announced and int(announced) > limit:
        raise BodyRefused(413, limit)
    body = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by whoever gets it
    began = asyncio.get_running_loop().time()
    size, more = 0, True
    try:
        while more:
            async with asyncio.timeout_at(began + PATIENCE + size / LEAST_SPEED):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
            if size > limit:
                raise BodyRefused(413, limit, more=more)
            body.write(message.get("body", b""))
    except BaseException as error:
        body.close()
        if isinstance(error, TimeoutError):
            raise BodyRefused(408, limit) from None
        raise
    body.seek(0)
    return body


def with_length(scope: Scope, body: IO[bytes] | None) -> Scope:
    """The request as its view shall see it: the length is that of the body we hold, however it was announced.

    Headers with an underscore are dropped: in WSGI they cannot be told from those with a dash.
    """
    size = body.seek(0, 2) if body else 0
    if body:
        body.seek(0)
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"content-length", b"transfer-encoding") and b"_" not in name
    ]
    if body:
        headers.append((b"content-length", str(size).encode()))
    return {**scope, "headers": headers}


def replay(body: IO[bytes] | None) -> Receive:
    """A `receive` that gives the body we hold, from memory or disk, without waiting."""

    async def receive() -> Message:
        chunk = body.read(CHUNK) if body else b""
        return {"type": "http.request", "body": chunk, "more_body": len(chunk) == CHUNK}

    return receive


async def refuse(scope: Scope, receive: Receive, send: Send, refused: BodyRefused) -> None:
    """Answers 413 or 408 with one sentence in the reader's language, and closes the connection.

    A browser reads an answer only when it has sent everything, and a connection that closes on unread bytes is reset:
    what still comes is thrown away for a while first.
    """
    request = ASGIRequest(scope, BytesIO())
    with translation.override(translation.get_language_from_request(request)):
        if refused.status == 413:
            text = _("This is too large: at most %(limit)s KiB are accepted here.") % {"limit": refused.limit // 1024}
        else:
            text = _("The request came too slowly. Please try again.")
    await answer(send, refused.status, text, [(b"connection", b"close")], last=False)
    thrown, more = 0, refused.more
    try:
        async with asyncio.timeout(LINGER):
            while more and thrown < LINGER_BYTES:
                message = await receive()
                thrown += len(message.get("body", b""))
                more = message.get("more_body", False)
    except TimeoutError:
        pass
    await send({"type": "http.response.body", "body": b""})


async def answer(
    send: Send,
    status: int,
    text: str,
    headers: list[tuple[bytes, bytes]] | None = None,
    *,
    last: bool = True,
) -> None:
    """A plain-text response; unless `last`, the caller ends it."""
    body = text.encode()
    own = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": own + (headers or [])})
    await send({"type": "http.response.body", "body": body, "more_body": not last})
