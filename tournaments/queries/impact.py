"""What would follow from a correction or a withdrawal: a dry replay before anybody confirms it; nothing is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Q

from core.refusal import Refusal
from gameplay.models import ClockEvent
from scoring.models import Entry as EntryRow
from scoring.models import Seat, Sheet
from scoring.queries import SheetEntries, entries_by_sheet, rules_of
from scoring.rules.scoresheet import Entry, Voided, append_entry, lines_of
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.exchange.rows import Rows, file_of, read_rows
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.rules import replay as rules
from tournaments.rules.differences import Difference, differences
from tournaments.rules.qualification import Qualification, Substitution


class Move(NamedTuple):
    """Who takes whose seat, by code, at which table."""

    heat: int
    out: str
    into: str


@dataclass(frozen=True)
class Follow:
    """What becomes of a stage that is not closed, once those before it say something else.

    `dropped`: an open stage that is no longer held, or a draft that must be made again; else `moves`.
    """

    stage: int
    kind: str
    state: str
    dropped: bool
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Impact:
    """Everything that would be otherwise. `substitutions`: those that come on top, each with its article."""

    changes: tuple[Difference, ...]
    substitutions: tuple[Substitution, ...]
    follows: tuple[Follow, ...]


def correction_impact(tournament: Tournament, *, stage: int, heat: int, entry: Entry) -> Impact:
    """What an entry on the sheet of a closed stage would change (UX-14).

    Refusals: `heat_unknown`, `totals_only`, `nothing_left`, `dependent_live`, those of `append_entry` and of `replay`.
    """
    rows = read_rows(tournament)
    found = next((row for row in rows.heats if (row.stage, row.number) == (stage, heat)), None)
    if found is None:
        raise Refusal("heat_unknown")
    check_nothing_live(tournament)
    written = entries_by_sheet(rows.sheet_ids())
    known = written[found.sheet]
    if known.totals:
        raise Refusal("totals_only", article="S11")
    grown = append_entry(known.entries, entry, rules_of(Sheet.objects.get(pk=found.sheet)))
    if is_empty(grown):
        raise Refusal("nothing_left", article="S11")
    return _impact(tournament, (rows, written), (rows, {**written, found.sheet: known._replace(entries=grown)}))


def withdrawal_impact(tournament: Tournament, *, player: str, target: str) -> Impact:
    """What it would change if a player renounced a stage (S8, D14, D16).

    Refusals: `match_running` (a table that would get other players has begun, D8), and those of `replay`:
    `not_qualified`, `not_called`, `no_substitute`, `wrong_qualifiers` (that stage has been played), `lot_missing`.
    """
    rows = read_rows(tournament)
    written = entries_by_sheet(rows.sheet_ids())
    changed = replace(rows, withdrawals=(*rows.withdrawals, (player, target)))
    told = _impact(tournament, (rows, written), (changed, written))
    for step in told.follows:
        heats = Heat.objects.filter(stage__tournament=tournament, stage__number=step.stage)
        check_not_begun(heats if step.dropped else heats.filter(number__in=[move.heat for move in step.moves]))
    return told


Written = Mapping[UUID, SheetEntries]


def _impact(tournament: Tournament, old: tuple[Rows, Written], new: tuple[Rows, Written]) -> Impact:
    before, after = file_of(*old), file_of(*new)
    was, would_be = (rules.replay(record_from_file(file)) for file in (before, after))
    return Impact(
        differences(before, result_of(was), after, result_of(would_be)),
        _new_substitutions(was, would_be),
        follows_of(tournament, would_be),
    )


def _new_substitutions(was: rules.Tournament, would_be: rules.Tournament) -> tuple[Substitution, ...]:
    found: list[Substitution] = []
    for old, new in zip(was.stages, would_be.stages, strict=True):
        if old.qualification and new.qualification:
            known = set(old.qualification.substitutions)
            found += [swap for swap in new.qualification.substitutions if swap not in known]
    return tuple(found)


def is_empty(entries: Sequence[Entry]) -> bool:
    """Nothing on a sheet counts any more."""
    return all(isinstance(line[-1].content, Voided) for line in lines_of(entries))


# Stages that are not closed


def follows_of(tournament: Tournament, outcome: rules.Tournament) -> tuple[Follow, ...]:
    """What becomes of the stages that are not closed when the closed ones come to this outcome."""
    last = outcome.stages[-1].qualification if outcome.stages else None
    if last is None:
        return ()
    found = []
    for stage in Stage.objects.filter(tournament=tournament).exclude(state=Stage.State.CLOSED).order_by("number"):
        expected = expected_in(stage.kind, last)
        if stage.state == Stage.State.DRAFT:
            drawn = (stage.plan or {}).get("players", ())
            if sorted(drawn) != sorted(expected):
                found.append(Follow(stage.number, stage.kind, stage.state, True, ()))
            continue
        seated = seated_in(stage)
        if not expected:
            found.append(Follow(stage.number, stage.kind, stage.state, True, ()))
        elif moves := moves_to(seated, expected):
            found.append(Follow(stage.number, stage.kind, stage.state, False, moves))
    return tuple(found)


def expected_in(kind: str, qualification: Qualification) -> tuple[str, ...]:
    """Whom the stage before calls; nobody for a second final that is not held."""
    return qualification.second_final if kind == rules.SECOND_FINAL else qualification.qualified


def seated_in(stage: Stage) -> list[tuple[int, str]]:
    """Number of the table and code of everybody who sits in a stage, in order."""
    codes = dict(Entrant.objects.filter(tournament=stage.tournament_id).values_list("person", "code"))
    heats = dict(Heat.objects.filter(stage=stage).values_list("sheet", "number"))
    seats = Seat.objects.filter(sheet__in=list(heats)).order_by("sheet", "number")
    return sorted((heats[seat.sheet_id], codes[seat.person_id]) for seat in seats)


def moves_to(seated: Sequence[tuple[int, str]], expected: Collection[str]) -> tuple[Move, ...]:
    """Who comes in for whom, so that those sit who are expected; the others keep their seats."""
    here = {code for _, code in seated}
    leaving = [(heat, code) for heat, code in seated if code not in expected]
    coming = [code for code in expected if code not in here]
    return tuple(Move(heat, out, into) for (heat, out), into in zip(leaving, coming, strict=True))


def started(sheets: Collection[UUID]) -> frozenset[UUID]:
    """Which of these matches have begun: the clock was started, or something is on the sheet. Two queries."""
    kinds = ClockEvent.Kind
    clocks = (
        ClockEvent.objects.filter(match__in=sheets)
        .values("match")
        .annotate(
            begun=Count("pk", filter=Q(kind=kinds.STARTED)), taken_back=Count("pk", filter=Q(kind=kinds.CANCELLED))
        )
    )
    begun = {row["match"] for row in clocks if row["begun"] > row["taken_back"]}
    return frozenset(begun.union(EntryRow.objects.filter(sheet__in=sheets).values_list("sheet", flat=True)))


def check_not_begun(heats: Iterable[Heat]) -> None:
    """Refusal `match_running`, naming the tables that have begun (D8)."""
    names = {heat.sheet_id: heat.name for heat in heats}
    live = started(names)
    if live:
        tables = tuple(name for sheet, name in names.items() if sheet in live)
        raise Refusal("match_running", {"tables": tables}, article="D8")


def check_nothing_live(tournament: Tournament) -> None:
    """Refusal `dependent_live`, naming the tables: a match that depends on closed results has begun."""
    stages = Stage.objects.filter(tournament=tournament, state=Stage.State.OPEN, number__gt=1)
    names = dict(Heat.objects.filter(stage__in=stages).order_by("number").values_list("sheet", "name"))
    live = started(names)
    if live:
        tables = tuple(name for sheet, name in names.items() if sheet in live)
        raise Refusal("dependent_live", {"tables": tables}, article="S8")
