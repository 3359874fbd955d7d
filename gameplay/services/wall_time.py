"""The guard of the wall clock: bells keep their true time although the clock of the database is set.

Deadlines are times of the database. An embedded database has this machine's wall clock, which a person or a time
server can set; the boot clock cannot be set and goes on in sleep. What lies between the two (`offset`) is kept in one
row. When it is suddenly another, the wall clock was set: every running deadline moves with it, once, and until then
time is told by the boot clock and the offset that was kept, so that nothing is early or late in between. A database
on servers of its own is trusted (CLOCK_GUARD).
"""

from __future__ import annotations

import logging
import subprocess
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, connection, transaction

from core.clock import database_now
from gameplay.models import ClockCheck
from gameplay.services.ringing import note_outage, ring_due, shift_running

JUMP = 0.5  # seconds; smaller differences are what time servers slew
EVERY = 1.0  # seconds between two checks that are kept
GAP = 10.0  # seconds without a check after which nobody watched
SLOW = 0.25  # seconds; a reading that takes longer tells nothing exact
TRIES = 5  # readings, the quickest of which says how far the clock was set
_LOCK = 0x42656C6C  # whoever uses the time holds it together with others, whoever moves deadlines alone

# Linux; elsewhere (macOS) the monotonic clock goes on in sleep, and another one does not.
BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
AWAKE_CLOCK = getattr(time, "CLOCK_UPTIME_RAW", time.CLOCK_MONOTONIC)

_LOOK = """
SELECT clock_timestamp(), boot, "offset", at, alive_at,
       (SELECT min(due_at) FROM gameplay_due WHERE done_at IS NULL)
FROM (VALUES (1)) AS one (id) LEFT JOIN gameplay_clockcheck USING (id)
"""
_KEEP = """
INSERT INTO gameplay_clockcheck (id, boot, "offset", at, alive_at) VALUES (1, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE
SET boot = excluded.boot, "offset" = excluded."offset", at = excluded.at, alive_at = excluded.alive_at
WHERE gameplay_clockcheck.boot = %s AND gameplay_clockcheck.at = %s
"""
log = logging.getLogger(__name__)


class ClockMoves(OperationalError):
    """Deadlines are being moved in this very moment: nobody may use the time. Try again."""


class Clocks:
    """The clocks of this machine that nobody can set, in seconds. Tests have clocks of their own."""

    def boot(self) -> float:
        """Since the machine started, sleep included."""
        return time.clock_gettime(BOOT_CLOCK)

    def asleep(self) -> float:
        """How much of this it slept."""
        return time.clock_gettime(BOOT_CLOCK) - time.clock_gettime(AWAKE_CLOCK)

    def boot_id(self) -> str:
        """Which start of which machine."""
        return _boot_id()


class Kept(NamedTuple):
    """The row of the last check, see ClockCheck."""

    boot: str
    offset: float
    at: float
    alive_at: datetime


class Look(NamedTuple):
    """One reading: the database was asked between `before` and `after` of the boot clock.

    `kept`: the last check, None before the first. `next_due`: the earliest deadline, None where no clock runs.
    """

    database: datetime
    before: float
    after: float
    boot: str
    kept: Kept | None
    next_due: datetime | None

    @property
    def offset(self) -> float:
        """Seconds from the boot clock to the database clock, as good as this reading is."""
        return self.database.timestamp() - (self.before + self.after) / 2

    @property
    def took(self) -> float:
        """Seconds that the reading took."""
        return self.after - self.before

    @property
    def comparable(self) -> bool:
        """Is there a check of this very start of this machine?"""
        kept = self.kept
        return settings.CLOCK_GUARD and kept is not None and kept.boot == self.boot and kept.at <= self.after

    @property
    def moved(self) -> float:
        """Seconds by which the database clock was set since the last check; 0 where it cannot be told or is slewed."""
        if self.kept is None or not self.comparable:
            return 0.0
        # However slow the reading was: the offset lies between what its end and what its beginning say.
        least, most = self.database.timestamp() - self.after, self.database.timestamp() - self.before
        if least - JUMP <= self.kept.offset <= most + JUMP:
            return 0.0
        return self.offset - self.kept.offset

    @property
    def now(self) -> datetime:
        """The time on the scale of the deadlines, which still is that of the last check."""
        if self.kept is None or not self.comparable:
            return self.database
        if self.moved:
            return datetime.fromtimestamp(self.before + self.kept.offset, UTC)
        return min(self.database, datetime.fromtimestamp(self.before + self.kept.offset + JUMP, UTC))

    @property
    def unwatched(self) -> float:
        """Seconds since the last check."""
        if self.kept is None:
            return 0.0
        if self.comparable:
            return self.after - self.kept.at
        return (self.database - self.kept.alive_at).total_seconds()

    @property
    def until_next(self) -> float | None:
        """Seconds until the next bell, negative for one that is overdue; None where no clock runs."""
        return None if self.next_due is None else (self.next_due - self.now).total_seconds()


def look(clocks: Clocks) -> Look:
    """Reads all clocks. One query."""
    with connection.cursor() as cursor:
        before = clocks.boot()
        cursor.execute(_LOOK)
        after = clocks.boot()
        database, boot, offset, at, alive_at, next_due = cursor.fetchone()
    kept = None if boot is None else Kept(boot, offset, at, alive_at)
    return Look(database, before, after, clocks.boot_id(), kept, next_due)


def trusted_now(clocks: Clocks | None = None) -> datetime:
    """The time by which deadlines are made and kept, good until the end of the transaction that it is asked in.

    Raises ClockMoves. Two queries, on servers of their own one.
    """
    if not settings.CLOCK_GUARD:
        return database_now()
    with connection.cursor() as cursor:
        # Never waited for: who moves deadlines waits for bells that the caller may hold.
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [_LOCK])
        if not cursor.fetchone()[0]:
            raise ClockMoves("the clock is being set")
    return look(clocks or Clocks()).now


def ring_now(clocks: Clocks | None = None) -> list[UUID]:
    """Rings what is due, by a time that nobody can have set; the matches whose bell rang. Raises ClockMoves."""
    with transaction.atomic():
        return ring_due(trusted_now(clocks))


class Guard:
    """What one process that watches over the clock remembers: when it looked last. `check` before every ring."""

    def __init__(self, clocks: Clocks | None = None) -> None:
        self.clocks = clocks or Clocks()
        self._asleep = self.clocks.asleep()

    def check(self) -> Look:
        """Compares the clocks, moves deadlines where the wall clock was set, notes a time in which nobody watched.

        The look is of afterwards: its time and its next bell can be trusted.
        """
        seen = look(self.clocks)
        before, self._asleep = self._asleep, self.clocks.asleep()
        cause = "sleep" if self._asleep - before > GAP else "stop"
        if seen.moved:
            self._follow(cause)
            return look(self.clocks)
        unlike = settings.CLOCK_GUARD and not seen.comparable
        if seen.kept is None or unlike or not 0 <= seen.unwatched < EVERY:
            self._keep(seen, cause)
        return seen

    @transaction.atomic
    def _follow(self, cause: str) -> None:
        """Moves the deadlines by what the wall clock was set, unless another process has done it by now."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        ClockCheck.objects.select_for_update().filter(pk=1).first()
        seen = min((look(self.clocks) for _ in range(TRIES)), key=lambda one: one.took)
        if seen.moved and seen.took <= SLOW:
            count = shift_running(timedelta(seconds=seen.moved))
            log.warning("the database clock was set", extra={"bells": count, "seconds": f"{seen.moved:+.3f}"})
            self._keep(seen, cause)

    @transaction.atomic
    def _keep(self, seen: Look, cause: str) -> None:
        """Keeps a check, unless another process kept one since; whoever comes first notes what nobody watched."""
        kept = seen.kept
        offset = seen.offset
        if seen.took > SLOW:
            if kept is None or not seen.comparable:
                return
            offset = kept.offset  # somebody lives, that much is sure
        with connection.cursor() as cursor:
            if not seen.moved and seen.unwatched <= GAP:
                # No disk has to turn every second for a row that only tells that somebody lived.
                cursor.execute("SET LOCAL synchronous_commit TO off")
            expected = (kept.boot, kept.at) if kept else ("", 0.0)
            cursor.execute(_KEEP, (seen.boot, offset, seen.after, seen.database, *expected))
            first = cursor.rowcount == 1
        if first and kept and seen.unwatched > GAP:
            began = seen.database - timedelta(seconds=seen.unwatched)
            count = note_outage(began, seen.database, cause)
            log.warning("nobody watched", extra={"cause": cause, "seconds": f"{seen.unwatched:.0f}", "matches": count})


@lru_cache(maxsize=1)
def _boot_id() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    told = ""
    with suppress(OSError):
        words = ["sysctl", "-n", "kern.bootsessionuuid"]
        told = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return told or "unknown"
