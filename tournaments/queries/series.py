"""Rankings over the editions that this house has in its books."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import F, TextField
from django.db.models.functions import Cast

from core.refusal import Refusal
from players.models import User
from tournaments.models import Edition as EditionRow
from tournaments.models import Entrant, Series, Snapshot, SnapshotLine
from tournaments.rules.series import Edition, SeriesLine, SeriesRules, Standing, series_table


def rules_of_series(series: Series) -> SeriesRules:
    """Its points by place and its window."""
    return SeriesRules(tuple(series.points), series.window)


def editions_of(series: Series, *, until: int | None = None, window: int | None = None) -> tuple[Edition, ...]:
    """Its published editions, oldest first, people as the text of their ids; the last `window` up to number `until`.

    Three queries for any number of results.
    """
    rows = EditionRow.objects.filter(series=series, tournament__published__gt=0).order_by("-number")
    if until is not None:
        rows = rows.filter(number__lte=until)
    numbers = dict(rows[:window].values_list("tournament", "number"))
    entrants = Entrant.objects.filter(tournament__in=list(numbers)).order_by()
    rankings = dict(
        entrants.filter(place__isnull=False)
        .values("tournament")
        .annotate(ranking=ArrayAgg(Cast("person", TextField()), order_by=F("place").asc()))
        .values_list("tournament", "ranking")
    )
    adjustments: dict[UUID, dict[str, int]] = {}
    for tournament, person, points in entrants.filter(adjustment__isnull=False).values_list(
        "tournament", "person", "adjustment"
    ):
        adjustments.setdefault(tournament, {})[str(person)] = points or 0  # a NULL is filtered out
    return tuple(
        Edition(number, tuple(rankings.get(tournament, ())), adjustments.get(tournament, {}))
        for tournament, number in sorted(numbers.items(), key=lambda pair: pair[1])
    )


def ranking_after(series: Series, number: int | None = None) -> tuple[tuple[Edition, ...], tuple[Standing, ...]]:
    """The editions that count after edition `number` (default: the last), and the table worked out from their results.

    Three queries for any number of results. The dated rankings that pages show are kept from this.
    """
    rules = rules_of_series(series)
    editions = editions_of(series, until=number, window=rules.window)
    return editions, series_table(editions, rules)


@dataclass(frozen=True)
class SnapshotRef:
    """A dated ranking: after which edition, in which version of it, and the editions that count in it, oldest first.

    `last`: no later version of it was made.
    """

    id: int
    edition: int
    version: int
    last: bool
    dated: date | None
    editions: tuple[int, ...]
    tournament: str
    slug: str


@dataclass(frozen=True)
class RankedPerson:
    """A line of a dated ranking, as it was written; who turned out to be somebody else stands under the other's name.

    `rank` is strict, `shared` equal for those whom only a lot could tell apart. `gained`: places won since the ranking
    before (minus: lost), None for who is new.
    """

    person: UUID
    name: str
    rank: int
    shared: int
    points: int
    decided_by: str | None
    lines: tuple[SeriesLine, ...]
    gained: int | None


@dataclass(frozen=True)
class SeriesView:
    """A series with one of its dated rankings, the one before it, and the list of all, latest first.

    `people`: how many stand in the ranking that is shown.
    """

    name: str
    club: str | None
    club_slug: str | None
    rules: SeriesRules
    shown: SnapshotRef
    before: SnapshotRef | None
    snapshots: tuple[SnapshotRef, ...]
    people: int


def series_for_page(
    club_slug: str | None, name: str, *, edition: int | None = None, version: int | None = None
) -> SeriesView:
    """A series and which of its rankings is shown: after `edition`, in `version`; by default the last of both.

    Three queries for any number of editions. Refusals: `series_unknown`, also where nothing of it is published, and
    `edition_unknown`.
    """
    series = Series.objects.select_related("club").filter(club__slug=club_slug, name=name).first()
    rows = Snapshot.objects.filter(series=series).select_related("edition__tournament") if series else ()
    snapshots = _refs(rows)
    if series is None or not snapshots:
        raise Refusal("series_unknown", {"name": name})
    shown = next((ref for ref in snapshots if edition in (None, ref.edition) and version in (None, ref.version)), None)
    if shown is None:
        raise Refusal("edition_unknown", {"edition": edition or 0})
    return SeriesView(
        name=series.name,
        club=series.club.name if series.club else None,
        club_slug=series.club.slug if series.club else None,
        rules=rules_of_series(series),
        shown=shown,
        before=next((ref for ref in snapshots if ref.last and ref.edition < shown.edition), None),
        snapshots=snapshots,
        people=SnapshotLine.objects.filter(snapshot=shown.id).count(),
    )


def ranking_of(view: SeriesView) -> tuple[RankedPerson, ...]:
    """The ranking that is shown, best first. One query for any number of people."""
    told = [view.shown.id, *([view.before.id] if view.before else [])]
    rows = SnapshotLine.objects.filter(snapshot__in=told).order_by("rank").select_related("person__merged_into")
    now: list[tuple[User, SnapshotLine]] = []
    old: dict[UUID, int] = {}
    for row in rows:
        person = row.person.merged_into or row.person
        if row.snapshot_id == view.shown.id:
            now.append((person, row))
        else:
            old.setdefault(person.pk, row.shared)
    return tuple(
        RankedPerson(
            person=person.pk,
            name=person.display_name,
            rank=row.rank,
            shared=row.shared,
            points=row.points,
            decided_by=row.decided_by or None,
            lines=tuple(SeriesLine(*line) for line in row.lines),
            gained=old[person.pk] - row.shared if person.pk in old else None,
        )
        for person, row in now
    )


def _refs(rows: Iterable[Snapshot]) -> tuple[SnapshotRef, ...]:
    """Dated rankings, latest edition and latest version of it first."""
    refs: list[SnapshotRef] = []
    for row in sorted(rows, key=lambda row: (row.edition.number, row.version), reverse=True):
        number, tournament = row.edition.number, row.edition.tournament
        last = not refs or refs[-1].edition != number
        told = (row.pk, number, row.version, last, row.dated, tuple(row.editions), tournament.name, tournament.slug)
        refs.append(SnapshotRef(*told))
    return tuple(refs)
