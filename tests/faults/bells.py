"""Bells for tests: hung directly into the rows of many tables, rung by real ringers, and a database clock that moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

LENGTH = 3600  # seconds of a match
_HANG = """
WITH bells AS (SELECT match, clock_timestamp() + make_interval(secs => seconds) AS due
               FROM unnest(%(matches)s::uuid[], %(seconds)s::float8[]) AS bell (match, seconds)),
     matches AS (UPDATE gameplay_match SET length = %(length)s FROM bells WHERE sheet_id = match),
     events AS (INSERT INTO gameplay_clockevent (match_id, number, kind, at, how, reason)
                SELECT match, 1, 'started', due - make_interval(secs => %(length)s), '', '' FROM bells)
INSERT INTO gameplay_due (kind, object, due_at) SELECT 'bell', match, due FROM bells RETURNING object, due_at
"""
_RUNG = """
SELECT object, due_at, count(event.id), min(event.at)
FROM gameplay_due LEFT JOIN gameplay_clockevent event ON event.match_id = object AND event.kind = 'rung'
WHERE object = ANY(%s::uuid[]) GROUP BY object, due_at
"""
# A clock of this database alone, which a test can set: the machine's own cannot be.
_MOVABLE = """
CREATE TABLE public.moved (seconds float8 NOT NULL);
INSERT INTO public.moved VALUES (0);
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM public.moved $$
"""
Execute = Callable[..., Any]


class Bell(NamedTuple):
    """A bell as its rows are: `due` None while it is held, `count` how often it rang, `at` when."""

    due: datetime | None
    count: int
    at: datetime | None

    @property
    def late(self) -> float:
        """Seconds, negative for one that rang early."""
        assert self.at is not None
        assert self.due is not None
        return (self.at - self.due).total_seconds()


def hang(execute: Execute, matches: Sequence[UUID], seconds: Sequence[float]) -> dict[UUID, datetime]:
    """Matches that began long ago and whose bells are due in so many seconds each; when that is."""
    told = {"matches": [str(match) for match in matches], "seconds": list(seconds), "length": LENGTH}
    return {match: due.astimezone(UTC) for match, due in execute(_HANG, told).fetchall()}


def bells(execute: Execute, matches: Sequence[UUID]) -> dict[UUID, Bell]:
    """The bells of these matches as they are now."""
    rows = execute(_RUNG, [[str(match) for match in matches]]).fetchall()
    # Two times of one zone are compared by what its clocks show, which goes back in a night of October.
    return {
        match: Bell(due and due.astimezone(UTC), count, at and at.astimezone(UTC)) for match, due, count, at in rows
    }


def make_movable(execute: Execute) -> None:
    """Gives the database a clock that `move` sets, for whoever has `public` before `pg_catalog` in his path."""
    for statement in _MOVABLE.split(";\n"):
        execute(statement)


def move(execute: Execute, seconds: float) -> None:
    """The clock of the database is set to this difference from the machine's."""
    execute("UPDATE public.moved SET seconds = %s", [seconds])


@contextmanager
def movable_here() -> Iterator[Execute]:
    """A movable clock in the running transaction of a test; what moves it."""
    from django.db import connection

    with connection.cursor() as cursor:

        def execute(statement: str, told: Any = None) -> Any:
            cursor.execute(statement, told)
            return cursor

        make_movable(execute)
        execute("SET LOCAL search_path = public, pg_catalog")
        yield execute
