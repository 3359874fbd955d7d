"""The hub: signals of the live bus, fanned out to the open streams of this web process.

One pattern subscription per process, whatever the number of streams. A stream is a bounded list of events and one
task that exists only while there is something to send.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from redis import RedisError
from redis.asyncio import Redis as AsyncRedis

from config.body import Send
from core.entropy import random_bytes
from core.live import CHANNEL, HALL, REVOKE, versions
from core.valkey import async_client
from players.actor import Actor

QUEUE = 32  # events waiting for one slow client; beyond that it is told to fetch everything again
KEEP_ALIVE = 15.0  # seconds between comments that keep proxies and phones from closing a silent stream
REREAD = 10.0  # seconds after which a lost publish is made good
RIGHTS = 60.0  # seconds after which the rights of a stream are read again
RIGHTS_RETRY = 5.0  # seconds until the next try when they could not be read
RIGHTS_LOST = 180.0  # seconds without having read them after which a stream closes
RETURN = 0.3  # seconds between two tries to reach the bus
SILENCE = 5.0  # seconds of a silent bus after which it is asked whether it lives
STOP = 1.0  # seconds a shutdown waits for the bus
BELLS = 0.5  # seconds between two looks for bells while the bus is away
PER_SESSION = 6
PER_ADDRESS = 20

RESYNC = b"event: resync\ndata: {}\n\n"
COMMENT = b":\n\n"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who listens, and the topics his rights give him."""

    actor: Actor
    topics: frozenset[str]


class Caller(NamedTuple):
    """Where a stream comes from: its session cookie, and whether from the machine that serves it."""

    session_key: str | None
    near: bool


class Stream:
    """One open page: a bounded list of events and the `send` of its connection."""

    __slots__ = ("_pump", "_send", "_waiting", "caller", "check_at", "closing", "opened", "rights_at", "viewer")

    def __init__(self, viewer: Viewer, caller: Caller, send: Send, now: float) -> None:
        self.viewer = viewer
        self.caller = caller
        self.opened = False
        self.closing = False
        self.rights_at = now
        self.check_at = now + RIGHTS
        self._send = send
        self._waiting: list[bytes] = []
        self._pump: asyncio.Task[None] | None = None

    async def open(self, headers: list[tuple[bytes, bytes]], first: bytes) -> bool:
        """Begins the response; False when the stream was closed before it began."""
        if self.closing:
            return False
        self.opened = True
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        self._waiting.insert(0, first)
        self._wake()
        return True

    def offer(self, event: bytes) -> None:
        """Queues one event. A client that does not keep up loses them all and gets one resync instead."""
        if self.closing:
            return
        if len(self._waiting) >= QUEUE:
            self._waiting = [RESYNC]
        else:
            self._waiting.append(event)
        self._wake()

    def keep_alive(self) -> None:
        """A comment, unless something is on its way already."""
        if not self._waiting:
            self.offer(COMMENT)

    def close(self) -> None:
        """Ends the response; what is still waiting is not sent any more."""
        if not self.closing:
            self.closing = True
            self._waiting = []
            self._wake()

    def abandon(self) -> None:
        """The connection is gone."""
        self.closing = True
        if self._pump:
            self._pump.cancel()

    def _wake(self) -> None:
        if self._pump is None and self.opened:
            self._pump = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._waiting:
            events, self._waiting = self._waiting, []
            await self._send({"type": "http.response.body", "body": b"".join(events), "more_body": True})
        if self.closing:
            await self._send({"type": "http.response.body", "body": b""})
        self._pump = None


class Hub:
    """All streams of a process. `start` and `stop` belong to the life of the event loop.

    `reread(caller)` gives the viewer behind a stream as he is now, `rung()` the matches whose bell rang lately: what
    must be heard without the bus, too. Neither blocks the event loop.
    """

    def __init__(
        self, reread: Callable[[Caller], Awaitable[Viewer]], rung: Callable[[], Awaitable[Iterable[UUID]]]
    ) -> None:
        self._reread = reread
        self._rung = rung
        self._streams: set[Stream] = set()
        self._by_topic: dict[str, set[Stream]] = {}
        self._addresses: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()
        self._seen: dict[str, int] = {}
        self._redis: AsyncRedis | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._listening = False
        self._stopping = False

    def start(self) -> None:
        """Begins to listen."""
        self._redis = async_client()
        for work in (self._listen, self._heal, self._breathe, self._watch_rights, self._ask_for_bells):
            self._tasks.append(asyncio.create_task(work()))

    async def stop(self) -> None:
        """Ends every stream and takes no new one. Safe to call twice."""
        self._stopping = True
        for stream in list(self._streams):
            stream.close()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            # Never for ever: a task that waits for a dead bus must not keep the process alive.
            await asyncio.wait(tasks, timeout=STOP)
        if self._redis:
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(STOP):
                    await self._redis.aclose()
            self._redis = None

    def __len__(self) -> int:
        return len(self._streams)

    def enter(self, address: str) -> bool:
        """Counts a stream of `address` from its first byte on; False when there are too many or we stop."""
        if self._stopping or self._addresses[address] >= PER_ADDRESS:
            return False
        self._addresses[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Undoes `enter`."""
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    async def join(self, stream: Stream) -> bool:
        """Adds a stream to its topics; False when its session has too many.

        Afterwards the versions of all its topics are known (unless the bus is away), so that nothing published from
        now on can be missed.
        """
        session = stream.viewer.actor.session
        if self._stopping or (session and self._sessions[session] >= PER_SESSION):
            return False
        if session:
            self._sessions[session] += 1
        self._streams.add(stream)
        for topic in stream.viewer.topics:
            self._by_topic.setdefault(topic, set()).add(stream)
        if new := [topic for topic in stream.viewer.topics if topic not in self._seen]:
            with suppress(RedisError, OSError):
                self._note(await self._versions(new), tell=False)
        return True

    def part(self, stream: Stream) -> None:
        """Undoes `join`, whatever it answered."""
        stream.abandon()
        if stream not in self._streams:
            return
        self._streams.discard(stream)
        for topic in stream.viewer.topics:
            listeners = self._by_topic[topic]
            listeners.discard(stream)
            if not listeners:
                del self._by_topic[topic]
                self._seen.pop(topic, None)
        if session := stream.viewer.actor.session:
            self._sessions[session] -= 1
            if not self._sessions[session]:
                del self._sessions[session]

    async def _versions(self, topics: list[str]) -> dict[str, int]:
        return await versions(self._redis, topics) if self._redis else {}

    def _note(self, found: dict[str, int], *, tell: bool) -> None:
        """Takes over versions; tells the listeners of those that differ from what was seen."""
        for topic, version in found.items():
            listeners = self._by_topic.get(topic)
            if listeners is None or self._seen.get(topic) == version:
                continue
            self._seen[topic] = version
            if tell:
                self._signal(topic, version)

    def _signal(self, topic: str, version: int) -> None:
        event = f"event: signal\ndata: {json.dumps({'topic': topic, 'version': version})}\n\n".encode()
        for stream in self._by_topic.get(topic, ()):
            stream.offer(event)

    async def _listen(self) -> None:
        """The one subscription. Whoever comes back to the bus must assume that he missed something."""
        connected_before = False
        while True:
            redis = async_client()
            try:
                async with redis.pubsub() as bus:
                    await bus.psubscribe(f"{CHANNEL}*")
                    if connected_before:
                        self._note(await self._versions(list(self._by_topic)), tell=False)
                        log.info("live bus is back", extra={"streams": len(self._streams)})
                        for stream in self._streams:
                            stream.offer(RESYNC)
                    connected_before = self._listening = True
                    await self._receive(bus)
            except Exception as error:  # whatever it is: a hub that does not listen is deaf for good
                log.warning("live bus lost", extra={"error": type(error).__name__})
            finally:
                self._listening = False
                with suppress(RedisError, OSError):
                    await redis.aclose()
            await asyncio.sleep(RETURN)

    async def _receive(self, bus: object) -> None:
        """Reads until the connection fails; a silent one is asked for a sign of life."""
        asked = False
        while True:
            message = await bus.get_message(timeout=SILENCE)  # type: ignore[attr-defined]
            if message is None:
                if asked:
                    raise OSError("the bus does not answer")
                await bus.ping()  # type: ignore[attr-defined]
                asked = True
                continue
            asked = False
            if message["type"] != "pmessage":
                continue
            said = json.loads(message["data"])
            if message["channel"] == f"{CHANNEL}{REVOKE}":
                self._revoke(said)
            else:
                self._note(dict(said), tell=True)

    def _revoke(self, whom: dict[str, str]) -> None:
        session = whom.get("session")
        person = UUID(whom["person"]) if "person" in whom else None
        for stream in list(self._streams):
            actor = stream.viewer.actor
            if (session and actor.session == session) or (person and actor.person == person):
                stream.close()

    async def _heal(self) -> None:
        """A publish that was lost on its way still changed the version. After a lost bus comes a resync instead."""
        while True:
            await asyncio.sleep(REREAD)
            with suppress(RedisError, OSError, ValueError):
                found = await self._versions(list(self._by_topic)) if self._listening else {}
                self._note(found, tell=self._listening)

    async def _ask_for_bells(self) -> None:
        """While the bus is away the database is asked which bells rang: one query for all streams of this process."""
        told: set[UUID] = set()
        while True:
            await asyncio.sleep(BELLS)
            if self._listening or not self._streams:
                told.clear()
                continue
            try:
                rung = set(await self._rung())
            except Exception as error:  # whatever a database raises: the next look finds the bell
                log.warning("bells not read", extra={"error": type(error).__name__})
                continue
            new, told = rung - told, rung
            for topic in [*(f"sheet:{match}" for match in new), *([HALL] if new else [])]:
                # No version of the bus is negative: whatever it says when it is back differs from this.
                self._signal(topic, -1 - int.from_bytes(random_bytes(6)))

    async def _breathe(self) -> None:
        while True:
            await asyncio.sleep(KEEP_ALIVE)
            for stream in self._streams:
                stream.keep_alive()

    async def _watch_rights(self) -> None:
        """Rights are read again now and then; a stream whose viewer changed closes and comes back with new ones."""
        now = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(1)
            for stream in [stream for stream in self._streams if stream.check_at <= now() and not stream.closing]:
                try:
                    viewer = await self._reread(stream.caller)
                except Exception as error:  # whatever a database or an app raises: rights are unknown now
                    log.warning("rights not read", extra={"error": type(error).__name__})
                    stream.check_at = now() + RIGHTS_RETRY
                    if now() - stream.rights_at > RIGHTS_LOST:
                        stream.close()
                    continue
                stream.rights_at, stream.check_at = now(), now() + RIGHTS
                if viewer != stream.viewer:
                    stream.close()
