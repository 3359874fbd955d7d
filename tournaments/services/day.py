"""The frame of every verb of an organiser's day: once, locked, asked for, written down, told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from core.commands import once
from core.live import HALL, PUBLIC, publish
from core.refusal import Refusal
from players.actor import Actor
from players.models import Scope
from players.queries import above
from players.rules.rights import RUN_TOURNAMENT
from players.services import write_audit
from scoring.models import Seat
from tournaments.models import Stage, Tournament
from tournaments.services.publishing import lock_tournament

Answer = dict[str, Any]


def run(
    actor: Actor,
    tournament: UUID,
    verb: str,
    key: str,
    told: Answer,
    work: Callable[[Tournament], Answer],
    *,
    quiet: bool = False,
) -> Answer:
    """Does `work` on a tournament that is run here, its scope and row locked, once for this key.

    The answer has the new `version` of the tournament; it stands in the audit trail (ids and numbers, no names).
    What `work` changes of the row is saved. Staff hear of it, and everybody once it is announced; `quiet`: staff only,
    for what nobody else's page shows.
    Refusals: `not_allowed`, `tournament_unknown`, `not_live`, `key_reused`, `bad_key`, and what `work` refuses.
    """

    def locked() -> Answer:
        row = lock_tournament(tournament)
        actor.require(RUN_TOURNAMENT, above(row.scope_id))
        if not row.live:
            raise Refusal("not_live")
        answer = work(row)
        row.version += 1
        row.save()
        write_audit(Scope.objects.get(pk=row.scope_id), actor, verb, {"version": row.version, **answer})
        everybody = [PUBLIC, HALL] if row.announced and not quiet else []
        # Who runs a club hears its scope and not those below it.
        publish(*(f"scope:{scope}" for scope in above(row.scope_id)), *everybody)
        return {**answer, "version": row.version}

    return once(actor.name, verb, key, {"tournament": str(tournament), **told}, locked)


def stage_of(tournament: Tournament, number: int) -> Stage:
    """A stage by its number. Refusal: `stage_unknown`."""
    found = Stage.objects.filter(tournament=tournament, number=number).first()
    if found is None:
        raise Refusal("stage_unknown", {"number": number}, pointer="/stage")
    return found


def require_not_playing(actor: Actor, stage: Stage) -> None:
    """Who plays is a player: nobody runs an open stage in which he sits. Refusal: `plays_here`."""
    if actor.person is None or stage.state != Stage.State.OPEN:
        return
    if Seat.objects.filter(round=stage.pk, person=actor.person).exists():
        raise Refusal("plays_here")


def require_plays_nowhere(actor: Actor, tournament: Tournament) -> None:
    """What seats players in later stages is not for who sits in any open one. Refusal: `plays_here`."""
    for stage in Stage.objects.filter(tournament=tournament, state=Stage.State.OPEN):
        require_not_playing(actor, stage)
