"""Reads of points: entries as the rules know them, and the folded sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from scoring.models import Entry as EntryRow
from scoring.models import Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.ruleset import ScoringRules, scoring_rules
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, SeatTotals, Voided


class SheetEntries(NamedTuple):
    """What is written on a sheet: entries of hands and awards in order, or totals.

    `replaced`: totals that were corrected, oldest first, each with the reason of its correction.
    """

    entries: tuple[Entry, ...]
    totals: SeatTotals | None
    replaced: tuple[tuple[SeatTotals, str], ...] = ()


def rules_of(sheet: Sheet) -> ScoringRules:
    """The frozen rules of a sheet."""
    return scoring_rules(sheet.rules)


def entries_of(sheet: UUID) -> SheetEntries:
    """Everything written on one sheet. One query."""
    return written(EntryRow.objects.filter(sheet=sheet).order_by("number"))


def entries_by_sheet(sheets: Iterable[UUID]) -> dict[UUID, SheetEntries]:
    """What is written on many sheets. One query."""
    rows: dict[UUID, list[EntryRow]] = {sheet: [] for sheet in sheets}
    for row in EntryRow.objects.filter(sheet__in=list(rows)).order_by("sheet", "number"):
        rows[row.sheet_id].append(row)
    return {sheet: written(found) for sheet, found in rows.items()}


def written(rows: Iterable[EntryRow]) -> SheetEntries:
    """Rows of one sheet, in order, as values."""
    entries: list[Entry] = []
    totals: SeatTotals | None = None
    replaced: list[tuple[SeatTotals, str]] = []
    position: dict[int, int] = {}
    for row in rows:
        if row.kind == EntryRow.Kind.TOTALS:
            if totals is not None:
                replaced.append((totals, row.reason))
            totals = SeatTotals(tuple(row.totals or ()), int(row.hands_played or 0), tuple(row.adjustments or ()))
            continue
        position[row.pk] = len(entries)
        replaces = position[row.replaces_id] if row.replaces_id else None
        entries.append(Entry(_content(row), replaces, row.reason))
    return SheetEntries(tuple(entries), totals, tuple(replaced))


def content_of(columns: Mapping[str, Any]) -> Content:
    """What the columns of an entry say."""
    return _content(EntryRow(**columns))


def _content(row: EntryRow) -> Content:
    kinds = EntryRow.Kind
    if row.kind == kinds.PLAYED:
        outcome = HandOutcome(row.caller or 0, row.called or 0, row.bid or 0, row.made or 0)
        return Played(outcome, row.ruling)  # type: ignore[arg-type]  # a CHECK allows the two words only
    if row.kind == kinds.ADMITTED:
        return Admitted(row.caller or 0, row.bid or 0)
    if row.kind == kinds.AWARD:
        return Award(row.seat or 0, row.points or 0, row.article, row.why)
    return Voided(bool(row.repeated))
