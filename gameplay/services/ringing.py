"""What is due is done: from two ringers at once, never twice, never before its time, and told afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

from core.clock import database_now
from core.live import publish
from gameplay.models import ClockEvent, Due, Match, Outage
from gameplay.queries.clock import clocks_of
from gameplay.services.telling import topics_of
from players.actor import SYSTEM
from players.services import house_scope, lock_scopes, write_audit

CLOCK_SET = "clock_set"
"""How a bell was moved that followed the wall clock; a credit has a reason instead."""

# Whoever holds a bell is about to write beside it, or rings it: the next look, a moment later, finds it again.
_LOCK = """
SELECT id, object FROM gameplay_due
WHERE kind = 'bell' AND done_at IS NULL AND due_at <= %(now)s
ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
"""
# A statement of its own, so that it sees what those wrote whose locks were waited for: the hands on the sheet, and
# one that waits there for a second person.
_WRITE = """
INSERT INTO gameplay_clockevent (match_id, number, kind, at, hand, how, reason)
SELECT match, 1 + coalesce((SELECT max(number) FROM gameplay_clockevent event WHERE event.match_id = match), 0),
       'rung', %(now)s,
       (SELECT count(*) FROM scoring_entry entry WHERE entry.sheet_id = match AND entry.replaces_id IS NULL
        AND entry.kind NOT IN ('award', 'totals'))
       + (SELECT count(*) FROM scoring_proposal proposal WHERE proposal.sheet_id = match
          AND proposal.state = 'pending' AND proposal.hand IS NOT NULL),
       '', ''
FROM unnest(%(matches)s::uuid[]) AS match
"""
_DONE = "UPDATE gameplay_due SET done_at = %(now)s WHERE id = ANY(%(dues)s)"


def ring_due(now: datetime) -> list[UUID]:
    """Rings every bell that is due at `now`, a time that was checked (wall_time); the matches whose bell rang.

    Three statements for any number. Safe to run twice and from anywhere: each bell rings once.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK, {"now": now})
        found = cursor.fetchall()
        if not found:
            return []
        dues, matches = ([row[0] for row in found], [row[1] for row in found])
        cursor.execute(_WRITE, {"now": now, "matches": matches})
        cursor.execute(_DONE, {"now": now, "dues": dues})
        publish(*topics_of(matches))
        return matches


def due_within(seconds: float) -> list[tuple[int, datetime]]:
    """Bells that ring in this time or are overdue: number and time, the earliest first. One query."""
    soon = database_now() + timedelta(seconds=seconds)
    near = Due.objects.filter(done_at=None, due_at__lte=soon).order_by("due_at")
    return [(due.pk, due.due_at) for due in near if due.due_at is not None]


def rung_within(seconds: float) -> list[UUID]:
    """The matches whose bell rang in this time. One query."""
    since = database_now() - timedelta(seconds=seconds)
    return list(Due.objects.filter(kind=Due.Kind.BELL, done_at__gte=since).values_list("object", flat=True))


def tell_again(matches: Iterable[UUID]) -> None:
    """Publishes once more that these bells rang: pages know a bell that they have shown."""
    publish(*topics_of(list(matches)))


def shift_running(by: timedelta) -> int:
    """The clock of the database was set by this: every running bell moves with it; how many. Inside a transaction.

    Written down beside each match and in the audit trail of the house.
    """
    scope = lock_scopes(house_scope().pk)[house_scope().pk]
    running = list(Due.objects.select_for_update(no_key=True).filter(done_at=None, due_at__isnull=False).order_by("pk"))
    micros = round(by / timedelta(microseconds=1))
    now = database_now()
    numbers = _last_numbers([due.object for due in running])
    ClockEvent.objects.bulk_create(
        ClockEvent(
            match_id=due.object,
            number=numbers.get(due.object, 0) + 1,
            kind=ClockEvent.Kind.MOVED,
            at=now,
            micros=micros,
            how=CLOCK_SET,
        )
        for due in running
    )
    for due in running:
        assert due.due_at is not None  # only running ones were asked for
        due.due_at += by
    Due.objects.bulk_update(running, ["due_at"])
    write_audit(scope, SYSTEM, "clock_set", {"micros": micros, "matches": sorted(str(due.object) for due in running)})
    return len(running)


def _last_numbers(matches: list[UUID]) -> dict[UUID, int]:
    rows = ClockEvent.objects.filter(match__in=matches).order_by("match", "number").values_list("match", "number")
    return dict(rows)


def note_outage(began: datetime, ended: datetime, cause: str) -> int:
    """Nobody watched from `began` to `ended`: a line for each match that was played then, since it was; how many."""
    running = [
        match
        for match, clock in clocks_of(Match.objects.filter(pk__in=_ran(began))).items()
        if clock is not None and clock[0].interrupted is None and not clock[0].suspended
    ]
    since = _played_since(running)
    made = Outage.objects.bulk_create(
        (
            Outage(match_id=match, cause=cause, began_at=max(began, since[match]), ended_at=ended)
            for match in running
            if since[match] < ended
        ),
        ignore_conflicts=True,
    )
    publish(*topics_of(running))
    return len(made)


def _played_since(matches: list[UUID]) -> dict[UUID, datetime]:
    """When each of these was started or resumed last, on the scale that a clock has that was set since."""
    since: dict[UUID, datetime] = {}
    kinds = [ClockEvent.Kind.STARTED, ClockEvent.Kind.RESUMED, ClockEvent.Kind.MOVED]
    for row in ClockEvent.objects.filter(match__in=matches, kind__in=kinds).order_by("match", "number"):
        if row.kind != ClockEvent.Kind.MOVED:
            since[row.match_id] = row.at
        elif row.how == CLOCK_SET and row.match_id in since:
            since[row.match_id] += timedelta(microseconds=row.micros or 0)
    return since


def _ran(began: datetime) -> list[UUID]:
    """Matches whose bell was hanging when the stop began: it hangs still, or rang since."""
    hanging = Due.objects.filter(kind=Due.Kind.BELL, due_at__isnull=False, due_at__gt=began)
    return [due.object for due in hanging if due.done_at is None or due.done_at >= began]
