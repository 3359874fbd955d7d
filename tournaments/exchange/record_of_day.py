"""What the `record` of a tournament file tells of a day that was run here: nothing follows from it, all of it is kept.

Draws with their seed and reasons, draws of seats, reserves, lengths, suspensions, recovery hands, who ruled and who
signed. No time of day is in it, and how long something lasted only once no stage is open (S9). Its shape is
`record_of_day` in docs/tournament-file.schema.json.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from gameplay.models import ClockEvent, Match
from players.models import User
from scoring.models import Ruling, Seat, Signature
from tournaments.models import Heat, Stage, Tournament
from tournaments.rules.draw import draw_heats

Row = dict[str, Any]
Codes = Mapping[UUID, str]
_KINDS = ClockEvent.Kind
_BY_SHEET = attrgetter("sheet_id")


def record_of_day(tournament: Tournament, codes: Codes) -> Row:
    """`{"stages": [...]}` of the stages that were published, {} before the first. `codes`: by person.

    Seven queries for any size.
    """
    stages = list(Stage.objects.filter(tournament=tournament).exclude(state=Stage.State.DRAFT).order_by("number"))
    if not stages:
        return {}
    over = all(stage.state == Stage.State.CLOSED for stage in stages)
    rows = Heat.objects.filter(stage__in=stages).select_related("referee").order_by("stage__number", "number")
    heats = {stage: list(found) for stage, found in groupby(rows, key=attrgetter("stage_id"))}
    told = _tables([heat.sheet_id for found in heats.values() for heat in found], codes, with_durations=over)
    return {
        "stages": [
            {
                "stage": stage.number,
                **({"draw": _draw(stage)} if stage.plan else {}),
                "heats": [_heat(heat, codes, told[heat.sheet_id]) for heat in heats.get(stage.pk, ())],
            }
            for stage in stages
        ]
    }


def _draw(stage: Stage) -> Row:
    """The plan that was drawn and, by player, why he was drawn where he was; moves by hand are told beside it."""
    plan: Row = stage.plan or {}
    drawn = draw_heats(plan["players"], plan["agp"], plan["seeds_per_heat"], bytes.fromhex(stage.seed))
    seats = [seat for heat in (*drawn.heats, drawn.reserves) for seat in heat]
    return {"seed": stage.seed, **plan, "reasons": {seat.player: [seat.reason, seat.number] for seat in seats}}


def _heat(heat: Heat, codes: Codes, told: Row) -> Row:
    row: Row = {"heat": heat.number, "name": heat.name}
    if heat.referee:
        row["referee"] = _who(heat.referee, codes)
    if heat.seat_draw:
        row["seat_draw"] = heat.seat_draw
    return row | told


def _tables(sheets: list[UUID], codes: Codes, *, with_durations: bool) -> dict[UUID, Row]:
    """What happened at each table: its clock, its rulings, its signatures. Five queries."""
    told: dict[UUID, Row] = {sheet: {} for sheet in sheets}
    for sheet, length in Match.objects.filter(sheet__in=sheets, length__isnull=False).values_list("sheet", "length"):
        told[sheet]["length"] = length
    events = ClockEvent.objects.filter(match__in=sheets).select_related("person").order_by("match", "number")
    for match, happened in groupby(events, key=attrgetter("match_id")):
        told[match]["clock"] = _clock(list(happened), codes, with_durations=with_durations)
    rulings = Ruling.objects.filter(sheet__in=sheets).select_related("person", "entry").order_by("sheet", "number")
    for sheet, made in groupby(rulings, key=_BY_SHEET):
        told[sheet]["rulings"] = [_ruling(row, codes) for row in made]
    seats = {
        (sheet, number): codes.get(person, "")
        for sheet, number, person in Seat.objects.filter(sheet__in=sheets).values_list("sheet", "number", "person")
    }
    signed = Signature.objects.filter(sheet__in=sheets).select_related("person").order_by("sheet", "pk")
    for sheet, names in groupby(signed, key=_BY_SHEET):
        told[sheet]["signatures"] = [_signature(row, seats, codes) for row in names]
    return told


def _clock(events: Iterable[ClockEvent], codes: Codes, *, with_durations: bool) -> list[Row]:
    """Events in order. `seconds`: of a suspension, until play went on; of a bell that was moved, by how much."""
    told: list[Row] = []
    since: tuple[Row, datetime] | None = None
    for event in events:
        row: Row = {"kind": event.kind}
        for key in ("hand", "how", "stopped", "reason"):
            value = getattr(event, key)
            if value not in (None, ""):
                row[key] = value
        if event.person:
            row["by"] = _who(event.person, codes)
        if with_durations and event.kind == _KINDS.MOVED:
            row["seconds"] = round((event.micros or 0) / 1_000_000)
        if with_durations and event.kind == _KINDS.RESUMED and since:
            since[0]["seconds"] = round((event.at - since[1]).total_seconds())
        since = (row, event.at) if event.kind == _KINDS.SUSPENDED else since
        told.append(row)
    return told


def _ruling(ruling: Ruling, codes: Codes) -> Row:
    row: Row = {
        "kind": ruling.kind,
        "decided_by": ruling.decided_by,
        "upheld": ruling.upheld,
        "article": ruling.article,
        "reason": ruling.reason,
    }
    if ruling.entry:
        row["line"] = ruling.entry.line + 1
    if ruling.question:
        row["question"] = ruling.question
    return row | ({"by": _who(ruling.person, codes)} if ruling.person else {})


def _signature(row: Signature, seats: Mapping[tuple[UUID, int], str], codes: Codes) -> Row:
    """Who signed a sheet with so many entries: a player, or a referee."""
    if row.seat is not None:
        return {"player": seats[row.sheet_id, row.seat], "entries": row.entries}
    return {"referee": _who(row.person, codes) if row.person else {}, "entries": row.entries}


def _who(person: User, codes: Codes) -> Row:
    """Somebody by his code in the tournament, else by his name."""
    code = codes.get(person.pk)
    return {"player": code} if code else {"name": person.display_name}
