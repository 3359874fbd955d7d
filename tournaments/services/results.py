"""Corrections of results: what is written stays, what holds is a new entry, and everything that follows is anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from core.commands import once
from core.live import HALL, PUBLIC, publish
from core.refusal import Refusal
from players.actor import Actor
from players.models import Scope
from players.rules.rights import RUN_TOURNAMENT
from players.services import above, write_audit
from scoring.models import Sheet
from scoring.queries import entries_of
from scoring.rules.hands import SEATS
from scoring.rules.scoresheet import Award, Entry, SeatTotals
from scoring.services.sheets import append, correct_totals, lock_sheet
from tournaments.exchange.rows import hand_of, record_of
from tournaments.models import Heat, Stage
from tournaments.queries.impact import check_nothing_live, is_empty
from tournaments.rules.replay import replay
from tournaments.services import day
from tournaments.services.following import follow, refresh_offences
from tournaments.services.publishing import lock_tournament, publish_version, settle


def correct_result(
    actor: Actor, tournament: UUID, *, stage: int, heat: int, entry: Entry, version: int, key: str
) -> dict[str, Any]:
    """Writes an entry on the sheet of a heat that is over: a correction (`entry.replaces`, with a reason) or an award.

    `version`: the version of the tournament that the writer saw. Everything that follows is computed anew: who sits in
    a stage that is open but was not begun, whether a draft still holds; of a published tournament a new version is
    published at once, with the reason. Answer: `{"version", "published"}` of the tournament afterwards.

    Refusals: `not_allowed`, `tournament_unknown`, `heat_unknown`, `stage_not_closed` (a match that is played is
    corrected at its table), `plays_here`, `dependent_live`, `stale_version`, `key_reused`, `nothing_left`,
    `reason_required`, those of `scoring.services.append` and of `replay` (a correction that contradicts who was
    seated later, S8).
    """

    def write(sheet: Sheet) -> None:
        append(sheet, entry, frozen=True)
        if is_empty(entries_of(sheet.pk).entries):
            raise Refusal("nothing_left", article="S11")

    reason = entry.content.reason if isinstance(entry.content, Award) and not entry.reason else entry.reason
    told = [hand_of(entry.content, range(SEATS)), entry.replaces, entry.reason]
    return _correct(actor, tournament, (stage, heat), version, key, told, reason, write)


def correct_heat_totals(
    actor: Actor, tournament: UUID, *, stage: int, heat: int, totals: SeatTotals, reason: str, version: int, key: str
) -> dict[str, Any]:
    """Other totals for a heat of which only totals survive. Answer and refusals as those of `correct_result`."""
    told = [list(totals.points), totals.hands_played, list(totals.adjustments), reason]
    return _correct(
        actor, tournament, (stage, heat), version, key, told, reason, lambda s: correct_totals(s, totals, reason)
    )


def _correct(
    actor: Actor,
    tournament: UUID,
    place: tuple[int, int],
    version: int,
    key: str,
    told: list[Any],
    reason: str,
    write: Callable[[Sheet], None],
) -> dict[str, Any]:
    body = {"tournament": str(tournament), "heat": list(place), "told": told, "version": version}

    def work() -> dict[str, Any]:
        row = lock_tournament(tournament)
        actor.require(RUN_TOURNAMENT, above(row.scope_id))
        if row.version != version:
            raise Refusal("stale_version", {"version": row.version}, pointer="/version")
        heats = Heat.objects.filter(stage__tournament=row).select_related("stage")
        found = heats.filter(stage__number=place[0], number=place[1]).first()
        if found is None:
            raise Refusal("heat_unknown")
        if found.stage.state != Stage.State.CLOSED:
            raise Refusal("stage_not_closed", article="S11")
        day.require_plays_nowhere(actor, row)
        check_nothing_live(row)
        sheet = lock_sheet(found.sheet_id)
        write(sheet)
        refresh_offences(row)
        row.version += 1
        row.save(update_fields=["version"])
        rows = settle(row)
        follow(row, replay(record_of(rows)))
        payload = {"heat": list(place), "sheet_version": sheet.version}
        write_audit(Scope.objects.get(pk=row.scope_id), actor, "correct_result", payload)
        if row.published:
            publish_version(actor, row, rows, reason)
        everybody = [PUBLIC, HALL] if row.announced else []
        publish(f"sheet:{sheet.pk}", *(f"scope:{scope}" for scope in above(row.scope_id)), *everybody)
        return {"version": row.version, "published": row.published}

    return once(actor.name, "correct_result", key, body, work)
