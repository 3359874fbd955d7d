"""The way out: a page thread hands its answer over and is free, however slowly the client reads it."""

from __future__ import annotations

import asyncio
from collections import deque

from config.body import Message, Send

HELD = 8 * 1024 * 1024  # bytes of one answer held for a slow reader; the thread waits only beyond that
PATIENCE = 30.0  # seconds without any progress after which a reader is given up


class Outbox:
    """Stands between a page thread's sender and the connection: `put` is its `send`, `flush` ends it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[Message] = deque()
        self._held = 0
        self._more = asyncio.Event()  # something to send, or the end
        self._room = asyncio.Event()  # less than HELD bytes are waiting, or nobody reads any more
        self._room.set()
        self._ended = False
        self._pump = asyncio.create_task(self._run())

    async def put(self, message: Message) -> None:
        """Takes one message; waits only while `HELD` bytes are before it."""
        await self._room.wait()
        if self._pump.done():
            return  # given up: the rest of the answer goes nowhere
        self._waiting.append(message)
        self._held += len(message.get("body", b""))
        if self._held >= HELD:
            self._room.clear()
        self._more.set()

    async def flush(self) -> None:
        """Returns when everything is with the connection, or the reader was given up."""
        self._ended = True
        self._more.set()
        await self._pump

    def drop(self) -> None:
        """Forgets what is left, after an error."""
        self._pump.cancel()

    async def _run(self) -> None:
        try:
            while True:
                while self._waiting:
                    message = self._waiting.popleft()
                    async with asyncio.timeout(PATIENCE):
                        await self._send(message)
                    self._held -= len(message.get("body", b""))
                    if self._held < HELD:
                        self._room.set()
                if self._ended:
                    return
                self._more.clear()
                await self._more.wait()
        except TimeoutError:
            pass
        finally:
            self._room.set()
