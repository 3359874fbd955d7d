"""What stages that are not closed take from those before them: who sits there, and offences that still count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from core.entropy import new_id
from core.live import publish
from gameplay.models import Match
from gameplay.rules.ruleset import game_rules
from gameplay.services.telling import topics_of
from players.services.passes import revoke_pass
from scoring.models import Seat, Sheet
from scoring.rules.hands import NO_POINTS, SEATS
from scoring.rules.ruleset import scoring_rules
from scoring.services.sheets import NewSheet, lock_sheet, open_sheets, set_offences_before, set_seat
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.queries.impact import Follow, check_not_begun, follows_of
from tournaments.rules import replay as rules

MINUTE = 60  # seconds


class NewTable(NamedTuple):
    """A table to be opened: its name, and five people in order of their seats."""

    name: str
    people: tuple[UUID, ...]


def open_stage(row: Tournament, kind: str, number: int, tables: Sequence[NewTable], minutes: int) -> Stage:
    """An open stage of a locked tournament with its sheets and matches, nothing started."""
    stage = Stage.objects.create(tournament=row, number=number, kind=kind, state=Stage.State.OPEN)
    open_heats(row, stage, tables, minutes)
    return stage


def open_heats(row: Tournament, stage: Stage, tables: Sequence[NewTable], minutes: int) -> None:
    """The heats of a stage, in this order, with their sheets and matches. As many statements for one as for many."""
    sheets = open_tables(row, stage.pk, tables, minutes * MINUTE)
    Heat.objects.bulk_create(
        [
            Heat(stage=stage, number=at, name=table.name, sheet=sheet)
            for at, (table, sheet) in enumerate(zip(tables, sheets, strict=True), start=1)
        ],
        batch_size=2000,
    )
    refresh_offences(row)


def open_tables(row: Tournament, round_: UUID, tables: Sequence[NewTable], length: int | None) -> list[Sheet]:
    """New sheets with their matches; `length` in seconds."""
    adjusted = row.rules or {}
    scoring, game = scoring_rules(adjusted)._asdict(), game_rules(adjusted)._asdict()
    sheets = [Sheet(id=new_id(), scope_id=row.scope_id, rules=scoring) for _ in tables]
    pairs = list(zip(tables, sheets, strict=True))
    open_sheets([NewSheet(sheet, table.people, round_, NO_POINTS, ()) for table, sheet in pairs])
    Match.objects.bulk_create(
        [Match(sheet=sheet, table_name=table.name, rules=game, length=length) for table, sheet in pairs],
        batch_size=2000,
    )
    return sheets


def people_of(row: Tournament) -> dict[str, UUID]:
    """Person by code."""
    return dict(Entrant.objects.filter(tournament=row).values_list("code", "person"))


# Seats that follow


def follow(row: Tournament, outcome: rules.Tournament) -> tuple[Follow, ...]:
    """Stages that are not closed become what the closed ones now lead to; what was done.

    Who moves up takes the seat, and the card that was drawn for it; the phones of who leaves are out. A draft that
    has the wrong players is dropped, and so is a second final that is no longer held. Refusal `match_running`: a match
    that would get other players has begun (D8).
    """
    done = follows_of(row, outcome)
    people = people_of(row)
    for step in done:
        stage = Stage.objects.select_for_update(no_key=True).get(tournament=row, number=step.stage)
        if step.state == Stage.State.DRAFT:
            stage.delete()
            continue
        heats = {heat.number: heat for heat in Heat.objects.filter(stage=stage).order_by("sheet")}
        changed = [heat for heat in heats.values() if step.dropped or heat.number in {move.heat for move in step.moves}]
        check_not_started(changed)
        if step.dropped:
            _drop(stage, changed)
        for move in step.moves:
            take_seat(heats[move.heat], people[move.out], people[move.into], {move.out: move.into})
    if done:
        refresh_offences(row)
    return done


def check_not_started(heats: Sequence[Heat]) -> None:
    """Locks the sheets of these tables. Refusal `match_running`, naming those that have begun (D8)."""
    for heat in sorted(heats, key=lambda heat: heat.sheet_id):
        lock_sheet(heat.sheet_id)
    check_not_begun(heats)


def take_seat(heat: Heat, out: UUID, into: UUID, codes: Mapping[str, str]) -> int:
    """Somebody takes the seat of another before the match begins; the number of the seat.

    `codes`: the code of the one for that of the other, in the draw of seats. Who plays is no referee of the stage any
    more (S2). Beside a published draw it stands who came for whom.
    """
    number = Seat.objects.get(sheet=heat.sheet_id, person=out).number
    set_seat(lock_sheet(heat.sheet_id), number, into)
    revoke_pass(place=heat.sheet_id, number=number)
    if heat.seat_draw:
        for told in {"rounds", "cards"} & heat.seat_draw.keys():
            rounds = [{codes.get(code, code): card for code, card in one.items()} for one in heat.seat_draw[told]]
            heat.seat_draw[told] = rounds
        heat.save(update_fields=["seat_draw"])
    left = list(Heat.objects.filter(stage=heat.stage_id, referee=into))
    Heat.objects.filter(pk__in=[other.pk for other in left]).update(referee=None)
    stage = Stage.objects.select_for_update(no_key=True).get(pk=heat.stage_id)
    if stage.plan is not None:
        told = [{"out": gone, "in": come, "heat": heat.number - 1} for gone, come in codes.items()]
        stage.plan["replaced"] = [*stage.plan.get("replaced", ()), *told]
        stage.save(update_fields=["plan"])
    publish(*topics_of([heat.sheet_id, *(other.sheet_id for other in left)]))
    return number


def _drop(stage: Stage, heats: Sequence[Heat]) -> None:
    """A stage that is not held after all. What its sheets say of it stays, and nobody can write on them."""
    for heat in heats:
        put_aside(heat)
        heat.delete()
    stage.delete()


def put_aside(heat: Heat) -> None:
    """The sheet of a table that starts anew, or is not held: frozen and kept, outside of its stage."""
    Sheet.objects.filter(pk=heat.sheet_id).update(state=Sheet.State.FROZEN)
    Seat.objects.filter(sheet=heat.sheet_id).update(round=None)
    for number in range(SEATS):
        revoke_pass(place=heat.sheet_id, number=number)
    publish(*topics_of([heat.sheet_id]))


def refresh_offences(row: Tournament) -> None:
    """Carries disloyal raises into the sheets of later stages, where they count through the tournament (D10)."""
    if (row.rules or {}).get("offence_scope") != "tournament":
        return
    before: Counter[UUID] = Counter()
    for stage in Stage.objects.filter(tournament=row).order_by("number"):
        sheets = list(Heat.objects.filter(stage=stage).order_by("number").values_list("sheet", flat=True))
        for sheet in sheets:
            people = Seat.objects.filter(sheet=sheet).order_by("number").values_list("person", flat=True)
            set_offences_before(sheet, tuple(before[person] for person in people))
        before.update(dict(Seat.objects.filter(sheet__in=sheets).values_list("person", "offences")))
