"""Tables by the thousand, and the same people at all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from core.audit import Head, first_fault
from core.entropy import new_id
from core.models import AuditRow
from gameplay.models import Match
from gameplay.rules.ruleset import game_rules
from players.actor import SYSTEM
from players.models import Scope
from players.rules.rights import REFEREE
from players.services import create_club, create_people
from scoring.models import Entry, Seat, Sheet
from scoring.queries import entries_by_sheet
from scoring.rules.hands import NO_POINTS
from scoring.rules.ruleset import scoring_rules
from scoring.rules.scoresheet import Content
from scoring.rules.scoresheet import Entry as Written
from scoring.services.sheets import NewSheet, open_sheets, project
from tests.gameplay.rows import NAMES, actor, person


class Hall:
    """A club with two referees and five people who sit at every table."""

    def __init__(self, slug: str) -> None:
        with transaction.atomic():
            self.club = create_club(SYSTEM, slug=slug, name=slug)
        self.referees = [actor(person(name, REFEREE, scope=self.club.scope_id)) for name in ("Rita", "Remo")]
        self.people = create_people(NAMES)
        self.seats = [actor(row) for row in self.people]

    def tables(self, count: int, contents: Sequence[Content] = ()) -> list[UUID]:
        """So many matches with these lines; each with a trail that begins with what is done there next."""
        parent, rules = self.club.scope, scoring_rules({})._asdict()
        scopes = [Scope(kind=Scope.Kind.TABLE, parent=parent) for _ in range(count)]
        Scope.objects.bulk_create(scopes)
        sheets = [Sheet(id=new_id(), scope=scope, rules=rules, dealt=len(contents)) for scope in scopes]
        people, entries = tuple(row.pk for row in self.people), tuple(Written(content) for content in contents)
        open_sheets([NewSheet(sheet, people, None, NO_POINTS, entries) for sheet in sheets])
        Match.objects.bulk_create(
            Match(sheet=sheet, table_name="Sala", rules=game_rules({})._asdict()) for sheet in sheets
        )
        return [sheet.pk for sheet in sheets]


def faults_at(matches: Sequence[UUID]) -> list[str]:
    """Trails that are not as they were written, and projections that a rebuild would not give. Four queries."""
    sheets = {sheet.pk: sheet for sheet in Sheet.objects.filter(pk__in=matches).select_related("scope")}
    seats: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(sheet__in=matches).order_by("number"):
        seats[seat.sheet_id].append(seat)
    trails: dict[UUID, list[AuditRow]] = defaultdict(list)
    for row in AuditRow.objects.filter(scope__in=[sheet.scope_id for sheet in sheets.values()]).order_by("number"):
        trails[row.scope].append(row)
    found = []
    for match, written in entries_by_sheet(matches).items():
        sheet, five = sheets[match], seats[match]
        scope = sheet.scope
        if first_fault(trails[scope.pk], Head(scope.audit_count, scope.audit_head)) is not None:
            found.append(f"trail of {match}")
        kept = figures(sheet, five)
        project(sheet, five, written)
        if figures(sheet, five) != kept:
            found.append(f"sheet {match}")
    return found


def figures(sheet: Sheet, seats: Sequence[Seat]) -> list[tuple[Any, ...]]:
    """Everything that is kept although it follows from the entries: of the sheet, then of its seats."""
    told = [(sheet.hands_played, sheet.hands_voided, sheet.golden_seat, sheet.golden_bid, sheet.golden_solo)]
    return [*told, *((one.points, one.hands_won, one.best_call, one.offences, one.ledger) for one in seats)]


def entries_at(matches: Sequence[UUID]) -> dict[UUID, list[Entry]]:
    """What is written at each table, in order."""
    found: dict[UUID, list[Entry]] = {match: [] for match in matches}
    for row in Entry.objects.filter(sheet__in=matches).order_by("sheet", "number"):
        found[row.sheet_id].append(row)
    return found
