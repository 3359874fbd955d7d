"""Rankings over the editions that this house has in its books."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import F, TextField
from django.db.models.functions import Cast

from core.refusal import Refusal
from tournaments.models import Edition as EditionRow
from tournaments.models import Entrant, Series, Snapshot, SnapshotLine
from tournaments.rules.series import Edition, SeriesLine, SeriesRules, Standing, moved, series_table


def rules_of_series(series: Series) -> SeriesRules:
    """Its points by place and its window."""
    return SeriesRules(tuple(series.points), series.window)


def editions_of(series: Series, *, until: int | None = None, window: int | None = None) -> tuple[Edition, ...]:
    """Its editions, oldest first, people as the text of their ids; the last `window` up to number `until`.

    Three queries for any number of results.
    """
    rows = EditionRow.objects.filter(series=series).order_by("-number")
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
        adjustments.setdefault(tournament, {})[str(person)] = points
    return tuple(
        Edition(number, tuple(rankings.get(tournament, ())), adjustments.get(tournament, {}))
        for tournament, number in sorted(numbers.items(), key=lambda pair: pair[1])
    )


def series_ranking(series: Series) -> tuple[Standing, ...]:
    """The table as it stands after the last edition, computed from the results of the editions."""
    rules = rules_of_series(series)
    return series_table(editions_of(series, window=rules.window), rules)


@dataclass(frozen=True)
class SnapshotRef:
    """A dated ranking: after which edition, in which version of it."""

    edition: int
    version: int
    dated: date | None
    tournament: str
    slug: str


@dataclass(frozen=True)
class RankedPerson:
    """A line of a dated ranking. `gained`: ranks won since the edition before (minus: lost), None for who is new."""

    standing: Standing
    person: UUID
    name: str
    gained: int | None


@dataclass(frozen=True)
class SeriesView:
    """A series with one of its dated rankings, best first; `snapshots` lists all of them, latest first."""

    id: UUID
    name: str
    club: str | None
    club_slug: str | None
    version: int
    rules: SeriesRules
    snapshot: SnapshotRef | None
    table: tuple[RankedPerson, ...]
    snapshots: tuple[SnapshotRef, ...]


def series_for_page(club_slug: str | None, name: str, *, edition: int | None = None) -> SeriesView:
    """A series with its ranking after `edition` (default: the last). Refusals: `series_unknown`, `edition_unknown`.

    Five queries for any number of people and editions.
    """
    series = Series.objects.select_related("club").filter(club__slug=club_slug, name=name).first()
    if series is None:
        raise Refusal("series_unknown", {"name": name})
    rows = list(
        Snapshot.objects.filter(series=series)
        .select_related("edition__tournament")
        .order_by("-edition__number", "-version")
    )
    latest: dict[int, Snapshot] = {}
    for row in rows:
        latest.setdefault(row.edition.number, row)
    numbers = list(latest)
    if edition is not None and edition not in latest:
        raise Refusal("edition_unknown", {"edition": edition})
    shown = edition if edition is not None else numbers[0] if numbers else None
    before = next((number for number in numbers if shown is not None and number < shown), None)
    tables = _tables([latest[number].pk for number in (shown, before) if number is not None])
    now = tables.get(latest[shown].pk, []) if shown is not None else []
    old = tables.get(latest[before].pk, []) if before is not None else []
    gained = moved([standing for standing, *_ in old], [standing for standing, *_ in now])
    return SeriesView(
        id=series.pk,
        name=series.name,
        club=series.club.name if series.club else None,
        club_slug=series.club.slug if series.club else None,
        version=series.version,
        rules=rules_of_series(series),
        snapshot=_ref(latest[shown]) if shown is not None else None,
        table=tuple(
            RankedPerson(standing, person, name, gained[standing.player] if old else 0)
            for standing, person, name in now
        ),
        snapshots=tuple(_ref(row) for row in rows),
    )


def _tables(snapshots: list[int]) -> dict[int, list[tuple[Standing, UUID, str]]]:
    tables: dict[int, list[tuple[Standing, UUID, str]]] = {}
    rows = SnapshotLine.objects.filter(snapshot__in=snapshots).order_by("rank").select_related("person__merged_into")
    for row in rows:
        person = row.person.merged_into or row.person
        lines = tuple(SeriesLine(*line) for line in row.lines)
        best = min((line.place for line in lines if line.place is not None), default=None)
        standing = Standing(row.rank, row.shared, str(person.pk), row.points, lines, best, row.decided_by or None)
        tables.setdefault(row.snapshot_id, []).append((standing, person.pk, person.display_name))
    return tables


def _ref(row: Snapshot) -> SnapshotRef:
    tournament = row.edition.tournament
    return SnapshotRef(row.edition.number, row.version, row.dated, tournament.name, tournament.slug)
