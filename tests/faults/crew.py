"""Many at once: threads that begin together, each with a connection of its own, in processes that share a database."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Barrier
from typing import Any

PROCESSES = 2
PIECES = 20  # of a work that is spread
LAG = 0.004  # seconds that one of a race may begin later: every order comes up
STUCK = 30.0  # seconds after which a race is a deadlock

Outcome = dict[str, Any] | str
"""What a command came to: its answer, or the code of its refusal. Anything else ends the test."""


class Crew:
    """`size` threads; `race` lets them begin at once."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self._pool = ThreadPoolExecutor(size)
        self._start = Barrier(size, timeout=STUCK)
        self._random = random.Random(seed)

    def race(self, *works: Callable[[], dict[str, Any]]) -> list[Outcome]:
        """One work for each thread; their outcomes in the same order."""
        late, lag = self._random.randrange(self.size), self._random.random() * LAG
        running = [self._pool.submit(self._run, work, lag if at == late else 0.0) for at, work in enumerate(works)]
        return [one.result(STUCK) for one in running]

    def _run(self, work: Callable[[], dict[str, Any]], lag: float) -> Outcome:
        from core.refusal import Refusal

        self._start.wait()
        time.sleep(lag)
        try:
            return work()
        except Refusal as refusal:
            return refusal.code

    def close(self) -> None:
        """Ends the threads and their connections."""
        for one in [self._pool.submit(self._last) for _ in range(self.size)]:
            one.result(STUCK)
        self._pool.shutdown()

    def _last(self) -> None:
        from django.db import connection

        self._start.wait()  # so that each thread takes one
        connection.close()


@contextmanager
def crew(size: int, seed: int) -> Iterator[Crew]:
    made = Crew(size, seed)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def processes(database: str) -> Iterator[Executor]:
    """Processes that work on the database of this name: what one of them does is really at the same time."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, spawn, initializer=_join, initargs=(database,)) as pool:
        yield pool


def spread(pool: Executor, work: Callable[[int, int], Any], total: int) -> list[Any]:
    """`work(first, count)` piece by piece, `total` altogether; what each piece came to. The first failure ends it."""
    each = total // PIECES
    running = [pool.submit(work, at * each, each) for at in range(PIECES)]
    try:
        return [one.result() for one in as_completed(running)]
    finally:
        for one in running:
            one.cancel()


def _join(database: str) -> None:
    import django
    from django.conf import settings

    from config import memory

    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    memory.settle()  # as in the house: a sixth of the time of a command
