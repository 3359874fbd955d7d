"""Published versions, the differences between them, and the rulings of a tournament."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from core.refusal import Refusal
from scoring.models import Ruling as RulingRow
from scoring.rules.penalties import Effect
from scoring.rules.scoresheet import Line
from tournaments.models import Publication
from tournaments.queries.tournament import TournamentView, sheets_of
from tournaments.rules.differences import Difference, differences


@dataclass(frozen=True)
class PublishedVersion:
    """A version of a tournament's result. `sound`: its facts still have the hash that was published."""

    version: int
    content_hash: str
    at: datetime
    reason: str
    audit_number: int
    audit_hash: str
    sound: bool
    changes: tuple[Difference, ...]


@dataclass(frozen=True)
class Ruling:
    """A ruling, an award or a correction of a tournament: on which line of which sheet. `effect` is None for the
    correction of a hand that no ruling touches. `decided_by`: table, referee or council, and `by` the name of the
    referee; "" where the book of cases does not know."""

    stage: int
    heat: int
    line: Line
    effect: Effect | None
    seats: tuple[str, ...]
    decided_by: str = ""
    by: str = ""


def is_sound(row: Publication) -> bool:
    """Its facts (kept as canonical JSON) still have the hash that was published."""
    return sha256(row.facts.encode()).hexdigest() == row.content_hash


def versions_for_page(view: TournamentView, first: int = 0, last: int | None = None) -> tuple[PublishedVersion, ...]:
    """Published versions, latest first, from position `first` of that list to before `last`: each with what it changed.

    One query; besides those it reads the one before them only.
    """
    newest = view.published - first
    oldest = 1 if last is None else view.published - last + 1
    rows = Publication.objects.filter(tournament=view.stamp.tournament, version__range=(oldest - 1, newest))
    told: list[PublishedVersion] = []
    before: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
    for row in rows.order_by("version").iterator():
        now = json.loads(row.facts), json.loads(row.result)
        if row.version >= oldest:
            told.append(
                PublishedVersion(
                    version=row.version,
                    content_hash=row.content_hash,
                    at=row.at,
                    reason=row.reason,
                    audit_number=row.audit_number,
                    audit_hash=row.audit_hash,
                    sound=is_sound(row),
                    changes=differences(*before, *now) if before else (),
                )
            )
        before = now
    return tuple(reversed(told))


def version_for_page(view: TournamentView, version: int) -> PublishedVersion:
    """One published version. One query for two rows. Refusal: `version_unknown`."""
    at = view.published - version
    found = versions_for_page(view, at, at + 1) if 1 <= version <= view.published else ()
    if not found:
        raise Refusal("version_unknown", {"version": version})
    return found[0]


def rulings_for_page(view: TournamentView) -> tuple[Ruling, ...]:
    """Every line that a ruling or a correction touched, in the order played. Two queries."""
    decided = _decided(view)
    return tuple(
        Ruling(
            stage,
            heat,
            line,
            line.effect,
            view.outcome.stages[stage - 1].matches[heat - 1].seats,
            *decided.get((view.sheets[stage, heat][0], line.number), ("", "")),
        )
        for (stage, heat), sheet in sorted(sheets_of(view).items())
        for line in sheet.lines
        if line.effect or line.replaced
    )


def _decided(view: TournamentView) -> dict[tuple[UUID, int], tuple[str, str]]:
    """Who ruled last on a line, by sheet and line (from 1)."""
    rows = RulingRow.objects.filter(scope=view.scope, entry__isnull=False).order_by("number")
    told = rows.values_list("sheet", "entry__line", "decided_by", "person__display_name")
    return {(sheet, line + 1): (decided_by, name or "") for sheet, line, decided_by, name in told}
