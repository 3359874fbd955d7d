"""A stage while it is played: started, suspended, mended, played anew, closed (UX-06, 10, 50, 51; S9, S10, D8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from core.live import publish
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.services import clock
from gameplay.services.acting import Table, checked_reason, locked_table
from gameplay.services.held import hands_told, hold
from gameplay.services.telling import topics_of
from gameplay.services.wall_time import trusted_now
from players.actor import Actor
from scoring.models import Seat, Sheet
from scoring.services.sheets import lock_sheet
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.queries.impact import started
from tournaments.services import day
from tournaments.services.entering import enter
from tournaments.services.following import NewTable, open_tables, put_aside, refresh_offences, take_seat
from tournaments.services.lots import settle_with_lots

Answer = dict[str, Any]


def start_heats(actor: Actor, tournament: UUID, *, stage: int, heats: Sequence[int], key: str) -> Answer:
    """Heats of an open stage begin together, their clocks run (UX-06). Those that had begun go on as they were.

    Answer: `{"stage", "started": numbers}`. Refusals: those of `day.run`, `stage_unknown`, `stage_not_open`,
    `heat_unknown`, `plays_here`, `sheet_closed`, `already_started` (all of them), `no_heats`.
    """

    def work(row: Tournament) -> Answer:
        tables = _tables(actor, row, stage, heats)
        begun = started([heat.sheet_id for heat, _ in tables])
        ready = [(heat, table) for heat, table in tables if heat.sheet_id not in begun]
        if not ready:
            raise Refusal("already_started", article="S9")
        now = trusted_now()
        return {"stage": stage, "started": _at_each(ready, lambda table: clock.start(table, now))}

    told = {"stage": stage, "heats": list(heats)}
    return day.run(actor, tournament, "start_heats", key, told, work)


def suspend_heats(
    actor: Actor, tournament: UUID, *, stage: int, heats: Sequence[int], clock_stopped: bool, reason: str, key: str
) -> Answer:
    """Play rests at these tables for one reason; their clocks are stopped, or could not be (S10, UX-10).

    Answer: `{"stage", "suspended": numbers, "clock_stopped"}`. Refusals: as `start_heats`, and those of
    `clock.suspend_match`.
    """

    def work(row: Tournament) -> Answer:
        tables = _tables(actor, row, stage, heats)
        rest = lambda table: clock.suspend(table, clock_stopped=clock_stopped, reason=reason)  # noqa: E731
        return {"stage": stage, "suspended": _at_each(tables, rest), "clock_stopped": clock_stopped}

    told = {"stage": stage, "heats": list(heats), "clock_stopped": clock_stopped, "reason": reason}
    return day.run(actor, tournament, "suspend_heats", key, told, work)


def resume_heats(actor: Actor, tournament: UUID, *, stage: int, heats: Sequence[int], key: str) -> Answer:
    """Play goes on at these tables. Answer: `{"stage", "resumed": numbers}`. Refusals: as above, `not_suspended`."""

    def work(row: Tournament) -> Answer:
        return {"stage": stage, "resumed": _at_each(_tables(actor, row, stage, heats), clock.resume)}

    return day.run(actor, tournament, "resume_heats", key, {"stage": stage, "heats": list(heats)}, work)


def cancel_heat(actor: Actor, tournament: UUID, *, stage: int, heat: int, reason: str, key: str) -> Answer:
    """A start by mistake is taken back before the first hand (UX-50).

    Answer: `{"stage", "cancelled": [its number]}`. Refusals: as `clock.cancel_start`.
    """

    def work(row: Tournament) -> Answer:
        tables = _tables(actor, row, stage, [heat])
        return {"stage": stage, "cancelled": _at_each(tables, lambda table: clock.cancel(table, reason))}

    told = {"stage": stage, "heat": heat, "reason": reason}
    return day.run(actor, tournament, "cancel_heat", key, told, work)


def replay_heat(actor: Actor, tournament: UUID, *, stage: int, heat: int, reason: str, key: str) -> Answer:
    """A match that was interrupted to be played anew gets a new sheet and a new clock, with the same five (D8).

    The old sheet is frozen and kept. Seats are to be drawn again. Answer: `{"stage", "heat", "match": the new
    one, "instead_of"}`. Refusals: as `start_heats`, `not_interrupted`, `reason_required`.
    """

    def work(row: Tournament) -> Answer:
        ((found, table),) = _tables(actor, row, stage, [heat])
        why = checked_reason(reason)
        if not table.powers.clock:
            raise Refusal("not_allowed")
        held = hold(found.sheet_id)
        if held is None or held.clock.interrupted != "replay":
            raise Refusal("not_interrupted", article="D8")
        old = found.sheet_id
        people = tuple(Seat.objects.filter(sheet=old).order_by("number").values_list("person", flat=True))
        put_aside(found)
        (new,) = open_tables(row, found.stage_id, [NewTable(found.name, people)], held.match.length)
        Match.objects.filter(pk=new.pk).update(rules=held.match.rules)
        found.sheet, found.seat_draw = new, None
        found.save(update_fields=["sheet", "seat_draw"])
        refresh_offences(row)
        clock.note(replace(table, sheet=new), "D8", why)
        return {"stage": stage, "heat": heat, "match": str(new.pk), "instead_of": str(old)}

    told = {"stage": stage, "heat": heat, "reason": reason}
    return day.run(actor, tournament, "replay_heat", key, told, work)


def replace_in_heat(
    actor: Actor,
    tournament: UUID,
    *,
    stage: int,
    heat: int,
    seat: int,
    player: str | None = None,
    person: UUID | str | None = None,
    club: str = "",
    reason: str,
    key: str,
) -> Answer:
    """Somebody else takes a seat before the first hand (UX-51): an entrant who sits nowhere, or (`person`) a late one.

    Only in the first stage: later ones are renounced, and the lawful substitute comes (S8). The phone of who leaves is
    no longer that seat. Answer: `{"stage", "heat", "seat", "out", "in"}`, by code. Refusals: as `start_heats`,
    `withdraw_instead`, `hands_on_sheet`, `seat_unknown`, `entrant_unknown`, `sits_already`, `reason_required`, those
    of `entering.enter_player`.
    """

    def work(row: Tournament) -> Answer:
        if stage != 1:
            raise Refusal("withdraw_instead", article="S8")
        ((found, table),) = _tables(actor, row, stage, [heat])
        why = checked_reason(reason)
        table.require_open()
        _check_no_hand(found)
        leaves = Seat.objects.filter(sheet=found.sheet_id, number=seat).values_list("person", flat=True).first()
        if leaves is None:
            raise Refusal("seat_unknown", {"seat": seat}, article="S1", pointer="/seat")
        out = Entrant.objects.get(tournament=row, person=leaves)
        comes = _who_comes(row, player, person, club)
        if Seat.objects.filter(round=found.stage_id, person=comes.person_id).exists():
            raise Refusal("sits_already", {"name": comes.name}, article="S6", pointer="/player")
        take_seat(found, out.person_id, comes.person_id, {out.code: comes.code})
        Entrant.objects.filter(pk=comes.pk).update(present=True)
        clock.note(table, "D12", why)
        _grow(table)
        return {"stage": stage, "heat": heat, "seat": seat, "out": out.code, "in": comes.code}

    who = {"player": player, "person": str(person or ""), "known": isinstance(person, UUID), "club": club}
    told = {"stage": stage, "heat": heat, "seat": seat, **who, "reason": reason}
    return day.run(actor, tournament, "replace_in_heat", key, told, work)


def _check_no_hand(heat: Heat) -> None:
    """Refusal `hands_on_sheet`: the first hand was begun."""
    held = hold(heat.sheet_id)
    if hands_told(heat.sheet_id) or (held is not None and held.clock.awarded):
        raise Refusal("hands_on_sheet", article="S11")


def _who_comes(row: Tournament, player: str | None, person: UUID | str | None, club: str) -> Entrant:
    """Refusals: `entrant_unknown`, those of `entering.enter_player`."""
    if person is not None:
        return Entrant.objects.get(tournament=row, code=enter(row, person, club))
    found = Entrant.objects.filter(tournament=row, code=player).first()
    if found is None:
        raise Refusal("entrant_unknown", pointer="/player")
    return found


def close_stage(actor: Actor, tournament: UUID, *, key: str) -> Answer:
    """The open stage is over: its sheets are frozen, and what follows is reckoned (S11). The two finals close together.

    Where nothing else decides between players, lots are drawn (D15). Answer: `{"stages": numbers, "lots": how many}`.
    Refusals: those of `day.run`, `no_open_stage`, `heat_open` (tables whose sheet is not signed), `plays_here`.
    """

    def work(row: Tournament) -> Answer:
        stages = list(Stage.objects.filter(tournament=row, state=Stage.State.OPEN).order_by("number"))
        if not stages:
            raise Refusal("no_open_stage")
        day.require_plays_nowhere(actor, row)
        heats = list(Heat.objects.filter(stage__in=stages).order_by("stage__number", "number"))
        sheets = {sheet: lock_sheet(sheet) for sheet in sorted(heat.sheet_id for heat in heats)}
        unsigned = tuple(heat.name for heat in heats if sheets[heat.sheet_id].state != Sheet.State.CLOSED)
        if unsigned:
            raise Refusal("heat_open", {"tables": unsigned}, article="S11")
        Sheet.objects.filter(pk__in=list(sheets)).update(state=Sheet.State.FROZEN)
        Stage.objects.filter(pk__in=[stage.pk for stage in stages]).update(state=Stage.State.CLOSED)
        _, drawn = settle_with_lots(row)
        publish(*topics_of(sheets))
        return {"stages": [stage.number for stage in stages], "lots": drawn}

    return day.run(actor, tournament, "close_stage", key, {}, work)


# Tables


def _tables(actor: Actor, row: Tournament, stage: int, heats: Sequence[int]) -> list[tuple[Heat, Table]]:
    """Tables of an open stage, locked in one order everywhere, listed by number.

    Refusals: `stage_unknown`, `stage_not_open`, `plays_here`, `no_heats`, `heat_unknown`.
    """
    found = day.stage_of(row, stage)
    if found.state != Stage.State.OPEN:
        raise Refusal("stage_not_open")
    day.require_not_playing(actor, found)
    wanted = set(heats)
    if not wanted:
        raise Refusal("no_heats")
    rows = list(Heat.objects.filter(stage=found, number__in=wanted).order_by("sheet"))
    if len(rows) != len(wanted):
        raise Refusal("heat_unknown")
    locked = [(heat, locked_table(actor, heat.sheet_id)) for heat in rows]
    return sorted(locked, key=lambda pair: pair[0].number)


def _at_each(tables: Sequence[tuple[Heat, Table]], verb: Callable[[Table], Any]) -> list[int]:
    """Does the same at each of these tables; their numbers."""
    for _, table in tables:
        verb(table)
        _grow(table)
    return [heat.number for heat, _ in tables]


def _grow(table: Table) -> None:
    """Something happened at a table: its pages are to be read again."""
    table.sheet.version += 1
    table.sheet.save(update_fields=["version"])
    publish(*topics_of([table.sheet.pk]))
