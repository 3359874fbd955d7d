"""The organiser's day at a glance: each table, what it waits for, and what is to be done next. No time is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gameplay.models import Outage
from players.actor import Actor
from scoring.models import Appeal, Claim, Proposal, RefereeCall, Ruling
from scoring.models import Entry as EntryRow
from scoring.rules.hands import SEATS
from tournaments.exchange.rows import read_rows, record_of
from tournaments.models import Stage, Tournament
from tournaments.queries.day import Day, HeatOfDay, read_day
from tournaments.queries.entries import live_tournament
from tournaments.rules import replay as rules
from tournaments.rules.qualification import Qualification


@dataclass(frozen=True)
class Table:
    """A table of an open stage. `state`: `ready`, `running`, `suspended`, `question` (nobody told yet whether the hand
    at the bell was in progress), `finish` (that hand), `over` (signatures are missing), `replay` (D8), `signed`.

    `waits`: a hand, a claim or a call there waits for an answer; `absent`: names of those who are not checked in.
    """

    stage: int
    heat: HeatOfDay
    state: str
    waits: bool
    absent: tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """What the council decided about a sheet whose stage is closed, and nobody has written there yet (S19)."""

    stage: int
    heat: int
    name: str
    line: int
    reason: str


@dataclass(frozen=True)
class Step:
    """What is to be done next: a code, and the table or the stage that it is about."""

    code: str
    table: Table | None = None
    stage: int | None = None


@dataclass(frozen=True)
class Board:
    """Everything that the organiser's page shows. `tables`: of open stages; `called`: who goes on from the last closed
    stage, None after the final; `plays`: this viewer sits in an open stage, and cannot run it; `outages`: stops that
    nobody has answered.
    """

    day: Day
    tables: tuple[Table, ...]
    called: Qualification | None
    plays: bool
    outages: int
    decisions: tuple[Decision, ...]

    @property
    def step(self) -> Step:
        """The next step."""
        return next_step(self)


def board_for_page(actor: Actor, slug: str) -> Board:
    """The board. About twenty-five queries for any number of tables. Refusals: those of `live_tournament`."""
    day = read_day(live_tournament(actor, slug))
    stages = day.open_stages
    sheets = [heat.sheet for stage in stages for heat in stage.heats]
    here = {entrant.person_id for entrant in day.entrants if entrant.present}
    waiting = _waiting(sheets)
    tables = tuple(
        Table(
            stage.number,
            heat,
            state_of(heat),
            heat.sheet in waiting,
            tuple(seat.name for seat in heat.seats if seat.person not in here),
        )
        for stage in stages
        for heat in stage.heats
    )
    closed = any(stage.state == Stage.State.CLOSED for stage in day.stages)
    return Board(
        day=day,
        tables=tables,
        called=called_by(day.tournament) if closed else None,
        plays=any(seat.person == actor.person for table in tables for seat in table.heat.seats),
        outages=Outage.objects.filter(match__in=sheets, answer="").count(),
        decisions=tuple(decisions_to_write(day.tournament)),
    )


def called_by(row: Tournament) -> Qualification | None:
    """Who goes on from the last closed stage; None after the finals."""
    stages = rules.replay(record_of(read_rows(row))).stages
    return stages[-1].qualification if stages else None


def state_of(heat: HeatOfDay) -> str:
    """The state of a table, see Table."""
    clock = heat.clock
    if clock is not None and clock.interrupted == "replay":
        return "replay"
    if heat.signed:
        return "signed"
    if clock is None:
        return "running" if heat.hands else "ready"
    if clock.ending is not None:
        return "question" if clock.ending.question else "over" if clock.ending.over else "finish"
    return "suspended" if clock.suspended else "ready" if clock.state == "ready" else "running"


def _waiting(sheets: Sequence[UUID]) -> frozenset[UUID]:
    """Tables where a proposal, a claim or a call waits for somebody."""
    rows = (
        Proposal.objects.filter(state="pending"),
        Claim.objects.filter(state="open"),
        RefereeCall.objects.filter(answered=False),
    )
    found = (row.filter(sheet__in=sheets).values_list("sheet", flat=True) for row in rows)
    return frozenset(sheet for waiting in found for sheet in waiting)


# The next step


def next_step(board: Board) -> Step:
    """What the organiser does next, the most pressing first.

    Codes: `recovery`, `question`, `replay`, `seats`, `start`, `play`, `sign`, `close`, `publish_draw`, `enter`, `draw`,
    `open_finals`, `draw_next`, `decision`, `publish`, `done`.
    """
    day = board.day
    if board.outages:
        return Step("recovery")
    if board.tables:
        return _step_of_play(board.tables)
    if day.draft is not None:
        return Step("publish_draw", stage=day.draft.number)
    if not day.stages:
        return Step("draw" if len(day.entrants) >= SEATS else "enter")
    if board.called is not None:
        return Step("open_finals" if board.called.plan.final else "draw_next")
    if board.decisions:
        return Step("decision")
    return Step("done" if day.tournament.published else "publish")


def _step_of_play(tables: Sequence[Table]) -> Step:
    """While tables are played: what only staff can do comes before what players do."""
    first: dict[str, Table] = {}
    for table in tables:
        undrawn = table.state == "ready" and not table.heat.seats_drawn
        first.setdefault("seats" if undrawn else table.state, table)
    order = (
        ("question", "question"),
        ("replay", "replay"),
        ("seats", "seats"),
        ("ready", "start"),
        ("running", "play"),
        ("suspended", "play"),
        ("finish", "play"),
        ("over", "sign"),
    )
    for state, code in order:
        if state in first:
            return Step(code, first[state], first[state].stage)
    return Step("close", None, tables[0].stage)


# Decisions of the council


def decisions_to_write(row: Tournament) -> list[Decision]:
    """Appeals that were upheld after their stage was closed, and whose sheets do not say so yet. Four queries."""
    appeals = Appeal.objects.filter(state=Appeal.State.UPHELD, ruling__sheet__heat__stage__tournament=row)
    appeals = appeals.exclude(pk__in=appeals.filter(ruling__revoked_by__isnull=False).values("pk"))
    found = []
    for appeal in appeals.select_related("ruling__entry", "ruling__claim__entry", "ruling__sheet__heat__stage"):
        ruling = appeal.ruling
        about = ruling.entry or (ruling.claim.entry if ruling.claim else None)
        if about is None or not _stands(ruling, about):
            continue
        heat = ruling.sheet.heat
        found.append(Decision(heat.stage.number, heat.number, heat.name, about.line + 1, appeal.reason))
    return found


def _stands(ruling: Ruling, about: EntryRow) -> bool:
    """The sheet still says what the council took back, or does not say what it imposed."""
    present = EntryRow.objects.filter(sheet=ruling.sheet_id, line=about.line).order_by("-number")[0]
    if ruling.upheld:
        return (present.kind, present.ruling) == (about.kind, about.ruling)
    return present.kind == EntryRow.Kind.PLAYED and present.ruling is None
