"""The ticker: `python -m config.ticker`, one of the two that ring. The other is the worker (gameplay.tasks).

Ten times a second, and at the very moment of the next bell, it checks the clock of the database and rings what is due.
It needs no Valkey to ring; where there is one it also tells again what another rang, in case that was never told.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from gameplay.services.wall_time import Guard

TICK = 0.1  # seconds between two looks
AGAIN = 0.01  # seconds until the next look while something is due or about to be
BEAT = 1.0  # seconds between two signs of life
RETURN = 0.1  # seconds until the next try when the database is away
TELL = 0.2  # seconds between two looks for what was rung by others
RUNG = 5.0  # seconds in which a bell that was not told is told again

log = logging.getLogger("config.ticker")


class Ringer:
    """Rings, and remembers which bells it has told."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self._told: set[UUID] = set()
        self._tell_at = 0.0

    def tick(self) -> float:
        """Checks, rings and tells; the seconds until the next look."""
        from gameplay.services.wall_time import ring_now

        next_bell = self.guard.check().until_next
        if next_bell is not None and next_bell <= 0:
            self._told.update(ring_now())
            return AGAIN
        if time.monotonic() >= self._tell_at:
            self._tell_at = time.monotonic() + TELL
            self._tell_what_others_rang()
        return TICK if next_bell is None else min(TICK, max(AGAIN / 10, next_bell))

    def _tell_what_others_rang(self) -> None:
        """Whoever rang may have died before he told it. Not "newer than the last": a commit can come late."""
        from gameplay.services.ringing import rung_within, tell_again

        rung = set(rung_within(RUNG))
        if untold := rung - self._told:
            tell_again(untold)
        self._told = rung


def run(stop: threading.Event) -> None:
    """Ticks until `stop` is set; a database or a Valkey that is away is waited for."""
    from django.db import Error, connection
    from redis import RedisError

    from core.heartbeat import beat
    from gameplay.services.wall_time import ClockMoves, Guard

    # One thread, one connection: a pool would let it wait for a database that is away, and the heartbeat with it.
    connection.settings_dict["OPTIONS"].pop("pool", None)
    ringer = Ringer(Guard())
    next_beat = 0.0
    away: set[str] = set()
    pause = 0.0
    while not stop.wait(pause):
        try:
            pause = ringer.tick()
            _back(away, "database")
        except ClockMoves:
            pause = AGAIN
        except Error as error:
            _gone(away, "database", error)
            connection.close()
            pause = RETURN
        if time.monotonic() >= next_beat:
            next_beat = time.monotonic() + BEAT
            try:
                beat("ticker")
                _back(away, "valkey")
            except RedisError as error:
                _gone(away, "valkey", error)
    connection.close()


def _gone(away: set[str], server: str, error: Exception) -> None:
    if server not in away:
        away.add(server)
        log.warning("server away", extra={"server": server, "error": type(error).__name__})


def _back(away: set[str], server: str) -> None:
    if server in away:
        away.discard(server)
        log.info("server back", extra={"server": server})


def main() -> int:
    """Runs until SIGTERM or SIGINT."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    run(stop)
    return 0


if __name__ == "__main__":
    sys.exit(main())
