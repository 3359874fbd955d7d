"""What concerns somebody in the tournaments that are played now: computed, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from gameplay.models import ClockEvent
from players.actor import Actor
from scoring.models import Ruling, Seat, Sheet
from tournaments.models import Entrant, Heat, Stage
from tournaments.queries.tournament import TournamentView, stamp_of, view_at
from tournaments.rules.qualification import Substitution
from tournaments.rules.replay import HEATS

LATEST = 5
"""Rulings that are told; his matches have all of them."""
TOURNAMENTS = 3
"""Nobody plays in more at once."""


@dataclass(frozen=True)
class TableNotice:
    """Where he sits: `seat` from 1, None before the draw of seats. `cancelled`: why its start was taken back, or ""."""

    match: UUID
    tournament: str
    table: str
    seat: int | None
    cancelled: str


@dataclass(frozen=True)
class RulingNotice:
    """A ruling at a table of his; `mine`: it is about his hand, or gave or took points of his. Others are told as long
    as the match is open."""

    match: UUID
    ruling: UUID
    table: str
    mine: bool
    article: str
    reason: str


@dataclass(frozen=True)
class SwapNotice:
    """He moves up for somebody (`up`), or somebody for him."""

    tournament: TournamentView
    stage: int
    swap: Substitution
    up: bool


@dataclass(frozen=True)
class Notices:
    """All of them, each kind in its order."""

    tables: tuple[TableNotice, ...] = ()
    swaps: tuple[SwapNotice, ...] = ()
    rulings: tuple[RulingNotice, ...] = ()


def notices_for_person(actor: Actor) -> Notices:
    """What concerns him now; nothing for a stranger. A seat pass knows its own table only."""
    if actor.person is None:
        return Notices()
    seats = Seat.objects.filter(person=actor.person)
    if actor.came == "seat_pass":
        seats = seats.filter(sheet=actor.place.sheet if actor.place else None)
    now = Q(sheet__heat__stage__tournament__live=True, sheet__heat__stage__tournament__published=0)
    friendly = Q(sheet__heat=None, sheet__state=Sheet.State.OPEN)
    mine = dict(seats.filter(now | friendly).values_list("sheet", "number"))
    return Notices(_tables(mine), _swaps(actor), _rulings(mine))


def _tables(mine: dict[UUID, int]) -> tuple[TableNotice, ...]:
    heats = Heat.objects.filter(sheet__in=list(mine), sheet__state=Sheet.State.OPEN, stage__state=Stage.State.OPEN)
    found = list(heats.select_related("stage__tournament").order_by("stage__number", "number"))
    last = ClockEvent.objects.filter(match__in=[heat.sheet_id for heat in found]).order_by("match", "-number")
    happened = {event.match_id: event for event in last.distinct("match")}
    return tuple(
        TableNotice(
            heat.sheet_id,
            heat.stage.tournament.name,
            heat.name,
            None if heat.seat_draw is None else mine[heat.sheet_id] + 1,
            _cancelled(happened.get(heat.sheet_id)),
        )
        for heat in found
    )


def _cancelled(last: ClockEvent | None) -> str:
    return last.reason if last and last.kind == ClockEvent.Kind.CANCELLED else ""


def _rulings(mine: dict[UUID, int]) -> tuple[RulingNotice, ...]:
    rows = Ruling.objects.filter(sheet__in=list(mine), revoked_by=None, sheet__match__isnull=False)
    found = rows.select_related("entry", "claim__entry", "sheet__match").order_by("-scope", "-number")
    told = [
        RulingNotice(row.sheet_id, row.pk, row.sheet.match.table_name, about_him, row.article, row.reason)
        for row in found
        if (about_him := mine[row.sheet_id] in _concerned(row)) or row.sheet.state == Sheet.State.OPEN
    ]
    return tuple(told[:LATEST])


def _concerned(row: Ruling) -> tuple[int | None, ...]:
    """Seats whose hand was judged, or whose points were given or taken."""
    entries = (row.entry, row.claim.entry if row.claim else None)
    return tuple(seat for entry in entries if entry for seat in (entry.caller, entry.seat))


def _swaps(actor: Actor) -> tuple[SwapNotice, ...]:
    """Substitutions after the stage that was closed last, as long as the finals are not over (S8, D14, D16)."""
    entered = Entrant.objects.filter(
        person=actor.person, tournament__live=True, tournament__published=0, tournament__withdrawals__isnull=False
    )
    if actor.came == "seat_pass":
        entered = entered.filter(tournament__stages__heats__sheet=actor.place.sheet if actor.place else None)
    told: list[SwapNotice] = []
    for slug, code in entered.distinct().values_list("tournament__slug", "code")[:TOURNAMENTS]:
        view = view_at(stamp_of(actor, slug))
        last = view.outcome.stages[-1] if view.outcome.stages else None
        if last is None or last.kind != HEATS or last.qualification is None:
            continue
        told += [
            SwapNotice(view, last.number, swap, swap.into == code)
            for swap in last.qualification.substitutions
            if code in (swap.out, swap.into)
        ]
    return tuple(told)
