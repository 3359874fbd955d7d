"""The audit trail: rows that each carry the hash of the one before, so that none can be changed or taken out unseen.

The number and the hash of the last row are kept by the owner of the scope (see players.models.Scope), so that a trail
cut off at its end is found too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from core.canonical import digest
from core.models import AuditRow

START = "0" * 64


class Head(NamedTuple):
    """Number and hash of the last row of a trail; 0 and `START` for an empty one."""

    number: int
    hash: str


def hash_of(row: AuditRow) -> str:
    """SHA-256 of everything the row says, the hash of the one before included."""
    return digest(
        [str(row.scope), row.number, row.at.isoformat(), row.actor, row.verb, row.payload, row.previous],
    )


def append(scope: UUID, head: Head, *, at: datetime, actor: str, verb: str, payload: dict[str, Any]) -> Head:
    """One more row after `head`, which the caller has locked; the new head, which he must keep."""
    row = AuditRow(
        scope=scope, number=head.number + 1, at=at, actor=actor, verb=verb, payload=payload, previous=head.hash
    )
    row.hash = hash_of(row)
    row.save(force_insert=True)
    return Head(row.number, row.hash)


def first_fault(rows: Iterable[AuditRow], head: Head) -> int | None:
    """The number of the first row (in order, from 1) that is not as it was written; None for a sound trail."""
    last = Head(0, START)
    for row in rows:
        if row.number != last.number + 1 or row.previous != last.hash or row.hash != hash_of(row):
            return last.number + 1
        last = Head(row.number, row.hash)
    return None if last == head else min(last.number, head.number) + 1
