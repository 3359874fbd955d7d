"""From the last heats to the finals: who renounces, who moves up, and how long the second final lasts (S8, S9)."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from core.refusal import Refusal
from gameplay.models import Match
from gameplay.rules.ruleset import game_rules
from gameplay.services.acting import checked_text
from gameplay.services.matches import TABLE_NAME
from players.actor import Actor
from tournaments.exchange.rows import read_rows, record_of
from tournaments.models import Entrant, Heat, Stage, Tournament, Withdrawal
from tournaments.rules.qualification import Qualification
from tournaments.rules.replay import FINAL, HEATS, SECOND_FINAL, replay
from tournaments.services import day
from tournaments.services.following import (
    MINUTE,
    NewTable,
    check_not_started,
    follow,
    open_stage,
    people_of,
)
from tournaments.services.publishing import settle

Answer = dict[str, Any]
_TARGET = re.compile(rf"{FINAL}|{SECOND_FINAL}|{HEATS}:([2-9]|[1-9][0-9]{{1,3}})")
"""What can be renounced."""


def withdraw(actor: Actor, tournament: UUID, *, player: str, target: str, key: str) -> Answer:
    """A player renounces the stage that he reached, or does not come to it (S8, D14, D16).

    `target`: `final`, `second_final` or `heats:K`. Where that stage is open already, who moves up takes his seat; a
    draft of it is dropped. Answer: `{"withdrawals": how many, "moved": how many seats}`.

    Refusals: those of `day.run`, `entrant_unknown`, `stage_played`, `match_running` (then it is D8),
    `not_qualified`, `not_called`, `no_substitute`, `lot_missing`, `plays_here`.
    """

    def work(row: Tournament) -> Answer:
        day.require_plays_nowhere(actor, row)
        if not _TARGET.fullmatch(target):
            raise Refusal("not_qualified", {"player": player}, article="S8")
        entrant = Entrant.objects.filter(tournament=row, code=player).first()
        if entrant is None:
            raise Refusal("entrant_unknown")
        stage = stage_called(row, target)
        if stage is not None:
            check_renounced(stage, entrant)
        number = 1 + Withdrawal.objects.filter(tournament=row).count()
        Withdrawal.objects.create(tournament=row, number=number, entrant=entrant, target=target)
        settle(row)
        done = follow(row, replay(record_of(read_rows(row))))
        return {"withdrawals": number, "moved": sum(len(step.moves) for step in done)}

    return day.run(actor, tournament, "withdraw", key, {"player": player, "target": target}, work)


def revoke_withdrawal(actor: Actor, tournament: UUID, *, number: int, key: str) -> Answer:
    """The last withdrawal was written by mistake: it is gone, while the stage that it renounced waits.

    `number`: how many there are, so that no other one is taken back. Who moved up gives the seat back. Answer:
    `{"number", "player", "target", "moved": how many seats}`. Refusals: those of `day.run`, `plays_here`,
    `not_the_last`, `stage_played`, `match_running`, `second_final_gone` (that table fell away with the withdrawal).
    """

    def work(row: Tournament) -> Answer:
        day.require_plays_nowhere(actor, row)
        last = Withdrawal.objects.filter(tournament=row).select_related("entrant").order_by("-number").first()
        if last is None or Withdrawal.objects.filter(tournament=row).count() != number:
            raise Refusal("not_the_last", article="S8")
        stage = stage_called(row, last.target)
        if stage is not None:
            if stage.state == Stage.State.CLOSED:
                raise Refusal("stage_played", article="S8")
            check_not_started(list(Heat.objects.filter(stage=stage)))
        last.delete()
        settle(row)
        outcome = replay(record_of(read_rows(row)))
        called = outcome.stages[-1].qualification
        if called and called.second_final and stage_called(row, FINAL) and not stage_called(row, SECOND_FINAL):
            raise Refusal("second_final_gone", article="S8")
        done = follow(row, outcome)
        moved = sum(len(step.moves) for step in done)
        return {"number": number, "player": last.entrant.code, "target": last.target, "moved": moved}

    return day.run(actor, tournament, "revoke_withdrawal", key, {"number": number}, work)


def stage_called(row: Tournament, target: str) -> Stage | None:
    """The stage that a target names, None while nobody has drawn or opened it."""
    stages = Stage.objects.filter(tournament=row).order_by("number")
    if target in (FINAL, SECOND_FINAL):
        return stages.filter(kind=target).first()
    heats = list(stages.filter(kind=HEATS))
    number = int(target.removeprefix(f"{HEATS}:")) if _TARGET.fullmatch(target) else 0
    return heats[number - 1] if 1 <= number <= len(heats) else None


def check_renounced(stage: Stage, entrant: Entrant) -> None:
    """Refusals: `stage_played`, `match_running` where he sits at a table that has begun (D8)."""
    if stage.state == Stage.State.CLOSED:
        raise Refusal("stage_played", article="S8")
    if stage.state == Stage.State.OPEN:
        check_not_started(list(Heat.objects.filter(stage=stage, sheet__seats__person=entrant.person_id)))


def open_finals(actor: Actor, tournament: UUID, *, names: tuple[str, str], key: str) -> Answer:
    """The final and, where it is held, the second final, as their players are listed until seats are drawn (S8).

    `names`: of the two tables. Answer: `{"final": number of the stage, "second_final": its number or None}`.
    Refusals: those of `day.run`, `stage_open`, `wrong_stage` (no final is due, D20), `table_name_missing`.
    """

    def work(row: Tournament) -> Answer:
        final, second = (
            checked_text(name, length=TABLE_NAME, code="table_name_missing", pointer=f"/{field}")
            for name, field in zip(names, (FINAL, SECOND_FINAL), strict=True)
        )
        if Stage.objects.filter(tournament=row).exclude(state=Stage.State.CLOSED).exists():
            raise Refusal("stage_open")
        called, number = _called_to_final(row)
        length = game_rules(row.rules or {})
        people = people_of(row)

        def table(name: str, codes: tuple[str, ...]) -> list[NewTable]:
            return [NewTable(name, tuple(people[code] for code in codes))]

        open_stage(row, FINAL, number, table(final, called.qualified), length.match_minutes)
        if called.second_final:
            two = table(second, called.second_final)
            open_stage(row, SECOND_FINAL, number + 1, two, length.second_final_minutes)
        return {"final": number, "second_final": number + 1 if called.second_final else None}

    return day.run(actor, tournament, "open_finals", key, {"names": list(names)}, work)


def _called_to_final(row: Tournament) -> tuple[Qualification, int]:
    """Who goes to the finals, and the number of the final. Refusal: `wrong_stage`."""
    stages = replay(record_of(read_rows(row))).stages
    last = stages[-1].qualification if stages else None
    if last is None or not last.plan.final:
        seats = last.plan.seats if last else 0
        raise Refusal("wrong_stage", {"seats": seats, "due": HEATS}, article="D20")
    return last, len(stages) + 1


def agree_second_final(actor: Actor, tournament: UUID, *, minutes: int, key: str) -> Answer:
    """How long the second final lasts: half of a match at least; agreed before it starts (S9, D11).

    Answer: `{"minutes"}`. Refusals: those of `day.run`, `second_final_too_short`, `second_final_too_long`,
    `stage_played`, `match_running`, `plays_here`.
    """

    def work(row: Tournament) -> Answer:
        rules = game_rules({**(row.rules or {}), "second_final_minutes": minutes})
        stage = stage_called(row, SECOND_FINAL)
        if stage is not None:
            if stage.state == Stage.State.CLOSED:
                raise Refusal("stage_played", article="S9")
            day.require_not_playing(actor, stage)
            heats = list(Heat.objects.filter(stage=stage))
            check_not_started(heats)
            sheets = [heat.sheet_id for heat in heats]
            Match.objects.filter(pk__in=sheets).update(length=minutes * MINUTE, rules=rules._asdict())
        row.rules = {**(row.rules or {}), "second_final_minutes": minutes}
        row.save(update_fields=["rules"])
        return {"minutes": minutes}

    return day.run(actor, tournament, "agree_second_final", key, {"minutes": minutes}, work)
