"""What follows from what was written down: places beside the entrants, published versions, rankings of series."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db import connection

from core.canonical import canonical, digest
from core.clock import database_now
from core.commands import once
from core.live import PUBLIC, publish
from core.refusal import Refusal
from players.actor import Actor
from players.models import Club, Scope
from players.rules.rights import IMPORT_TOURNAMENT, RUN_TOURNAMENT
from players.services import above, house_scope, lock_scopes, write_audit
from scoring.queries import entries_by_sheet
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.exchange.rows import Rows, file_of, read_rows, record_of
from tournaments.models import Edition, Entrant, Publication, Series, Snapshot, SnapshotLine, Stage
from tournaments.models import Tournament as TournamentRow
from tournaments.queries.series import ranking_after
from tournaments.rules.content import content_of
from tournaments.rules.replay import FINAL, SECOND_FINAL, Tournament, replay
from tournaments.rules.ruleset import WORLD_SERIES
from tournaments.rules.series import WORLD

# One statement for any number; the ORM's bulk_update takes a second for a thousand.
_WRITE_PLACES = """
UPDATE tournaments_entrant entrant
SET place = new.place, points = new.points, adjustment = new.adjustment, excluded = new.excluded
FROM unnest(%s::bigint[], %s::int[], %s::bigint[], %s::bigint[], %s::bool[])
    AS new (id, place, points, adjustment, excluded)
WHERE entrant.id = new.id
"""


def lock_tournament(tournament: UUID) -> TournamentRow:
    """The row of a tournament, its scope locked before it. Refusal: `tournament_unknown`."""
    found = TournamentRow.objects.filter(pk=tournament).values_list("scope", flat=True).first()
    if found is None:
        raise Refusal("tournament_unknown")
    lock_scopes(found)
    return TournamentRow.objects.select_for_update(of=["self"], no_key=True).get(pk=tournament)


def settle(tournament: TournamentRow) -> Rows:
    """Replays a locked tournament and writes the places that changed. Refusals: those of `replay`."""
    rows = read_rows(tournament)
    entrants = Entrant.objects.filter(tournament=tournament).order_by("position")
    write_places(entrants, replay(record_of(rows)))
    return rows


Places = tuple[int | None, int | None, int | None, bool]


def places_of(outcome: Tournament) -> Callable[[str], Places]:
    """By code: final place, points for the series, adjustment, and whether he renounced a stage."""
    places = {entry.player: entry.place for entry in outcome.final_ranking}
    excluded = frozenset(outcome.excluded)
    return lambda code: (places.get(code), outcome.points.get(code), outcome.ledger.get(code), code in excluded)


def write_places(entrants: Iterable[Entrant], outcome: Tournament) -> None:
    """Writes the projection of each entrant whose place, points or exclusion is another than before."""
    places = places_of(outcome)
    changed = []
    for entrant in entrants:
        now = places(entrant.code)
        if now != (entrant.place, entrant.points, entrant.adjustment, entrant.excluded):
            changed.append((entrant.pk, *now))
    if changed:
        with connection.cursor() as cursor:
            cursor.execute(_WRITE_PLACES, list(map(list, zip(*changed, strict=True))))


def publish_version(actor: Actor, tournament: TournamentRow, rows: Rows, reason: str = "") -> None:
    """A new published version of a locked and settled tournament, and what it means for its series.

    Refusal `reason_required` for every version but the first.
    """
    number = tournament.published + 1
    if number == 1:
        _enter_edition(actor, tournament, rows)
    elif not reason:
        raise Refusal("reason_required", article="S11", pointer="/reason")
    facts = content_of(file_of(rows, entries_by_sheet(rows.sheet_ids())))
    scope = Scope.objects.get(pk=tournament.scope_id)
    hash_ = digest(facts)
    write_audit(scope, actor, "publish", {"version": number, "content_hash": hash_})
    Publication.objects.create(
        tournament=tournament,
        version=number,
        content_hash=hash_,
        at=database_now(),
        reason=reason,
        facts=canonical(facts),
        result=canonical(result_of(replay(record_from_file(facts)))),
        audit_number=scope.audit_count,
        audit_hash=scope.audit_head,
    )
    tournament.published = number
    tournament.version += 1
    tournament.save(update_fields=["published", "version"])
    _refresh_series(tournament)
    publish(PUBLIC, f"scope:{tournament.scope_id}")


def publish_tournament(actor: Actor, tournament: UUID, *, key: str) -> dict[str, Any]:
    """Publishes a draft as version 1; one that is published stays as it is. Answer: `{"slug", "published", "counts"}`.

    Refusals: `not_allowed`, `tournament_unknown`, `key_reused`, those of `require_over`.
    """

    def work() -> dict[str, Any]:
        row = lock_tournament(tournament)
        actor.require(RUN_TOURNAMENT, above(row.scope_id))
        if not row.published:
            require_over(row)
            publish_version(actor, row, settle(row))
        return {"slug": row.slug, "published": row.published, "counts": hasattr(row, "edition_row")}

    return once(actor.name, "publish_tournament", key, {"tournament": str(tournament)}, work)


def require_over(row: TournamentRow) -> None:
    """Refusals: `stage_open` (not all is over, or nothing was played), `final_missing` where one is still played here.

    A file may end with its heats.
    """
    stages = list(Stage.objects.filter(tournament=row).order_by("number").values_list("kind", "state"))
    if {state for _, state in stages} != {Stage.State.CLOSED}:
        raise Refusal("stage_open")
    if row.live and stages[-1][0] not in (FINAL, SECOND_FINAL):
        raise Refusal("final_missing", article="S8")


def _enter_edition(actor: Actor, tournament: TournamentRow, rows: Rows) -> None:
    """Enters a tournament with a final as the edition that it says it is, if that number is free.

    A series is its club's; the world series is the house's, and only who may file there enters an edition of it.
    """
    finished = any(heat.kind == FINAL for heat in rows.heats)
    if not finished or tournament.edition is None:
        return
    if tournament.is_world:
        if not actor.may(IMPORT_TOURNAMENT, [house_scope().pk]):
            return
    elif tournament.club_id is None:
        return
    series = series_of(tournament)
    if not Edition.objects.filter(series=series, number=tournament.edition).exists():
        Edition.objects.create(series=series, number=tournament.edition, tournament=tournament)


def series_of(tournament: TournamentRow) -> Series:
    """The series of a tournament, made on first use, its row locked."""
    name = tournament.series or WORLD_SERIES
    club: Club | None = None if tournament.is_world else tournament.club
    series, _ = Series.objects.get_or_create(
        club=club, name=name, defaults={"points": list(WORLD.points), "window": WORLD.window}
    )
    return Series.objects.select_for_update(no_key=True).get(pk=series.pk)


def _refresh_series(tournament: TournamentRow) -> None:
    """New snapshots from the edition of this tournament on."""
    edition = Edition.objects.filter(tournament=tournament).first()
    if edition is not None:
        refresh_series(Series.objects.select_for_update(no_key=True).get(pk=edition.series_id), edition.number)


def refresh_series(series: Series, first: int) -> None:
    """Snapshots of a locked series from published edition number `first` on, where they differ from the last ones."""
    published = Edition.objects.filter(series=series, tournament__published__gt=0)
    for edition in published.filter(number__gte=first).order_by("number"):
        _take_snapshot(series, edition)
    series.version += 1
    series.save(update_fields=["version"])


def lines_after(series: Series, edition: Edition) -> tuple[list[int], list[SnapshotLine]]:
    """The ranking of a series after an edition: numbers of the editions that count, and the lines, not saved."""
    editions, table = ranking_after(series, edition.number)
    lines = [
        SnapshotLine(
            rank=standing.rank,
            shared=standing.shared,
            person_id=UUID(standing.player),
            points=standing.points,
            decided_by=standing.decided_by or "",
            lines=[list(line) for line in standing.lines],
        )
        for standing in table
    ]
    return [known.number for known in editions], lines


def _take_snapshot(series: Series, edition: Edition) -> None:
    numbers, table = lines_after(series, edition)
    last = Snapshot.objects.filter(edition=edition).order_by("-version").first()
    if last and figures(SnapshotLine.objects.filter(snapshot=last).order_by("rank")) == figures(table):
        return
    snapshot = Snapshot.objects.create(
        series=series,
        edition=edition,
        version=last.version + 1 if last else 1,
        dated=edition.tournament.date,
        editions=numbers,
    )
    for line in table:
        line.snapshot = snapshot
    SnapshotLine.objects.bulk_create(table, batch_size=2000)


def figures(table: Iterable[SnapshotLine]) -> list[tuple[object, ...]]:
    """The lines of a ranking as values that can be compared."""
    return [(line.rank, line.shared, line.person_id, line.points, line.decided_by, line.lines) for line in table]
