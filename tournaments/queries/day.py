"""A tournament that is run here, as its organisers and its hall see it: people, stages, tables. No time in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from gameplay.models import Match
from gameplay.queries.clock import ClockView, clocks_of, view_of
from scoring.models import Seat, Sheet
from scoring.queries import entries_by_sheet, rules_of
from scoring.rules.procedure import hands_on
from scoring.rules.scoresheet import fold
from tournaments.models import Entrant, Heat, Stage, Tournament


@dataclass(frozen=True)
class SeatOfDay:
    """Who sits at a table: his code and name, and his points so far."""

    number: int
    person: UUID
    code: str
    name: str
    points: int


@dataclass(frozen=True)
class HeatOfDay:
    """A table of a stage. `hands`: on its sheet; `clock` is None for a sheet that came from a file."""

    number: int
    name: str
    sheet: UUID
    sheet_state: str
    seats: tuple[SeatOfDay, ...]
    seats_drawn: bool
    referee: UUID | None
    referee_name: str
    hands: int
    clock: ClockView | None

    @property
    def signed(self) -> bool:
        """Its sheet is closed."""
        return self.sheet_state != Sheet.State.OPEN

    @property
    def started(self) -> bool:
        """Its clock was started, or a paper sheet is being typed in."""
        return self.hands > 0 or (self.clock is not None and self.clock.state != "ready")


@dataclass(frozen=True)
class StageOfDay:
    """A stage. A draft has no heats yet."""

    id: UUID
    number: int
    kind: str
    state: str
    heats: tuple[HeatOfDay, ...]


@dataclass(frozen=True)
class Day:
    """Everything but what follows from results (see tournaments.queries.tournament)."""

    tournament: Tournament
    entrants: tuple[Entrant, ...]
    stages: tuple[StageOfDay, ...]

    @property
    def present(self) -> int:
        """How many are checked in."""
        return sum(entrant.present for entrant in self.entrants)

    @property
    def open_stages(self) -> tuple[StageOfDay, ...]:
        """The stages that are played now: one, or the two finals."""
        return tuple(stage for stage in self.stages if stage.state == Stage.State.OPEN)

    @property
    def draft(self) -> StageOfDay | None:
        """The draw that is not published yet."""
        return next((stage for stage in self.stages if stage.state == Stage.State.DRAFT), None)


def read_day(row: Tournament) -> Day:
    """The day of a tournament, for who was asked whether he may see it. Eight queries for any size."""
    entrants = tuple(Entrant.objects.filter(tournament=row).order_by("position"))
    stages = list(Stage.objects.filter(tournament=row).order_by("number"))
    heats = list(
        Heat.objects.filter(stage__in=stages).select_related("sheet", "referee").order_by("stage__number", "number")
    )
    tables = _tables(heats, {entrant.person_id: entrant for entrant in entrants})
    return Day(
        row,
        entrants,
        tuple(StageOfDay(stage.pk, stage.number, stage.kind, stage.state, tuple(tables[stage.pk])) for stage in stages),
    )


def _tables(heats: list[Heat], people: dict[UUID, Entrant]) -> dict[UUID, list[HeatOfDay]]:
    sheets = [heat.sheet_id for heat in heats]
    seats: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(sheet__in=sheets).select_related("person").order_by("sheet", "number"):
        seats[seat.sheet_id].append(seat)
    written = entries_by_sheet(sheets)
    clocks = clocks_of(Match.objects.filter(pk__in=sheets))
    found: dict[UUID, list[HeatOfDay]] = defaultdict(list)
    for heat in heats:
        five = seats[heat.sheet_id]
        before = tuple(seat.offences_before for seat in five)
        sheet = fold(written[heat.sheet_id].entries, rules_of(heat.sheet), before)
        clock = clocks.get(heat.sheet_id)
        found[heat.stage_id].append(
            HeatOfDay(
                number=heat.number,
                name=heat.name,
                sheet=heat.sheet_id,
                sheet_state=heat.sheet.state,
                seats=tuple(_seat(seat, people.get(seat.person_id)) for seat in five),
                seats_drawn=heat.seat_draw is not None,
                referee=heat.referee_id,
                referee_name=heat.referee.display_name if heat.referee else "",
                hands=hands_on(sheet),
                clock=None if clock is None else view_of(*clock, sheet),
            )
        )
    return found


def _seat(seat: Seat, entrant: Entrant | None) -> SeatOfDay:
    name = entrant.name if entrant else seat.person.display_name
    return SeatOfDay(seat.number, seat.person_id, entrant.code if entrant else "", name, seat.points)
