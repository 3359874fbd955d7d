"""The second of the two that ring: the worker, which beat wakes every second. The other is the ticker (config.ticker).

It sends itself a task for every deadline that is near, so that bells ring in time although it looks only once a second.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from celery import shared_task
from django.db import Error
from kombu.exceptions import OperationalError as BrokerError

from gameplay.services.ringing import due_within
from gameplay.services.wall_time import Clocks, Guard, look, ring_now

HORIZON = 3.0  # seconds: two sweeps may fail before a deadline that was near is missed
LATE = 2.0  # seconds after which an armed task is of no use
EARLY = 0.1  # seconds that an armed task may come too early, and waits
BEHIND = 0.12  # seconds after the deadline: two that even look at one instant hinder each other; the ticker is first

_guard = Guard()
log = logging.getLogger(__name__)


@shared_task(name="gameplay.sweep")
def sweep() -> None:
    """Checks the clock, rings what is overdue, and arms a task for each deadline that is near."""
    _unless_away(_sweep)


@shared_task(name="gameplay.ring")
def ring() -> None:
    """Rings all that is due now: two hundred bells of one instant are rung by whichever of their tasks comes first."""
    _unless_away(_ring)


def _sweep() -> None:
    now = _guard.check().now
    near = {due_at for _, due_at in due_within(HORIZON)}
    if any(due_at <= now for due_at in near):
        ring_now()
    for due_at in near:
        # Counted from the time of the database: the clock of this host may be another.
        if (left := (due_at - now).total_seconds()) > 0:
            ring.apply_async(countdown=left + BEHIND, expires=left + BEHIND + LATE)


def _ring() -> None:
    left = look(Clocks()).until_next
    if left is not None and left <= EARLY:
        time.sleep(left + BEHIND if left > 0 else 0)
        ring_now()


def _unless_away(work: Callable[[], None]) -> None:
    """A server that is away, or a clock that is being set, costs one line and not a traceback each second."""
    try:
        work()
    except (Error, BrokerError) as error:
        log.warning("not rung", extra={"error": type(error).__name__})
