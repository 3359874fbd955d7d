"""The one clock that all processes and hosts share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

_ahead = timedelta()


def database_now() -> datetime:
    """The time of the database, in UTC."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
        return found + _ahead


@contextmanager
def ahead(by: timedelta) -> Iterator[None]:
    """So much later in this process until the block ends. RuntimeError outside a test run."""
    if not settings.TESTING:
        raise RuntimeError("the clock can be set ahead in a test run only")
    global _ahead
    before, _ahead = _ahead, _ahead + by
    try:
        yield
    finally:
        _ahead = before
