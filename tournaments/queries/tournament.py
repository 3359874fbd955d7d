"""One tournament with everything that follows from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from core.refusal import Refusal
from players.actor import Actor
from players.rules.rights import RUN_TOURNAMENT
from scoring.models import Seat
from scoring.queries import SheetEntries, entries_by_sheet, entries_of
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Scoresheet, SeatTotals, fold
from tournaments.exchange.record_of_day import record_of_day
from tournaments.exchange.rows import file_of, read_rows, record_of
from tournaments.models import Stage
from tournaments.models import Tournament as TournamentRow
from tournaments.rules.content import numbers_of
from tournaments.rules.replay import MatchOutcome, StageOutcome, Tournament, TournamentRecord, replay

KEPT = 24  # replayed tournaments in the memory of a process


class Person(NamedTuple):
    """Somebody in a tournament, under the code and the name that its file has."""

    id: UUID
    code: str
    name: str
    club: str
    entered: bool


@dataclass(frozen=True)
class Stamp:
    """Which state of a tournament a page was built from: versions of its row and of all its sheets together.

    `history`: the heads of its own audit trail and of the house's, where people are corrected. A database that was
    brought back from a copy counts the same versions again, but it goes another way. `sub_iudice`: a ruling of it is
    before the Council of Guarantors (S19), which ends by itself when the council's days are over.

    `sheets` are those of closed stages; `running` tells the state of the open ones, "" where there are none. `live`: it
    is run here; `playing`: and its result is not published yet; `staff`: who asks may run it. These three are no part
    of the state.
    """

    tournament: UUID
    version: int
    sheets: int
    history: int
    sub_iudice: bool = False
    running: str = ""
    live: bool = field(default=False, compare=False)
    playing: bool = field(default=False, compare=False)
    staff: bool = field(default=False, compare=False)

    @property
    def key(self) -> str:
        """The stamp in a cache key."""
        parts = (self.tournament, self.version, self.sheets, self.history, int(self.sub_iudice), self.running)
        return ".".join(map(str, parts))


@dataclass(frozen=True)
class TournamentView:
    """A tournament as pages, tables, print and file show it. `people` by code, in the order of its file.

    `sheets`: by stage and heat number (both from 1) the sheet behind it and its state. Of a tournament that is run here
    (`live`) it knows the closed stages only; everybody may see it once it is `announced`.
    """

    stamp: Stamp
    scope: UUID
    slug: str
    name: str
    game: str
    series: str | None
    edition: int | None
    date: date | None
    venue: str
    club: str
    club_slug: str | None
    published: int
    counts: bool
    adjusted: Mapping[str, Any]
    record: Mapping[str, Any]
    people: Mapping[str, Person]
    sheets: Mapping[tuple[int, int], tuple[UUID, str]]
    given: TournamentRecord
    outcome: Tournament
    live: bool = False
    announced: bool = False

    @property
    def playing(self) -> bool:
        """It is run here and its result is not published yet."""
        return self.live and not self.published

    @property
    def scoring(self) -> ScoringRules:
        """Its rules of scoring."""
        return self.given.scoring

    def name_of(self, code: str) -> str:
        """The name behind a code; the code itself for somebody of an earlier edition who does not play here."""
        person = self.people.get(code)
        return person.name if person else code

    def names(self) -> dict[str, str]:
        """Name by code."""
        return {code: person.name for code, person in self.people.items()}


@dataclass(frozen=True)
class HeatView:
    """One match of a tournament with its folded sheet, None where only totals survive.

    `replaced`: totals that were corrected, oldest first, each with the reason.
    """

    tournament: TournamentView
    stage: StageOutcome
    match: MatchOutcome
    number: int
    state: str
    sheet: Scoresheet | None
    replaced: tuple[tuple[SeatTotals, str], ...] = ()


_STAMP = """
SELECT t.id, t.version,
       coalesce((SELECT sum(sheet.version) FROM tournaments_stage stage
                 JOIN tournaments_heat heat ON heat.stage_id = stage.id
                 JOIN scoring_sheet sheet ON sheet.id = heat.sheet_id
                 WHERE stage.tournament_id = t.id AND stage.state = 'closed'), 0),
       hashtextextended(scope.audit_head || (SELECT audit_head FROM players_scope WHERE kind = 'house'), 0),
       EXISTS (SELECT FROM scoring_ruling ruling JOIN scoring_appeal appeal ON appeal.ruling_id = ruling.id
               WHERE ruling.scope_id = t.scope_id AND appeal.state = 'open' AND appeal.deadline > clock_timestamp()),
       (SELECT concat_ws('.', count(*), sum(sheet.version),
                         sum((SELECT count(*) FROM gameplay_clockevent event WHERE event.match_id = sheet.id)))
        FROM tournaments_stage stage
        JOIN tournaments_heat heat ON heat.stage_id = stage.id
        JOIN scoring_sheet sheet ON sheet.id = heat.sheet_id
        WHERE stage.tournament_id = t.id AND stage.state = 'open' HAVING count(*) > 0),
       t.live, t.published = 0, t.published > 0 OR t.announced, t.scope_id, owner.id, owner.parent_id
FROM tournaments_tournament t
JOIN players_scope scope ON scope.id = t.scope_id JOIN players_scope owner ON owner.id = scope.parent_id
WHERE t.slug = %s
"""


def stamp_of(actor: Actor, slug: str) -> Stamp:
    """The present state of a tournament; any change below it is another stamp. One query.

    Refusal `tournament_unknown`, also for who may not see it: before it is announced or published only its staff may.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STAMP, [slug])
        row = cursor.fetchone()
    if row is None:
        raise Refusal("tournament_unknown")
    tournament, version, sheets, history, sub_iudice, running, live, unpublished, open_to_all, *scopes = row
    staff = actor.may(RUN_TOURNAMENT, scopes)
    if not open_to_all and not staff:
        raise Refusal("tournament_unknown")
    return Stamp(
        tournament, version, int(sheets), history, sub_iudice, running or "", live, live and unpublished, staff
    )


def tournament_for_page(actor: Actor, slug: str) -> TournamentView:
    """A tournament with every consequence. Seven queries for any size, one where it is still in memory.

    Refusal: `tournament_unknown`.
    """
    return view_at(stamp_of(actor, slug))


@lru_cache(maxsize=KEPT)
def view_at(stamp: Stamp) -> TournamentView:
    """The tournament in the state of this stamp (values only, safe to share between threads)."""
    row = TournamentRow.objects.select_related("club", "edition_row").get(pk=stamp.tournament)
    rows = read_rows(row)
    given = record_of(rows)
    return TournamentView(
        stamp=stamp,
        scope=row.scope_id,
        slug=row.slug,
        name=row.name,
        game=row.game,
        series=row.series,
        edition=row.edition,
        date=row.date,
        venue=row.venue or "",
        club=row.club.name if row.club else "",
        club_slug=row.club.slug if row.club else None,
        published=row.published,
        counts=hasattr(row, "edition_row"),
        adjusted=row.rules or {},
        record=json.loads(row.record or "{}"),
        people={
            entrant.code: Person(
                entrant.person, entrant.code, entrant.name, entrant.club or "", entrant.entry is not None
            )
            for entrant in rows.entrants
        },
        sheets={(heat.stage, heat.number): (heat.sheet, heat.state) for heat in rows.heats},
        given=given,
        outcome=replay(given),
        live=row.live,
        announced=row.announced,
    )


def heat_of(view: TournamentView, stage: int, heat: int) -> HeatView:
    """One match of a tournament, hand by hand. Refusal: `heat_unknown`."""
    if (stage, heat) not in view.sheets:
        raise Refusal("heat_unknown")
    return _heat_with(view, stage, heat, entries_of(view.sheets[stage, heat][0]))


def _heat_with(view: TournamentView, stage: int, heat: int, content: SheetEntries) -> HeatView:
    outcome = view.outcome.stages[stage - 1]
    match = outcome.matches[heat - 1]
    lines = None
    if content.totals is None:
        lines = fold(content.entries, view.scoring, match.offences_before)
    return HeatView(view, outcome, match, heat, view.sheets[stage, heat][1], lines, content.replaced)


def heats_of(view: TournamentView) -> dict[tuple[int, int], HeatView]:
    """Every match of a tournament, hand by hand, by stage and heat. One query for any size."""
    found = entries_by_sheet(sheet for sheet, _ in view.sheets.values())
    return {at: _heat_with(view, *at, found[sheet]) for at, (sheet, _) in view.sheets.items()}


def sheets_of(view: TournamentView) -> dict[tuple[int, int], Scoresheet]:
    """Every sheet that has hands, folded, by stage and heat. One query for any size."""
    return {at: heat.sheet for at, heat in heats_of(view).items() if heat.sheet is not None}


def file_for_export(actor: Actor, slug: str) -> dict[str, Any]:
    """The tournament file, built from the rows. Eight queries, seven more for one that is run here.

    While a stage is open only its staff may have it, who do not play in it: `record` tells what happened at every
    table. Refusals: `tournament_unknown`, `not_allowed`.
    """
    stamp = stamp_of(actor, slug)
    if stamp.running and not (stamp.staff and not _plays_now(actor, stamp.tournament)):
        raise Refusal("not_allowed")
    row = TournamentRow.objects.get(pk=stamp.tournament)
    rows = read_rows(row)
    codes = {entrant.person: entrant.code for entrant in rows.entrants}
    return file_of(rows, entries_by_sheet(rows.sheet_ids()), record_of_day(row, codes) if row.live else {})


def _plays_now(actor: Actor, tournament: UUID) -> bool:
    """He sits in a stage that is open: there he is a player, whatever else he may."""
    if actor.person is None:
        return False
    seats = Seat.objects.filter(person=actor.person, sheet__heat__stage__tournament=tournament)
    return seats.filter(sheet__heat__stage__state=Stage.State.OPEN).exists()


def codes_by_number(view: TournamentView) -> dict[str, str]:
    """The codes of its file by the numbers that its published versions have instead. Seven queries."""
    rows = read_rows(TournamentRow.objects.get(pk=view.stamp.tournament))
    numbers = numbers_of(file_of(rows, entries_by_sheet(rows.sheet_ids())))
    return {number: code for code, number in numbers.items()}
