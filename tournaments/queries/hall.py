"""Tournaments while they are played: their open stages, as everybody may see them. No time is in any of it (S9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery

from core.refusal import Refusal
from gameplay.models import Match
from gameplay.queries.clock import clocks_of
from gameplay.rules.clock import Clock
from scoring.models import Seat, Sheet
from tournaments.models import Heat, Stage, Tournament
from tournaments.queries.tournament import Person, Stamp, TournamentView


@dataclass(frozen=True)
class SeatNow:
    """A seat at an open table. `place`: the present one, shared by who has equal points."""

    number: int
    person: UUID
    code: str
    name: str
    points: int
    place: int


@dataclass(frozen=True)
class HeatNow:
    """An open match. `seats` from 0 on, who deals first; `drawn`: their draw was held, before they are only listed.

    `state`: `ready`, `running`, `suspended`, `rung`, `interrupted` or `over`.
    """

    number: int
    name: str
    match: UUID
    state: str
    hands: int
    drawn: bool
    referee: str
    seats: tuple[SeatNow, ...]

    @property
    def standing(self) -> list[SeatNow]:
        """Its five, best first."""
        return sorted(self.seats, key=lambda seat: (seat.place, seat.number))


@dataclass(frozen=True)
class StageNow:
    """A stage that is being played."""

    number: int
    kind: str
    heats: tuple[HeatNow, ...]


@dataclass(frozen=True)
class Playing:
    """An announced tournament whose result is not published yet. `stage`: its latest published stage, a kind;
    `over`: that stage is closed."""

    slug: str
    name: str
    date: date | None
    venue: str
    club: str
    club_slug: str | None
    entrants: int
    stage: str
    number: int
    over: bool


def open_stages(view: TournamentView, only: int | None = None) -> tuple[StageNow, ...]:
    """Its open stages in order, or stage number `only` if it is open. Four queries for any size."""
    rows = Heat.objects.filter(stage__tournament=view.stamp.tournament, stage__state=Stage.State.OPEN)
    if only is not None:
        rows = rows.filter(stage__number=only)
    heats = list(rows.select_related("stage", "sheet", "referee").order_by("stage__number", "number"))
    sheets = [heat.sheet_id for heat in heats]
    seats: dict[UUID, list[Seat]] = {sheet: [] for sheet in sheets}
    for seat in Seat.objects.filter(sheet__in=sheets).select_related("person").order_by("sheet", "number"):
        seats[seat.sheet_id].append(seat)
    clocks = clocks_of(Match.objects.filter(sheet__in=sheets))
    people = {person.id: person for person in view.people.values()}
    return tuple(
        StageNow(number, kind, tuple(_heat(heat, seats[heat.sheet_id], clocks, people) for heat in found))
        for (number, kind), found in groupby(heats, key=lambda heat: (heat.stage.number, heat.stage.kind))
    )


def _heat(
    heat: Heat,
    seats: Sequence[Seat],
    clocks: Mapping[UUID, tuple[Clock, str | None] | None],
    people: Mapping[UUID, Person],
) -> HeatNow:
    told = clocks.get(heat.sheet_id)
    return HeatNow(
        number=heat.number,
        name=heat.name,
        match=heat.sheet_id,
        state=_state(heat.sheet, told[0] if told else None),
        hands=heat.sheet.hands_played + heat.sheet.hands_voided,
        drawn=heat.seat_draw is not None,
        referee=heat.referee.display_name if heat.referee else "",
        seats=tuple(
            SeatNow(
                seat.number,
                seat.person_id,
                people[seat.person_id].code if seat.person_id in people else "",
                people[seat.person_id].name if seat.person_id in people else seat.person.display_name,
                seat.points,
                1 + sum(other.points > seat.points for other in seats),
            )
            for seat in seats
        ),
    )


def _state(sheet: Sheet, clock: Clock | None) -> str:
    if sheet.state != Sheet.State.OPEN:
        return "over"
    if clock is None:
        return "running" if sheet.hands_played + sheet.hands_voided else "ready"
    if clock.interrupted:
        return "interrupted"
    if clock.suspended:
        return "suspended"
    return clock.state


def match_at(stamp: Stamp, stage: int, heat: int) -> UUID:
    """The open match at this place of a tournament. One query. Refusal: `heat_unknown`."""
    rows = Heat.objects.filter(stage__tournament=stamp.tournament, stage__state=Stage.State.OPEN)
    found = rows.filter(stage__number=stage, number=heat).values_list("sheet", flat=True).first()
    if found is None:
        raise Refusal("heat_unknown")
    return found


def playing(club: str | None = None) -> list[Playing]:
    """Tournaments that are being played, latest day first; of one club if its slug is given. One query."""
    stages = Stage.objects.filter(tournament=OuterRef("pk")).exclude(state=Stage.State.DRAFT).order_by("number")
    last = stages.order_by("-number")
    rows = (
        Tournament.objects.filter(live=True, announced=True, published=0)
        .select_related("club")
        .annotate(
            entered=Count("entrants", filter=Q(entrants__entry__isnull=False)),
            stage_kind=Subquery(last.values("kind")[:1]),
            stage_number=Subquery(last.values("number")[:1]),
            stage_state=Subquery(last.values("state")[:1]),
        )
        .order_by(F("date").desc(nulls_last=True), "slug")
    )
    if club is not None:
        rows = rows.filter(club__slug=club)
    return [
        Playing(
            slug=row.slug,
            name=row.name,
            date=row.date,
            venue=row.venue or "",
            club=row.club.name if row.club else "",
            club_slug=row.club.slug if row.club else None,
            entrants=row.entered,
            stage=row.stage_kind or "",
            number=row.stage_number or 0,
            over=row.stage_state == Stage.State.CLOSED,
        )
        for row in rows
    ]
