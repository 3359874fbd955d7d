"""Rulings, appeals and calls as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from core.clock import database_now
from scoring.models import Appeal, RefereeCall, Ruling


@dataclass(frozen=True)
class RulingView:
    """A ruling as its page and the case book show it. `line` (from 1) and `entry` (from 0) of the sheet, None if it
    wrote nothing there; `claim`: number of the claim that it answers; `revokes`, `revoked_by`: ids of rulings.

    `appeal`: id of the appeal against it, `appeal_state` is open, upheld, rejected, or lapsed where the council let
    the deadline pass; `days`: whole days that the council has left, 0 where nothing is open.
    """

    id: UUID
    number: int
    match: UUID
    table_name: str
    kind: str
    decided_by: str
    by: str
    upheld: bool
    article: str
    question: str
    reason: str
    line: int | None
    entry: int | None
    claim: int | None
    revokes: UUID | None
    revoked_by: UUID | None
    appeal: UUID | None
    appeal_state: str
    appeal_by: str
    appeal_reason: str
    days: int

    @property
    def revoked(self) -> bool:
        """It was taken back."""
        return self.revoked_by is not None


@dataclass(frozen=True)
class CallView:
    """A table that waits for its referee."""

    match: UUID
    table_name: str
    number: int
    seat: int
    by: str
    words: str


def ruling_views(rows: QuerySet[Ruling]) -> list[RulingView]:
    """One query for any number, and one for the clock."""
    now = database_now()
    found = rows.select_related("person", "entry", "claim", "sheet__match", "appeal__person", "revoked_by")
    return [_ruling_view(row, now) for row in found]


def _ruling_view(row: Ruling, now: datetime) -> RulingView:
    appeal = row.appeal if hasattr(row, "appeal") else None
    state = appeal_state(appeal, now) if appeal else ""
    return RulingView(
        id=row.pk,
        number=row.number,
        match=row.sheet_id,
        table_name=row.sheet.match.table_name,
        kind=row.kind,
        decided_by=row.decided_by,
        by=row.person.display_name if row.person else "",
        upheld=row.upheld,
        article=row.article,
        question=row.question,
        reason=row.reason,
        line=row.entry.line + 1 if row.entry else None,
        entry=row.entry.number if row.entry else None,
        claim=row.claim.number if row.claim else None,
        revokes=row.revokes_id,
        revoked_by=row.revoked_by.pk if hasattr(row, "revoked_by") else None,
        appeal=appeal.pk if appeal else None,
        appeal_state=state,
        appeal_by=appeal.person.display_name if appeal and appeal.person else "",
        appeal_reason=appeal.reason if appeal else "",
        days=max((appeal.deadline - now).days, 0) if appeal and state == Appeal.State.OPEN else 0,
    )


def appeal_state(appeal: Appeal, now: datetime) -> str:
    return "lapsed" if appeal.state == Appeal.State.OPEN and appeal.deadline <= now else appeal.state


def call_views(rows: QuerySet[RefereeCall]) -> list[CallView]:
    found = rows.select_related("person", "sheet__match").order_by("pk")
    return [
        CallView(row.sheet_id, row.sheet.match.table_name, row.number, row.seat, row.person.display_name, row.words)
        for row in found
    ]
