"""`/live/`: the one stream of a page, as raw ASGI beside Django.

Django's checks do not reach here, so this door has its own: Host, Origin, Sec-Fetch-Site, limits per session and per
address. The viewer is made by the same function as everywhere (players.actor), in a small thread pool.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http.request import split_domain_port, validate_host

from config.body import Receive, Scope, Send, answer
from config.hub import Caller, Hub, Stream, Viewer
from core.live import HALL, PUBLIC, check_topic
from core.web.nul import NUL
from gameplay.services.ringing import rung_within
from players.actor import Actor, actor_from
from players.web.asking import on_this_machine

PATH = "/live/"
RUNG = 15.0  # seconds in which a bell rang "lately": longer than it takes to see that the bus is away
TopicsFor = Callable[[Actor], Iterable[str]]
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def contributors() -> list[TopicsFor]:
    """`topics_for(actor)` of every app that has one in its live.py: which topics his rights let him hear."""
    names = [f"{app.name}.live" for app in apps.get_app_configs()]
    modules = [import_module(name) for name in names if find_spec(name)]
    return [module.topics_for for module in modules if hasattr(module, "topics_for")]


class Live:
    """The ASGI application behind `/live/`, with its hub and its threads."""

    def __init__(self) -> None:
        self.hub = Hub(self._viewer, self._rung)
        self._threads = ThreadPoolExecutor(settings.LIVE_THREADS, thread_name_prefix="live")
        self._topics_for = contributors()
        self._opened = 0

    async def stop(self) -> None:
        """Ends all streams and the threads."""
        await self.hub.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != PATH:
            return await answer(send, 404, "Not found.\n")
        if scope["method"] != "GET":
            return await answer(send, 405, "Only GET.\n", [(b"allow", b"GET")])
        try:
            check_origin(scope)
        except DisallowedHost as refused:
            return await answer(send, 403, f"{refused}\n")
        address = (scope.get("client") or ("local",))[0]
        if not self.hub.enter(address):
            return await too_many(send)
        try:
            await self._serve(scope, receive, send)
        finally:
            self.hub.leave(address)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = caller_of(scope)
        stream = Stream(await self._viewer(caller), caller, send, asyncio.get_running_loop().time())
        try:
            # A few hundred pages that lost their server must not come back in the same instant.
            self._opened += 1
            retry = f"retry: {1000 + self._opened * 137 % 2000}\n\n".encode()
            if not (await self.hub.join(stream) and await stream.open(HEADERS, retry)):
                return await too_many(send)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.hub.part(stream)

    async def _viewer(self, caller: Caller) -> Viewer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(viewer_of, caller, self._topics_for))

    async def _rung(self) -> list[UUID]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, rung_lately)


def caller_of(scope: Scope) -> Caller:
    """Who opens a stream, as a page would take him."""
    return Caller(session_key(scope), on_this_machine(ASGIRequest(scope, BytesIO())))


def viewer_of(caller: Caller, topics_for: Iterable[TopicsFor]) -> Viewer:
    """The viewer behind a stream: everybody hears the public topics, the rest comes from his rights."""
    try:
        session = import_module(settings.SESSION_ENGINE).SessionStore(caller.session_key)
        actor = actor_from(session, near=caller.near)
        topics = {PUBLIC, HALL}.union(*(contribute(actor) for contribute in topics_for))
    finally:
        connections.close_all()  # back to the pool: this is no request, nobody else does it
    for topic in topics:
        check_topic(topic)
    return Viewer(actor, frozenset(topics))


def rung_lately() -> list[UUID]:
    """The matches whose bell rang a moment ago."""
    try:
        return rung_within(RUNG)
    finally:
        connections.close_all()


def session_key(scope: Scope) -> str | None:
    """The session cookie of the request, if it has one."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookies = SimpleCookie(value.decode("latin1"))
            except CookieError:
                continue
            if settings.SESSION_COOKIE_NAME in cookies:
                key = cookies[settings.SESSION_COOKIE_NAME].value
                return key if NUL not in key else None
    return None


def check_origin(scope: Scope) -> None:
    """Raises DisallowedHost unless a page of this very host asks (what a browser says about it is believed).

    EventSource sends no Origin to its own host, and no Sec-Fetch-Site on plain http in a hall: both are checked when
    they are there, the Host always.
    """
    headers = [(name, value.decode("latin1")) for name, value in scope["headers"]]
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) != 1 or not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        raise DisallowedHost("This host name is not ours.")
    own = f"{scope.get('scheme', 'http')}://{hosts[0]}".lower()
    if any(value.lower() != own for name, value in headers if name == b"origin"):
        raise DisallowedHost("A page of another origin may not listen.")
    if any(value != "same-origin" for name, value in headers if name == b"sec-fetch-site"):
        raise DisallowedHost("Only a page of this site may listen.")


async def too_many(send: Send) -> None:
    """Too many streams, or the house is closing: come back later."""
    await answer(send, 429, "Too many live streams.\n", [(b"retry-after", b"30")])
