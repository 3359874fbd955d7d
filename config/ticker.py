"""The ticker: `python -m config.ticker`. Ten times a second it looks whether the database clock still goes right.

Deadlines are compared with the database clock only. An embedded database has this machine's wall clock, which a person
or a time server can set; CLOCK_BOOTTIME cannot be set and goes on in sleep. When the two drift apart between two ticks
the wall clock was moved, and the log says by how much.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time

TICK = 0.1  # seconds
BEAT = 1.0  # seconds between two signs of life
JUMP = 0.5  # seconds; smaller differences are what time servers slew
RETURN = 0.5  # seconds until the next try when a server is away
# macOS has no CLOCK_BOOTTIME; its monotonic clock goes on in sleep.
BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

log = logging.getLogger("config.ticker")


class ClockGuard:
    """Compares two clocks from tick to tick."""

    def __init__(self) -> None:
        self._offset: float | None = None

    def jump(self, database: float, before: float, after: float) -> float | None:
        """Seconds the database clock was moved since the last tick, or None.

        `database` was read between `before` and `after` of the boot clock, all in seconds. A reading that took longer
        than half a jump says nothing and is passed over.
        """
        if after - before > JUMP / 2:
            return None
        offset = database - (before + after) / 2
        last, self._offset = self._offset, offset
        if last is None or abs(offset - last) <= JUMP:
            return None
        return offset - last


def run(stop: threading.Event) -> None:
    """Ticks until `stop` is set; a database or a Valkey that is away is waited for."""
    from django.db import Error, connection
    from redis import RedisError

    from core.heartbeat import beat

    # One thread, one connection: a pool would let it wait for a database that is away, and the heartbeat with it.
    connection.settings_dict["OPTIONS"].pop("pool", None)
    guard = ClockGuard()
    next_beat = 0.0
    away: set[str] = set()
    while not stop.wait(TICK):
        try:
            before = time.clock_gettime(BOOT_CLOCK)
            with connection.cursor() as cursor:
                cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
                row = cursor.fetchone()
            jump = guard.jump(row[0], before, time.clock_gettime(BOOT_CLOCK))
            if jump is not None:
                log.warning("the database clock was moved", extra={"seconds": f"{jump:+.3f}"})
            _back(away, "database")
        except Error as error:
            _gone(away, "database", error)
            connection.close()
            stop.wait(RETURN)
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
